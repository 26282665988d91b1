import type { Clock } from '@kubewright/api/clock';
import type { KubeObject } from '@kubewright/api';
import { isNewer } from '../../cache/store/overlay.js';
import { RecentEntries } from '../../events/recent-entries.js';
import type { ReconciledObject } from './reconciled-object.js';

/**
 * The maximum number of tracked objects. If there are more, the oldest objects are dropped. For a dropped object, only the predicate
 * determines whether a change triggers a reconcile.
 */
const MOST_OBJECTS = 10_000;
/**
 * The time in milliseconds for which the server may still execute a write that got no response. A kube-apiserver ends a request after 60 s
 * by default.
 */
const OPEN_MS = 60_000;

interface UnansweredWrite {
  readonly sinceMs: number;
  /** A version that contains the write if the server executed it. Undefined as long as no such version is known. */
  readonly containedIn?: string;
}

/** The dependencies of `UnansweredWrites`. */
export interface UnansweredWritesOptions {
  readonly reconciled: ReconciledObject;
  readonly clock: Pick<Clock, 'monotonicMs'>;
}

/**
 * Tracks reconciled objects for which a write got no conclusive response. The cached object may be older than this write, so a reconcile
 * may wrongly find nothing to do. Every change of such an object therefore triggers a reconcile, until a reconcile has read a version that
 * contains the write. Other objects that a reconcile writes are not tracked.
 */
export class UnansweredWrites {
  readonly #using: UnansweredWritesOptions;
  readonly #writes = new RecentEntries<UnansweredWrite>(MOST_OBJECTS);

  constructor(using: UnansweredWritesOptions) {
    this.#using = using;
  }

  /** Records a write of a reconcile that got no conclusive response. */
  noted(id: string, object: KubeObject): void {
    const { reconciled, clock } = this.#using;
    if (reconciled.is(id, object)) this.#writes.set(id, { sinceMs: clock.monotonicMs() });
  }
  /**
   * Records the response to a later write. The object in the response contains the tracked write if the server executed it. Ignores
   * responses while the server may still execute the tracked write.
   */
  answered(id: string, object: KubeObject): void {
    const { reconciled, clock } = this.#using;
    const write = this.#writes.peek(id);
    if (write === undefined || write.containedIn !== undefined || !reconciled.is(id, object)) return;
    if (clock.monotonicMs() - write.sinceMs < OPEN_MS) return;
    this.#writes.set(id, { ...write, containedIn: object.metadata.resourceVersion });
  }
  /** Records the version with which a reconcile starts. Stops tracking the object if this version contains the write. */
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
