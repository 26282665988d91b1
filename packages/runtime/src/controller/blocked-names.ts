import { controllerOf, type KindRef, type KubeObject } from '@kubewright/api';
import { kindOf, kindRefOf } from '@kubewright/api/metadata';
import type { LiveReader } from '../client/live-reader.js';
import { NotOwnedError } from '../client/taken-name.js';
import { describe } from '../client/target.js';
import type { Logger } from '../log/logger.js';

/** More names are left to the back-off. */
const MOST_WATCHES = 100;

export interface BlockedNamesOptions {
  /** The kinds of children, which the controller may watch. */
  readonly owns: readonly KindRef[];
  readonly watch: LiveReader['watch'];
  readonly logger: Logger;
  /** Called with the id of a parent, and the object that had the name of its child, when the name may be free. */
  readonly wake: (id: string, blocker: string) => void;
}

interface Blocked {
  readonly uid: string;
  readonly ending: AbortController;
  readonly ended: Promise<void>;
}

/**
 * Wakes parents whose child has a name that a foreign object has taken. Such an object has no owner label, so no informer of the
 * controller has it: while a parent is blocked, one watch follows the foreign object by name.
 */
export class BlockedNames {
  readonly #options: BlockedNamesOptions;
  readonly #blocked = new Map<string, Blocked>();

  constructor(options: BlockedNamesOptions) {
    this.#options = options;
  }

  /** A run of the parent has ended, with this error or without one. */
  ended(id: string, error: unknown): void {
    const taken = takenName(error);
    const known = this.#blocked.get(id);
    if (known !== undefined && known.uid === taken?.metadata.uid) return;
    this.release(id);
    if (taken === undefined || !this.#isOwned(taken) || this.#blocked.size >= MOST_WATCHES) return;
    const ending = new AbortController();
    const ended = this.#follow(id, taken, ending.signal);
    this.#blocked.set(id, { uid: taken.metadata.uid, ending, ended });
  }
  /** The parent is no longer blocked. */
  release(id: string): void {
    this.#blocked.get(id)?.ending.abort();
    this.#blocked.delete(id);
  }
  /** Ends all watches. */
  async close(): Promise<void> {
    const all = [...this.#blocked.values()];
    for (const { ending } of all) ending.abort();
    await Promise.all(all.map(({ ended }) => ended));
  }

  #isOwned({ apiVersion, kind: name }: KubeObject): boolean {
    return this.#options.owns.some((each) => kindOf(each).kind === name && kindOf(each).apiVersion === apiVersion);
  }
  /** Settles when the object is deleted, belongs to another owner, or can no longer be followed. Then the back-off is left. */
  async #follow(id: string, present: KubeObject, signal: AbortSignal): Promise<void> {
    const { watch, wake, logger } = this.#options;
    const { name, namespace, resourceVersion } = present.metadata;
    const blocker = describe(present.kind, present.metadata);
    const fields = { 'metadata.name': name };
    const where = { fields, resourceVersion, resume: true, signal, ...(namespace !== undefined && { namespace }) };
    try {
      for await (const { type, object } of watch<KubeObject>(kindRefOf(present), where)) {
        if (type !== 'deleted' && controllerOf(object)?.uid === controllerOf(present)?.uid) continue;
        return wake(id, blocker);
      }
    } catch (error) {
      logger.debug(`cannot follow ${blocker}, which has the name of a child; the back-off remains`, { error });
    } finally {
      if (this.#blocked.get(id)?.ending.signal === signal) this.#blocked.delete(id);
    }
  }
}

/** The object that has the name of a child, if that is why a reconcile failed. */
function takenName(error: unknown): KubeObject | undefined {
  for (let link = error, depth = 0; link instanceof Error && depth < 10; link = link.cause, depth++) {
    if (link instanceof NotOwnedError) return link.present;
  }
  return undefined;
}
