import type { Clock } from '@kubewright/api/clock';
import type { KubeObject } from '@kubewright/api';
import { isNewer } from '../../cache/store/overlay.js';
import { RecentEntries } from '../../events/recent-entries.js';
import type { ReconciledObject } from './reconciled-object.js';

/** The most objects to track. The oldest entries are dropped; the predicate alone then judges changes of these objects. */
const MOST_OBJECTS = 10_000;
/** The server may still execute an unanswered write for this long. A kube-apiserver ends a request after 60 s by default. */
const OPEN_MS = 60_000;

interface UnansweredWrite {
  readonly sinceMs: number;
  /** A version that contains the effect of the write, if the server executed the write; undefined while no version is known. */
  readonly containedIn?: string;
}

/** The dependencies of `UnansweredWrites`. */
export interface UnansweredWritesOptions {
  readonly reconciled: ReconciledObject;
  readonly clock: Pick<Clock, 'monotonicMs'>;
}

/**
 * Tracks the reconciled objects with a write whose result is unknown. The cached object may be older than that write. A comparison with the
 * cached object may then find no difference, or a patch may omit fields that differ on the server. Every change of such an object therefore
 * triggers a reconcile, until a reconcile has read the object in a version that contains the effect of the write. Other objects that a
 * reconcile writes are not tracked.
 */
export class UnansweredWrites {
  readonly #using: UnansweredWritesOptions;
  readonly #writes = new RecentEntries<UnansweredWrite>(MOST_OBJECTS);

  constructor(using: UnansweredWritesOptions) {
    this.#using = using;
  }

  /** Records a write of a reconcile that ended without a conclusive response. */
  noted(id: string, object: KubeObject): void {
    const { reconciled, clock } = this.#using;
    if (reconciled.is(id, object)) this.#writes.set(id, { sinceMs: clock.monotonicMs() });
  }
  /**
   * Records the object of an answered write. The answer contains the effect of an earlier unanswered write, unless the server can still
   * execute that write.
   */
  answered(id: string, object: KubeObject): void {
    const { reconciled, clock } = this.#using;
    const write = this.#writes.peek(id);
    if (write === undefined || write.containedIn !== undefined || !reconciled.is(id, object)) return;
    if (clock.monotonicMs() - write.sinceMs < OPEN_MS) return;
    this.#writes.set(id, { ...write, containedIn: object.metadata.resourceVersion });
  }
  /** Records the version of the object that a reconcile starts with. */
  read(id: string, { metadata: { resourceVersion } }: KubeObject): void {
    const containedIn = this.#writes.peek(id)?.containedIn;
    if (containedIn === undefined) return;
    if (resourceVersion === containedIn || isNewer(resourceVersion, containedIn)) this.#writes.delete(id);
  }
  has(id: string): boolean {
    return this.#writes.peek(id) !== undefined;
  }
  forget(id: string): void {
    this.#writes.delete(id);
  }
}
