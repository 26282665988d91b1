import { kindNameOf } from '../../selection/kind-name.js';

/** Limits a log message to one per kind. */
export class OncePerKind {
  readonly #seen = new Set<string>();

  /** Returns true at the first call with a kind, and false at later calls with the same kind. */
  isFirst(kind: { readonly apiVersion: string; readonly kind: string }): boolean {
    const name = kindNameOf(kind);
    if (this.#seen.has(name)) return false;
    this.#seen.add(name);
    return true;
  }
}
