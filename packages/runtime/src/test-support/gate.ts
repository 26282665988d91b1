/** A promise that the test resolves or rejects. */
export class Gate<T = void> {
  readonly promise: Promise<T>;
  #settle: { readonly resolve: (value: T) => void; readonly reject: (error: unknown) => void } | undefined;

  constructor() {
    this.promise = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
  }
  open(value: T): void {
    this.#settle?.resolve(value);
  }
  fail(error: unknown): void {
    this.#settle?.reject(error);
  }
}

/** Whether the promise is settled after all callbacks that are currently due have run. */
export async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  const note = (): void => {
    settled = true;
  };
  promise.then(note, note);
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
  return settled;
}
