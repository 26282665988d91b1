import { kindNameOf } from '../../selection/kind-name.js';

/** Limits log messages to one for each kind. */
export class OncePerKind {
  readonly #seen = new Set<string>();

  /** Returns true for the first call with a kind, and false for every further call. */
  isFirst(kind: { readonly apiVersion: string; readonly kind: string }): boolean {
    const name = kindNameOf(kind);
    if (this.#seen.has(name)) return false;
    this.#seen.add(name);
    return true;
  }
}
