// The only URL of a script that is made while the page runs: that of the shared worker.

const policy = globalThis.trustedTypes?.createPolicy('ojs', {
  createScriptURL: (url) => {
    if (url !== new URL('./stream-worker.js', import.meta.url).href) {
      throw new TypeError('Not the script of the worker.');
    }
    return url;
  },
});

export function workerUrl() {
  const url = new URL('./stream-worker.js', import.meta.url).href;
  return policy ? policy.createScriptURL(url) : url;
}
