// Plays a game with the MCP TypeScript SDK 1.x. A release speaks the version of the protocol that was the newest when it was
// made, so there are three of them; -e says which.
import { options } from "./options.mjs";
import { answer, play } from "./player.mjs";

const chosen = options("sdk1", "2025-11-25");
const { Client } = await import(`sdk-${chosen.era}/client/index.js`);
const { StreamableHTTPClientTransport } = await import(`sdk-${chosen.era}/client/streamableHttp.js`);

// Not every release says what was agreed on, so the first reply is looked at.
let agreed;
const { fetch } = globalThis;
globalThis.fetch = async (...request) => {
  const reply = await fetch(...request);
  agreed ??= (await reply.clone().json()).result.protocolVersion;
  globalThis.fetch = fetch;
  return reply;
};

const client = new Client({ name: chosen.name, version: "1.0.0" });
await client.connect(new StreamableHTTPClientTransport(new URL(chosen.address)));
if (agreed !== chosen.era) throw new Error(`the server answered in ${agreed}`);
await client.listTools();

process.stdout.write(await play(async (name, args) => answer(await client.callTool({ name, arguments: args })), chosen));
await client.close();
