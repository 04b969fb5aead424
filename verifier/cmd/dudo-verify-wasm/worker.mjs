// The Web Worker of client.mjs. wasm_exec.js is Go's own, of the version that built the WebAssembly.
import "./wasm_exec.js";

const go = new Go();
const running = WebAssembly.instantiateStreaming(fetch(new URL("dudo-verify.wasm", import.meta.url)), go.importObject).then(
  ({ instance }) => void go.run(instance), // until it waits for the first record
);

onmessage = async ({ data: { id, record, options } }) => {
  try {
    await running;
    postMessage({ id, verdict: dudoVerify(record, options) });
  } catch (error) {
    postMessage({ id, error: `the verifier does not run: ${error.message}` });
  }
};
