import type { KubeObject } from '@kubewright/api';
import { RecentEntries } from '../../events/recent-entries.js';
import type { ReconciledObject } from './reconciled-object.js';

/** The most objects to track. The oldest entries are dropped; the predicate alone then judges changes of these objects. */
const MOST_OBJECTS = 10_000;

/**
 * The reconciled objects whose last write has an unknown outcome. The cached object may be older than that write, so a comparison with the
 * cached object may wrongly find no difference. Every change of such an object therefore triggers a reconcile until a write is answered.
 * Other objects that a reconcile writes are not tracked.
 */
export class UnansweredWrites {
  readonly #reconciled: ReconciledObject;
  readonly #ids = new RecentEntries<true>(MOST_OBJECTS);

  constructor(reconciled: ReconciledObject) {
    this.#reconciled = reconciled;
  }

  /** Records a write of a reconcile that ended without a conclusive response. */
  noted(id: string, object: KubeObject): void {
    if (this.#reconciled.is(id, object)) this.#ids.set(id, true);
  }
  /** Records an answered write. The cache is at least as new as this write from now on. */
  answered(id: string, object: KubeObject): void {
    if (this.#reconciled.is(id, object)) this.#ids.delete(id);
  }
  has(id: string): boolean {
    return this.#ids.peek(id) ?? false;
  }
  forget(id: string): void {
    this.#ids.delete(id);
  }
}
