// The options of the clients: those of curl.sh, and -e for the version of the protocol.
import { parseArgs } from "node:util";

/** options reads the command line; name and era are what it leaves out. */
export function options(name, era) {
  const string = (short, value) => ({ type: "string", short, default: value });
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      name: string("n", name), table: string("t", ""), players: string("p", "1"), bots: string("b", "1"),
      doubt: string("d", "3"), moves: string("m", "-1"), era: string("e", era),
    },
  });
  if (positionals.length !== 1) throw new Error("the address of the MCP endpoint is missing");
  for (const number of ["players", "bots", "doubt", "moves"]) values[number] = Number(values[number]);
  return { ...values, address: positionals[0] };
}
