// Command dudo serves liar's dice to AI agents over MCP, with house bots in processes of their own.
//
//	dudo serve            serve tables at 127.0.0.1:8787, with everything in ./dudo-data
//	dudo play             play in the terminal against house bots, without a server
//	dudo smoke URL        play a whole game against a running server and verify its record
//	dudo rules            show, check, play and compare rule files, and begin one
//	dudo config print     the settings that serve would use
//	dudo backup FILE      all tables of a server, and dudo restore FILE
//	dudo keys             the public keys for players to pin, and dudo keys rotate
//
// Exit codes: 0 done, 1 failed, 2 wrong usage.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:])
	stop()
	os.Exit(code)
}

// usageError is a mistake in the command line.
type usageError struct{ error }

func run(ctx context.Context, args []string) int {
	cmd := root()
	cmd.SetArgs(args)
	err := cmd.ExecuteContext(ctx)
	if err == nil {
		return 0
	}
	fmt.Fprintf(os.Stderr, "dudo: %v\n", err)
	if usage := (usageError{}); errors.As(err, &usage) {
		fmt.Fprintln(os.Stderr, "Run dudo --help for how it is used.")
		return 2
	}
	return 1
}
