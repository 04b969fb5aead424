// The verifier for a page. verifier() costs nothing until the first record: then a Web Worker loads the WebAssembly that lies
// beside this file, once, and verifies there, so that the page is never held up.
//
//   const v = verifier();
//   const verdict = JSON.parse(await v.verify(bytes, { key }));
//   v.close();
//
// What verify takes and gives, main.go says. Whatever keeps the verifier from running rejects the promise. A page that has a
// content security policy needs 'wasm-unsafe-eval' among its script-src.
export function verifier() {
  let worker = null;
  let asked = 0;
  const waiting = new Map();

  function stop(error) {
    worker?.terminate();
    worker = null;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  }

  function start() {
    worker = new Worker(new URL("worker.mjs", import.meta.url), { type: "module" });
    worker.onmessage = ({ data: { id, verdict, error } }) => {
      const { resolve, reject } = waiting.get(id);
      waiting.delete(id);
      if (error) reject(new Error(error));
      else resolve(verdict);
    };
    worker.onerror = (event) => stop(new Error(`the verifier cannot be loaded: ${event.message ?? "no worker"}`));
  }

  return {
    verify(record, options = {}) {
      if (!worker) start();
      return new Promise((resolve, reject) => {
        const id = asked++;
        waiting.set(id, { resolve, reject });
        worker.postMessage({ id, record, options });
      });
    },
    close() {
      stop(new Error("the verifier was closed"));
    },
  };
}
