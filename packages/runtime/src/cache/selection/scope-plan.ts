import type { InformerScope } from './informer-selection.js';
import { mergedScope } from './merged-scopes.js';
import { coversScope, isDecidedByServer, scopeKey } from './scope-cover.js';

/** A scope with its key. */
export interface PlannedScope {
  readonly key: string;
  readonly scope: InformerScope;
}

/**
 * Returns the scopes to watch in order to cover all needed scopes. Omits scopes that another scope covers. Merges scopes whose union a
 * single selector expresses exactly. `open` contains the currently watched scopes, by key. A watch that selects only needed objects stays
 * open, so that no object is listed twice. `NamePlan` plans the scopes with names.
 */
export function planScopes(
  needed: readonly InformerScope[],
  open: ReadonlyMap<string, InformerScope>,
): readonly PlannedScope[] {
  const kept = [...open.values()].filter((scope) => isUnionOf(scope, needed));
  const uncovered = uncoveredOf(needed.filter((scope) => !kept.some((outer) => coversScope(outer, scope))));
  return uncoveredOf([...kept, ...merged(uncovered)]).map((scope) => ({ key: scopeKey(scope), scope }));
}

/** Returns the scopes that no other scope covers. If two scopes cover each other, returns the first scope. */
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

/** Returns the merged scope. If only the server can determine the objects of a selection, the selection needs its own watch. */
function mergeable(a: InformerScope, b: InformerScope): InformerScope | undefined {
  return isDecidedByServer(a) ? undefined : mergedScope(a, b);
}
