/** Counts the `AbortController`s that are created until `stop` is called. `stop` returns the number. */
export function countAbortControllers(): { readonly stop: () => number } {
  const Original = globalThis.AbortController;
  let created = 0;
  globalThis.AbortController = class extends Original {
    constructor() {
      super();
      created++;
    }
  };
  return {
    stop: (): number => {
      globalThis.AbortController = Original;
      return created;
    },
  };
}
