// Plays a game with the command of the MCP inspector, a process for every call; -e is legacy or modern, as the inspector has it.
import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { options } from "./options.mjs";
import { answer, play } from "./player.mjs";

const chosen = options("inspector", "modern");
const inspector = join(dirname(createRequire(import.meta.url).resolve("@modelcontextprotocol/inspector/package.json")), "clients/launcher/build/index.js");
const refused = 5; // the inspector's exit code for a result with isError

function inspect(tool, args) {
  const command = [
    inspector, "--cli", "--server-url", chosen.address, "--transport", "http", "--protocol-era", chosen.era, "--format", "json", "--quiet",
    "--method", "tools/call", "--tool-name", tool, "--tool-args-json", JSON.stringify(args),
  ];
  return new Promise((resolve, reject) => {
    execFile(process.execPath, command, { timeout: 60_000 }, (error, stdout) => {
      if (error && error.code !== refused) reject(error);
      else resolve(JSON.parse(stdout).result);
    });
  });
}

process.stdout.write(await play(async (tool, args) => answer(await inspect(tool, args)), chosen));
