import type { KubeObject } from '@kubewright/api';
import { RecentEntries } from '../../events/recent-entries.js';
import type { ReconciledObject } from './reconciled-object.js';

/** Those that were noted longest ago are left out: a change of theirs is judged by its predicate alone then. */
const MOST_OBJECTS = 10_000;

/**
 * The reconciled objects, not the others that they lead to, of which it is not known whether the last write of their reconcile was carried out. What the cache holds of them may be
 * older than that write, and what is compared with it be found right by mistake; so every change of such an object counts, until
 * a write is answered.
 */
export class UnansweredWrites {
  readonly #reconciled: ReconciledObject;
  readonly #ids = new RecentEntries<true>(MOST_OBJECTS);

  constructor(reconciled: ReconciledObject) {
    this.#reconciled = reconciled;
  }

  /** A write of the reconcile of this id was given up without an answer that says what became of it. */
  noted(id: string, object: KubeObject): void {
    if (this.#reconciled.is(id, object)) this.#ids.set(id, true);
  }
  /** A write was answered: what the cache shows from now on is at least as new. */
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
