#!/usr/bin/env -S node --no-warnings
// verify.mjs for a terminal.
import { open } from "node:fs/promises";
import { parseArgs } from "node:util";
import { notChecked, verify } from "./verify.mjs";

const usage = `cli.mjs [--key KEY] [--receipt RECEIPT]... [--json] FILE...
Checks the records of games in files, or from standard input with -.

  --key KEY          the server's public key, 43 characters of base64url, from a place that you trust
  --receipt RECEIPT  one that you kept during the game; can be given several times
  --json             one JSON object a record
  --help             this text

Exit codes:
  0  all that is checked holds
  1  a record is refuted
  2  a file is no record, or this is not how to call cli.mjs`;

const most = (4 << 20) + 1; // a byte more than a record has

async function read(source) {
  const chunks = [];
  let size = 0;
  const file = source === "-" ? null : await open(source);
  for await (const chunk of file?.createReadStream({ end: most - 1 }) ?? process.stdin) {
    chunks.push(chunk);
    if ((size += chunk.length) >= most) break;
  }
  return Buffer.concat(chunks);
}

function print(source, { verdict, checks, failed }) {
  const lines = [source, ...checks.map((c) => (c.sentence ? `✓ ${c.check}: ${c.sentence}` : `- ${c.check}: NOT CHECKED`))];
  if (failed) lines.push(`✗ ${failed.event === null ? "the file" : `event ${failed.event}`}, ${failed.check}: ${failed.message}`);
  console.log([...lines, verdict === "verified" ? `verified, but for ${notChecked.join(", ")}` : verdict].join("\n"));
}

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      help: { type: "boolean" }, json: { type: "boolean" }, key: { type: "string" }, receipt: { type: "string", multiple: true },
    },
  });
  if (values.help) console.log(usage);
  else if (positionals.length === 0) throw new TypeError("which record? --help tells how to call this");
  let code = 0;
  for (const source of values.help ? [] : positionals) {
    const answer = await verify(await read(source), { key: values.key, receipts: values.receipt });
    if (values.json) console.log(JSON.stringify({ source, ...answer }));
    else print(source, answer);
    if (answer.verdict === "refuted") code = 1;
    else if (answer.verdict === "unreadable" && code === 0) code = 2;
  }
  process.exitCode = code;
} catch (error) {
  console.error(`cli.mjs: ${error.message}`);
  process.exitCode = 2;
}
