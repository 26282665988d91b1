import { AsyncResource } from 'node:async_hooks';
import { type KindRef, type KubeObject, metadataOnly } from '@kubewright/api';
import type { Clock } from '@kubewright/api/clock';
import { wholeKindOf } from '@kubewright/api/metadata';
import { kindName, kindNameOf } from '../../cache/selection/kind-name.js';
import { formatKey } from '../../cache/store/object-key.js';
import { describe } from '../../client/requests/target.js';
import type { Logger } from '../../log/logger.js';
import { type Blocker, blockerOf, blocksAs } from './blocker-watch.js';
import { Blockers } from './blockers.js';
import type { NameSource } from './name-source.js';

export interface BlockedNamesOptions {
  /** The kinds that the controller owns. Only foreign objects of these kinds are watched. */
  readonly owns: readonly KindRef[];
  readonly source: NameSource;
  readonly clock: Clock;
  readonly logger: Logger;
  /**
   * Called when the name of a child may be available again. `id` is the parent, and `blocker` is the kind and the key of the foreign
   * object.
   */
  readonly wake: (id: string, blocker: string) => void;
}

/** The name of a child that a foreign object already uses. */
interface TakenName {
  /** The kind of the foreign object, for messages. */
  readonly kind: string;
  readonly blocker: Blocker;
  readonly blockers: Blockers;
  /** The ids of the parents that need the name for a child. */
  readonly parents: Set<string>;
}

/**
 * Requeues a parent when the name of its child becomes available. A foreign object is an object that the parent does not control. While a
 * foreign object uses the name of a child, the parent cannot create the child. The informers of the controller do not cache foreign
 * objects, because foreign objects lack the owner label. Therefore, this class watches each foreign object while a parent needs its name.
 */
export class BlockedNames {
  readonly #options: BlockedNamesOptions;
  readonly #blockers: ReadonlyMap<string, Blockers>;
  readonly #names = new Map<string, TakenName>();
  /**
   * For each parent, the child names that foreign objects use, with the uid and the version of each foreign object that the last run found.
   */
  readonly #parents = new Map<string, ReadonlyMap<string, string>>();
  /** The asynchronous context outside of all runs. A watch outlives the run that starts it, and must not use the context of the run. */
  readonly #outside = new AsyncResource('BlockedNames');

  constructor(options: BlockedNamesOptions) {
    this.#options = options;
    this.#blockers = new Map(options.owns.map((kind) => [kindName(kind), this.#blockersOf(kind)]));
  }

  /**
   * Updates the unavailable child names of a parent after a run of the parent. `taken` contains the foreign objects that use these names.
   */
  ended(id: string, taken: readonly KubeObject[]): void {
    const before = this.#parents.get(id);
    if (before === undefined && taken.length === 0) return;
    this.#outside.runInAsyncScope(() => {
      const now = new Map<string, string>();
      for (const object of taken) {
        const name = nameId(kindNameOf(object), formatKey(object.metadata));
        now.set(name, `${object.metadata.uid} ${object.metadata.resourceVersion}`);
        this.#block(id, { name, object, isOutdated: before?.get(name) === now.get(name) });
      }
      for (const name of before?.keys() ?? []) if (!now.has(name)) this.#release(id, name);
      if (now.size === 0) this.#parents.delete(id);
      else this.#parents.set(id, now);
    });
  }

  /** Stops all watches. Resolves when they have ended. */
  async close(): Promise<void> {
    await Promise.all([...this.#blockers.values()].map((blockers) => blockers.close()));
  }

  #blockersOf(kind: KindRef): Blockers {
    const { source, clock, logger } = this.#options;
    return new Blockers({
      live: source.live,
      isClusterWide: source.isClusterWide(kind),
      kind: metadataOnly(wholeKindOf(kind)),
      clock,
      logger,
      onFreed: (key) => this.#freed(nameId(kindName(kind), formatKey(key))),
    });
  }

  #block(
    id: string,
    taken: { readonly name: string; readonly object: KubeObject; readonly isOutdated: boolean },
  ): void {
    const { name, object } = taken;
    const blockers = this.#blockers.get(kindNameOf(object));
    if (blockers === undefined) return;
    const blocker = blockerOf(object);
    const known = this.#names.get(name);
    if (known !== undefined && blocksAs(blocker, known.blocker)) {
      known.parents.add(id);
      return;
    }
    // The run found an outdated state of a foreign object that has since released the name. The parent was already requeued for this
    // reason. Another requeue could lead to an endless loop.
    if (known === undefined && taken.isOutdated) return;
    known?.parents.delete(id);
    this.#freed(name);
    this.#names.set(name, { kind: object.kind, blocker, blockers, parents: new Set([id]) });
    blockers.add(blocker);
  }

  #release(id: string, name: string): void {
    const known = this.#names.get(name);
    if (known === undefined || !known.parents.delete(id) || known.parents.size > 0) return;
    this.#names.delete(name);
    known.blockers.delete(known.blocker.key);
  }

  #freed(name: string): void {
    const known = this.#names.get(name);
    if (known === undefined) return;
    this.#names.delete(name);
    for (const id of known.parents) this.#options.wake(id, describe(known.kind, known.blocker.key));
  }
}

function nameId(kind: string, key: string): string {
  return `${kind} ${key}`;
}
