import type { InformerScope } from './informer-selection.js';
import { mergedScope } from './merged-scopes.js';
import { coversScope, isDecidedByServer, scopeKey } from './scope-cover.js';

/** A scope with the text by which it is known. */
export interface PlannedScope {
  readonly key: string;
  readonly scope: InformerScope;
}

/**
 * Returns the scopes to watch in order to cover all needed scopes. Scopes that another scope covers are left out. Scopes whose union a
 * single selector expresses exactly are merged. `open` has the scopes that are watched now, by key. A watch that selects only needed
 * objects stays open, so that no object is listed twice. Scopes with names are planned by `NamePlan`.
 */
export function planScopes(
  needed: readonly InformerScope[],
  open: ReadonlyMap<string, InformerScope>,
): readonly PlannedScope[] {
  const kept = [...open.values()].filter((scope) => isUnionOf(scope, needed));
  const uncovered = uncoveredOf(needed.filter((scope) => !kept.some((outer) => coversScope(outer, scope))));
  return uncoveredOf([...kept, ...merged(uncovered)]).map((scope) => ({ key: scopeKey(scope), scope }));
}

/** Returns the scopes that no other scope covers; the first scope of two that cover each other. */
function uncoveredOf(scopes: readonly InformerScope[]): readonly InformerScope[] {
  const distinct = [...new Map(scopes.map((scope) => [scopeKey(scope), scope])).values()];
  return distinct.filter(
    (scope, at) =>
      !distinct.some(
        (other, before) => before !== at && coversScope(other, scope) && (before < at || !coversScope(scope, other)),
      ),
  );
}

/** Merges scopes if a single scope selects exactly the same objects. */
function merged(scopes: readonly InformerScope[]): readonly InformerScope[] {
  const result: InformerScope[] = [];
  for (const scope of scopes) {
    let whole = scope;
    for (let at = 0; at < result.length; at++) {
      const both = mergeable(result[at] as InformerScope, whole);
      if (both === undefined) continue;
      whole = both;
      result.splice(at, 1);
      at = -1;
    }
    result.push(whole);
  }
  return result;
}

/** Returns whether a scope selects exactly the objects of the needed scopes that it covers. */
function isUnionOf(scope: InformerScope, needed: readonly InformerScope[]): boolean {
  const parts = needed.filter((each) => coversScope(scope, each));
  if (parts.some((part) => coversScope(part, scope))) return true;
  return merged(uncoveredOf(parts)).some((whole) => coversScope(whole, scope));
}

/** A selection that only the server decides needs a watch of its own. */
function mergeable(a: InformerScope, b: InformerScope): InformerScope | undefined {
  return isDecidedByServer(a) ? undefined : mergedScope(a, b);
}
