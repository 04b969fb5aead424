// Plays a game with the MCP TypeScript SDK 2.x; -e says in which version of the protocol.
import { game } from "./game2.mjs";
import { options } from "./options.mjs";

process.stdout.write(await game(options("sdk2", "2026-07-28")));
