// Plays a game with the MCP TypeScript SDK 2.x in a page of another origin, shown by headless Chromium; -e says in which version
// of the protocol. CHROMIUM is the browser's path, "chromium" on PATH if it is not set.
import { execFileSync } from "node:child_process";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { chromium } from "playwright-core";
import { options } from "./options.mjs";

const chosen = options("browser", "2026-07-28");
const bundle = await build({
  entryPoints: [fileURLToPath(new URL("game2.mjs", import.meta.url))],
  bundle: true, write: false, platform: "browser", format: "iife", globalName: "dudo", logLevel: "error",
});
const pages = createServer((request, reply) => {
  const script = request.url === "/game.js";
  reply.setHeader("content-type", script ? "text/javascript; charset=utf-8" : "text/html; charset=utf-8");
  reply.end(script ? bundle.outputFiles[0].text : '<!doctype html><title>A game of dudo</title><script src="/game.js"></script>');
});
await new Promise((listening) => pages.listen(0, "127.0.0.1", listening));

const executablePath = process.env.CHROMIUM || execFileSync("sh", ["-c", "command -v chromium"], { encoding: "utf8" }).trim();
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
try {
  const page = await browser.newPage();
  await page.goto(`http://localhost:${pages.address().port}/`);
  process.stdout.write(await page.evaluate((options) => globalThis.dudo.game(options), chosen));
} finally {
  await browser.close();
  pages.close();
}
