// A game with the MCP TypeScript SDK 2.x, which speaks every version of the protocol, for Node.js and for a page.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { answer, play } from "./player.mjs";

/** game plays a game as the options say. */
export async function game(chosen) {
  const client = new Client(
    { name: chosen.name, version: "1.0.0" },
    chosen.era >= "2026"
      ? { versionNegotiation: { mode: { pin: chosen.era } } }
      : { versionNegotiation: { mode: "legacy" }, supportedProtocolVersions: [chosen.era] },
  );
  await client.connect(new StreamableHTTPClientTransport(new URL(chosen.address)));
  const agreed = client.getNegotiatedProtocolVersion();
  if (agreed !== chosen.era) throw new Error(`the server answered in ${agreed}`);
  await client.listTools();
  try {
    return await play(async (name, args) => answer(await client.callTool({ name, arguments: args })), chosen);
  } finally {
    await client.close();
  }
}
