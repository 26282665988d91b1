import { AsyncLocalStorage } from 'node:async_hooks';

/** The values of all variables in the current asynchronous call. The index is the number of the variable. */
const current = new AsyncLocalStorage<readonly unknown[]>();
let count = 0;

/**
 * A value that a function call and all asynchronous work that it starts can read, like a value in an `AsyncLocalStorage`. All variables
 * share one `AsyncLocalStorage`, because Node.js copies the value of each `AsyncLocalStorage` to every new promise.
 */
export class AsyncVariable<T> {
  readonly #number = count++;

  /** Returns the value of the innermost `run` around the current call. Returns undefined outside of `run`. */
  get(): T | undefined {
    return current.getStore()?.[this.#number] as T | undefined;
  }

  /** Calls `work` so that `get` returns the value. The values of other variables remain the same. Returns the result of `work`. */
  run<R>(value: T, work: () => R): R {
    const values = current.getStore()?.slice() ?? [];
    while (values.length < count) values.push(undefined);
    values[this.#number] = value;
    return current.run(values, work);
  }
}
