import type { ControllerRunner } from '../../controller/controller-runner.js';

/** Adds something to a controller that runs; resolves when that is synced. */
export type AddTrigger = (runner: ControllerRunner, signal: AbortSignal) => Promise<AsyncDisposable>;

/** One thing that was added, and where it is at work. */
interface AddedTrigger {
  readonly add: AddTrigger;
  open: Promise<AsyncDisposable> | undefined;
}

/** The watches and sources that were added to a controller beside those that it declares: they come back whenever it is started. */
export class AddedTriggers {
  readonly #added = new Set<AddedTrigger>();

  /** Keeps it, and adds it at once where the controller runs. What does not come about is not kept. */
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
  /** Adds all to a controller that was started; resolves when all are synced. `persist` attempts again what may come about later. */
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
  /** Ends all of them, until the controller is started again. */
  async removed(): Promise<void> {
    await Promise.all([...this.#added].map(close));
  }
}

async function close(added: AddedTrigger): Promise<void> {
  const { open: opened } = added;
  added.open = undefined;
  // Whoever added it was told why it did not come about.
  const disposable = await opened?.catch(() => undefined);
  await disposable?.[Symbol.asyncDispose]();
}
