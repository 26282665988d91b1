import type { InformerScope } from './informer-selection.js';
import { mergedScope } from './merged-scopes.js';
import { coversScope, isDecidedByServer, scopeKey } from './scope-cover.js';

/** A scope and its key. */
export interface PlannedScope {
  readonly key: string;
  readonly scope: InformerScope;
}

/**
 * Returns the scopes to watch, so that all needed scopes are covered. Omits scopes that other scopes cover, and merges scopes that a single
 * selector can express exactly. `open` contains the scopes that are watched now, by key. If an open watch selects only needed objects,
 * keeps it open, so that its objects are not listed again. Scopes with names are planned by `NamePlan` instead.
 */
export function planScopes(
  needed: readonly InformerScope[],
  open: ReadonlyMap<string, InformerScope>,
): readonly PlannedScope[] {
  const kept = [...open.values()].filter((scope) => isUnionOf(scope, needed));
  const uncovered = uncoveredOf(needed.filter((scope) => !kept.some((outer) => coversScope(outer, scope))));
  return uncoveredOf([...kept, ...merged(uncovered)]).map((scope) => ({ key: scopeKey(scope), scope }));
}

/** Returns the scopes that no other scope covers. If two scopes cover each other, returns only the first. */
function uncoveredOf(scopes: readonly InformerScope[]): readonly InformerScope[] {
  const distinct = [...new Map(scopes.map((scope) => [scopeKey(scope), scope])).values()];
  return distinct.filter(
    (scope, at) =>
      !distinct.some(
        (other, before) => before !== at && coversScope(other, scope) && (before < at || !coversScope(scope, other)),
      ),
  );
}

/** Merges scopes where a single scope can select exactly the same objects. */
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

/**
 * Returns a scope that selects exactly the objects of both scopes. Returns undefined if no scope does this. Also returns undefined if
 * only the server can determine the objects of a scope, because such a scope needs its own watch.
 */
function mergeable(a: InformerScope, b: InformerScope): InformerScope | undefined {
  return isDecidedByServer(a) ? undefined : mergedScope(a, b);
}
