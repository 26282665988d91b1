import type { ControllerRunner } from '../../controller/controller-runner.js';

/** Adds a watch or a source to a running controller. Resolves when the watch or source is synced. */
export type AddTrigger = (runner: ControllerRunner, signal: AbortSignal) => Promise<AsyncDisposable>;

/** An added watch or source, with the handle that closes it. */
interface AddedTrigger {
  readonly add: AddTrigger;
  open: Promise<AsyncDisposable> | undefined;
}

/**
 * The watches and sources that were added to a controller in addition to its declared ones. Every start of the controller opens them again.
 */
export class AddedTriggers {
  readonly #added = new Set<AddedTrigger>();

  /** Registers a trigger, and opens the trigger at once if the controller runs. A trigger that fails to open is removed again. */
  async add(
    add: AddTrigger,
    to: { readonly runner: ControllerRunner | undefined; readonly signal: AbortSignal } | undefined,
  ): Promise<AsyncDisposable> {
    const added: AddedTrigger = { add, open: undefined };
    this.#added.add(added);
    const remove = async (): Promise<void> => {
      this.#added.delete(added);
      await close(added);
    };
    try {
      if (to?.runner !== undefined) added.open = add(to.runner, to.signal);
      await added.open;
      return { [Symbol.asyncDispose]: remove };
    } catch (error) {
      await remove();
      throw error;
    }
  }
  /** Opens all registered triggers on a started controller. Resolves when all are synced. `persist` retries transient errors. */
  async addTo(
    runner: ControllerRunner,
    by: { readonly signal: AbortSignal; readonly persist: <R>(attempt: () => Promise<R>) => Promise<R> },
  ): Promise<void> {
    const missing = [...this.#added].filter((added) => added.open === undefined);
    const opening = missing.map((added) => {
      added.open = by.persist(() => added.add(runner, by.signal));
      return added.open;
    });
    await Promise.all(opening);
  }
  /** Closes all triggers until the next start of the controller. */
  async removed(): Promise<void> {
    await Promise.all([...this.#added].map(close));
  }
}

async function close(added: AddedTrigger): Promise<void> {
  const { open: opened } = added;
  added.open = undefined;
  // The caller of `add` received the error.
  const disposable = await opened?.catch(() => undefined);
  await disposable?.[Symbol.asyncDispose]();
}
