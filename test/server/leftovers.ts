import type { Connection } from '@kubewright/runtime';
import { Transport } from '@kubewright/runtime/internal';
import { HANG_LIMIT_MS } from './hang-limit.js';
import { deletableLists, type ListedObject, metadataIn, pathOf } from './listed-objects.js';

/** Field managers of the server's own programs, which write on an unused server. */
const ownWriters = new Set(['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kwok']);
/** Ignored lists. Events report past occurrences and expire automatically. */
const passing = /\/events$/;
const pollMs = 25;

/**
 * Finds the objects that tests left on a server: objects with at least one field of a field manager other than the server's own programs.
 * Ignores the objects that had such a field at `open`. Does not search for custom objects, because their definitions are found instead.
 */
export class Leftovers implements AsyncDisposable {
  readonly #transport: Transport;
  readonly #timeLimitMs: number;
  #lists: readonly string[] = [];
  #given: ReadonlySet<string> = new Set();

  private constructor(connection: Connection, timeLimitMs: number) {
    this.#transport = new Transport(connection);
    this.#timeLimitMs = timeLimitMs;
  }

  /** Records the objects to ignore. `objects` waits up to `timeLimitMs` milliseconds for deletions. */
  static async open(connection: Connection, { timeLimitMs = HANG_LIMIT_MS } = {}): Promise<Leftovers> {
    const behind = new Leftovers(connection, timeLimitMs);
    behind.#lists = (await deletableLists(behind.#transport)).filter((path) => !passing.test(path));
    behind.#given = new Set((await behind.#written(behind.#lists)).map(({ path }) => path));
    return behind;
  }

  /**
   * Returns the paths of the objects that tests left, except the objects that `passes` accepts. Waits up to the time limit until no object
   * is left.
   */
  async objects(passes: (path: string) => boolean): Promise<readonly string[]> {
    const end = performance.now() + this.#timeLimitMs;
    let lists = this.#lists;
    for (;;) {
      const found = await this.#written(lists);
      const left = found.filter(({ path }) => !this.#given.has(path) && !passes(path));
      if (left.length === 0 || performance.now() > end) return left.map(({ path }) => path);
      lists = [...new Set(left.map(({ list }) => list))];
      await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#transport.close();
  }

  async #written(lists: readonly string[]): Promise<readonly { readonly list: string; readonly path: string }[]> {
    const found = await Promise.all(
      lists.map(async (list) => {
        const items = await metadataIn(this.#transport, list);
        return items
          .filter((object) => isForeign(object, list))
          .map((object) => ({ list, path: pathOf(list, object) }));
      }),
    );
    return found.flat();
  }
}

/**
 * Whether a client other than the server's own programs wrote the object. Objects without managed fields count as foreign, except service
 * accounts in kube-system: controllers create these for themselves.
 */
export function isForeign({ metadata: { namespace, managedFields = [] } }: ListedObject, list: string): boolean {
  if (managedFields.length === 0) return namespace !== 'kube-system' || !list.endsWith('/serviceaccounts');
  return managedFields.some(({ manager = '' }) => !ownWriters.has(manager));
}
