import type { InformerScope, NameSelection } from './informer-selection.js';
import { coversScope, scopeKey, withoutNames } from './scope-cover.js';
import type { PlannedScope } from './scope-plan.js';

/** The selected names of a namespace, and how they are watched. */
interface NamedGroup {
  /** The namespace with its selectors, without names. */
  readonly scope: InformerScope;
  readonly names: Set<string>;
  /** The names that the watch of the namespace does not include. All names if the namespace is not watched. */
  others: readonly string[];
  /** The watch of the whole namespace, which ignores objects with other names. Undefined if there is none. */
  namespaceWatch: PlannedScope | undefined;
}

/** Functions that return the state of open watches. */
export interface WatchStates {
  readonly isOpen: (key: string) => boolean;
  readonly isListed: (key: string) => boolean;
}

/** The planned watches for the selected names. */
export interface PlannedNames {
  readonly scopes: readonly PlannedScope[];
  /** Whether names are not watched yet because they wait for the list of their namespace. */
  readonly isWaiting: boolean;
}

/**
 * Plans the watches of the referenced objects of one kind. Up to a limit, each name has its own watch. Above the limit, the namespaces with
 * the most names have one watch each, which ignores other objects.
 *
 * A name that is added later has its own watch. When the limit is exceeded again, a new watch of the namespace replaces the old watch of
 * the namespace and the watches of the added names. Only one list of a namespace runs at a time; until it is complete, further names wait.
 * The watch of a namespace ends when half of its names are no longer selected.
 */
export class NamePlan {
  readonly #limit: number;
  readonly #namespaceWatches = new Map<string, PlannedScope>();
  #count = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Returns the watches for the names in `needed`. Omits names that a scope in `wide` covers. */
  plan(needed: readonly InformerScope[], wide: readonly InformerScope[], states: WatchStates): PlannedNames {
    const groups = this.#groupsOf(needed, wide);
    let count = 0;
    for (const { others } of groups) count += others.length;
    let isWaiting = false;
    for (const group of groups.toSorted((a, b) => b.others.length - a.others.length)) {
      if (count <= this.#limit || group.others.length < 2) break;
      if (group.namespaceWatch !== undefined && !states.isListed(group.namespaceWatch.key)) {
        isWaiting = true;
        continue;
      }
      count -= group.others.length;
      this.#watchNamespace(group);
    }
    return { scopes: this.#scopesOf(groups, states), isWaiting };
  }

  #groupsOf(needed: readonly InformerScope[], wide: readonly InformerScope[]): readonly NamedGroup[] {
    const groups = new Map<string, NamedGroup>();
    for (const scope of needed) {
      const base = withoutNames(scope);
      const key = scopeKey(base);
      const group = groups.get(key) ?? { scope: base, names: new Set(), others: [], namespaceWatch: undefined };
      for (const name of scope.names?.names ?? []) group.names.add(name);
      groups.set(key, group);
    }
    for (const [key, { scope }] of groups) if (wide.some((outer) => coversScope(outer, scope))) groups.delete(key);
    for (const key of this.#namespaceWatches.keys()) if (!groups.has(key)) this.#namespaceWatches.delete(key);
    for (const [key, group] of groups) {
      group.namespaceWatch = this.#usefulWatch(key, group.names);
      const kept = group.namespaceWatch?.scope.names?.names;
      group.others = [...group.names].filter((name) => kept?.has(name) !== true);
    }
    return [...groups.values()];
  }

  /** Returns the watch of a namespace if more than half of its names are still selected. Otherwise removes the watch from the plan. */
  #usefulWatch(key: string, needed: ReadonlySet<string>): PlannedScope | undefined {
    const watch = this.#namespaceWatches.get(key);
    const kept = watch?.scope.names?.names ?? new Set<string>();
    let used = 0;
    for (const name of kept) if (needed.has(name)) used++;
    if (used * 2 > kept.size) return watch;
    this.#namespaceWatches.delete(key);
    return undefined;
  }

  #watchNamespace(group: NamedGroup): void {
    const names: NameSelection = { key: `names ${++this.#count}`, names: new Set(group.names) };
    group.namespaceWatch = planned({ ...group.scope, names });
    group.others = [];
    this.#namespaceWatches.set(scopeKey(group.scope), group.namespaceWatch);
  }

  #scopesOf(groups: readonly NamedGroup[], { isOpen }: WatchStates): readonly PlannedScope[] {
    const scopes: PlannedScope[] = [];
    const closed: { readonly scope: PlannedScope; readonly isOnly: boolean }[] = [];
    let count = 0;
    for (const { scope, others, namespaceWatch } of groups) {
      if (namespaceWatch !== undefined) scopes.push(namespaceWatch);
      for (const name of others) {
        const single = planned({ ...scope, names: { key: `name ${name}`, names: new Set([name]) } });
        if (!isOpen(single.key)) closed.push({ scope: single, isOnly: others.length === 1 });
        else {
          count++;
          scopes.push(single);
        }
      }
    }
    for (const { scope, isOnly } of closed) if (isOnly || count++ < this.#limit) scopes.push(scope);
    return scopes;
  }
}

function planned(scope: InformerScope): PlannedScope {
  return { key: scopeKey(scope), scope };
}
