// Verifies records with the WebAssembly in a folder: node node.mjs FOLDER <CASES, where cases are lines of
// {"record": BASE64, "options": {}}. Prints a line {"start": MILLISECONDS, "cpu": MILLISECONDS, "gzip": BYTES, "brotli": BYTES} of how long the WebAssembly took to start, in time and
// of the processors, and of its size; then a verdict a record.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const folder = process.argv[2];
await import(pathToFileURL(join(folder, "wasm_exec.js")));
const bytes = readFileSync(join(folder, "dudo-verify.wasm"));

const [begun, used] = [performance.now(), process.cpuUsage()];
const go = new Go();
const { instance } = await WebAssembly.instantiate(bytes, go.importObject);
go.run(instance);
const start = performance.now() - begun;
const { user, system } = process.cpuUsage(used);

const gzip = gzipSync(bytes, { level: 9 }).length;
const brotli = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }).length;
console.log(JSON.stringify({ start, cpu: (user + system) / 1000, gzip, brotli }));
for (const line of readFileSync(0, "utf8").trim().split("\n")) {
  const { record, options } = JSON.parse(line);
  process.stdout.write(dudoVerify(Buffer.from(record, "base64"), options));
}
process.exit(); // Go waits for more
