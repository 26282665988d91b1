import type { InformerScope } from './informer-selection.js';
import { coversScope, scopeKey } from './scope-cover.js';

/** A scope with the text by which it is known. */
export interface PlannedScope {
  readonly key: string;
  readonly scope: InformerScope;
}

/**
 * Returns the scopes to watch so that all of these are covered: those that no other covers. Of scopes that cover each other the one
 * that is watched already is taken, so that nothing is listed twice.
 */
export function planScopes(
  needed: readonly InformerScope[],
  isOpen: (key: string) => boolean,
): readonly PlannedScope[] {
  const distinct = [...new Map(needed.map((scope) => [scopeKey(scope), scope]))].map(([key, scope]) => ({
    key,
    scope,
  }));
  const ordered = distinct.toSorted((a, b) => Number(isOpen(b.key)) - Number(isOpen(a.key)));
  return ordered.filter(
    ({ scope }, at) =>
      !ordered.some(
        (other, before) =>
          before !== at && coversScope(other.scope, scope) && (before < at || !coversScope(scope, other.scope)),
      ),
  );
}
