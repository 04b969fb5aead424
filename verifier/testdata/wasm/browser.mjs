// Verifies records in a page of headless Chromium: node browser.mjs ADDRESS PACKAGES <CASES, with cases as node.mjs takes them.
// At the address are the files of the verifier, and verify.mjs; in the folder of packages is playwright-core. Prints a line
// {"before": FILES, "start": MILLISECONDS} of what was loaded before the first record and how long that took; then two lines a
// record, what the verifier says and what verify.mjs says. CHROMIUM is the browser's path, "chromium" on PATH if it is not set.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const [address, packages] = process.argv.slice(2);
const { chromium } = createRequire(join(packages, "package.json"))("playwright-core");
const cases = readFileSync(0, "utf8").trim().split("\n").map((line) => JSON.parse(line));

const executablePath = process.env.CHROMIUM || execFileSync("sh", ["-c", "command -v chromium"], { encoding: "utf8" }).trim();
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
try {
  const page = await browser.newPage();
  await page.goto(address);
  await page.evaluate(async () => {
    globalThis.dudo = (await import("/client.mjs")).verifier();
  });
  const before = await page.evaluate(() => performance.getEntriesByType("resource").filter((r) => /wasm|worker/.test(r.name)).length);
  const start = await page.evaluate(async () => {
    const begun = performance.now();
    await globalThis.dudo.verify("");
    return performance.now() - begun;
  });
  console.log(JSON.stringify({ before, start }));
  for (const { record, options } of cases) {
    const [verdict, byHand] = await page.evaluate(
      async ([base64, options]) => {
        const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
        const { verify } = await import("/verify.mjs");
        const byHand = verify(bytes, options).catch((error) => ({ error: error.message }));
        return [await globalThis.dudo.verify(bytes, options), await byHand];
      },
      [record, options],
    );
    process.stdout.write(verdict);
    console.log(JSON.stringify(byHand));
  }
} finally {
  await browser.close();
}
