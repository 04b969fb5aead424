// Package host starts the bots, keeps them running and asks them for moves.
//
// A bot is a process of its own, whoever wrote it: house bots are started from dudo's
// own binary, others are files named dudo-bot-NAME in a folder. One process plays all
// seats of a bot; it is started by the first seat that wants it.
//
// A bot's program runs as the server's user, without a sandbox: it can read what the server
// can, seeds and the key among it. Only programs that the operator trusts belong into the folder.
// What the host holds against is a bot's faults, and through the contract a bot gets no more
// than its hand:
//
//   - its file must have the checksum that it had when the host was made;
//   - it sees none of the host's environment, files or standard input, and speaks over
//     a Unix socket with certificates made for the one launch, whose file is
//     removed as soon as the two are connected;
//   - every call has a deadline and every answer a bound; output is cut to a few lines a
//     second; noise on standard output does no harm;
//   - a process that crashes, or hangs so that it does not even say who it is, is
//     killed with its whole process group and started again, later each time;
//     a bot that fails several calls in a row gets none for a while;
//   - the host gets the processor first;
//   - nobody holds a lock while waiting, so that a hung bot keeps up its own seats only.
//
// No process outlives the host. Close ends them all. Should the host be killed, the kernel kills
// its bots (Linux), bots that use package bot end with their standard input, and a
// guard, a second process of a house bot's program, kills their process groups and
// removes the host's directory. Only a program that puts its children into sessions
// of their own, on purpose, can keep those alive.
//
// Of go-plugin the host uses the launch, handshake and certificates. It
// makes the gRPC connection itself, since go-plugin's own has no bound on what a
// bot can make it remember (broker, standard output streams) and waits without
// limit for a hung process to shut down.
package host
