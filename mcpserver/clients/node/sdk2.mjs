// Plays a game with the MCP TypeScript SDK 2.x, which speaks every version of the protocol; -e says which.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { answer, options, play } from "./player.mjs";

const chosen = options("sdk2", "2026-07-28");
const client = new Client(
  { name: chosen.name, version: "1.0.0" },
  chosen.era >= "2026"
    ? { versionNegotiation: { mode: { pin: chosen.era } } }
    : { versionNegotiation: { mode: "legacy" }, supportedProtocolVersions: [chosen.era] },
);
await client.connect(new StreamableHTTPClientTransport(chosen.address));
const agreed = client.getNegotiatedProtocolVersion();
if (agreed !== chosen.era) throw new Error(`the server answered in ${agreed}`);
await client.listTools();

await play(async (name, args) => answer(await client.callTool({ name, arguments: args })), chosen);
await client.close();
