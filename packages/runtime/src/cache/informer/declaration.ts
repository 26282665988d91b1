import type { KubeObject } from '@kubewright/api';
import type { Change } from '../store/change.js';
import { filteredChange } from './handlers/filtered-handler.js';
import type { InformerScope } from '../selection/informer-selection.js';
import type { HandlerView } from './handlers/informer-handlers.js';
import type { SharedInformer } from './shared-informer.js';
import { coveredPart, coverNames, coversScope, isInScope, scopeKey, scopeMatcher } from '../selection/scope-cover.js';
import { SyncGate } from './sync-gate.js';
import type { WatchedScope } from './scopes/watched-scope.js';

/** A scope of a declaration, with a function that tests whether an object is in the scope. */
interface DeclaredScope {
  readonly scope: InformerScope;
  readonly key: string;
  /** Returns whether an object is in the scope. Undefined if only the server can determine this. */
  readonly matches: ((object: KubeObject) => boolean) | undefined;
}

/**
 * The objects of a kind that one user of an informer has declared. The informer may contain more objects. A declaration selects its objects
 * from the informer, and converts the changes of the informer. If an object enters the selection, the change is an addition. If an object
 * leaves the selection, the change is a deletion with the last selected state.
 */
export class Declaration<T extends KubeObject> implements HandlerView<T> {
  readonly #informer: SharedInformer<T>;
  readonly #synced = new SyncGate();
  #scopes: readonly DeclaredScope[];
  #selectsAll = false;
  /** Whether the scopes are not set yet. */
  #isPending: boolean;
  /** The keys of the watched scopes that deliver objects of this declaration. */
  #feeds: ReadonlySet<string> = new Set();

  /** Without scopes, the declaration selects nothing, and is not synced before `reselect` is called. */
  constructor(informer: SharedInformer<T>, scopes?: readonly InformerScope[]) {
    this.#informer = informer;
    this.#isPending = scopes === undefined;
    this.#scopes = (scopes ?? []).map(declared);
  }

  get scopes(): readonly InformerScope[] {
    return this.#scopes.map(({ scope }) => scope);
  }
  get isSynced(): boolean {
    return this.#synced.isPassed;
  }
  /** Resolves when all objects of the declaration are listed for the first time. */
  synced(): Promise<void> {
    return this.#synced.passed();
  }

  /** Returns whether the declaration selects an object of the informer. */
  readonly selects = (object: T): boolean => {
    if (this.#selectsAll) return true;
    return this.#scopes.some(({ key, scope, matches }) => {
      if (matches !== undefined) return matches(object);
      return isInScope(scope, object.metadata.namespace) && this.#informer.isIn(key, object);
    });
  };

  /** Returns whether the fields of an object are sufficient to determine that the declaration selects the object. */
  readonly #matches = (object: T): boolean => this.#scopes.some(({ matches }) => matches?.(object) === true);

  /** Whether the declaration selects all objects of the informer, so that its objects need not be filtered. */
  get selectsAll(): boolean {
    return this.#selectsAll;
  }

  list(): readonly T[] {
    const objects = this.#informer.list({ ownWrites: false });
    return this.#selectsAll ? objects : objects.filter(this.selects);
  }

  see(change: Change<T>): Change<T> | undefined {
    const seen = this.#selectsAll ? change : filteredChange(this.#matches, change);
    return seen?.type === 'added' && seen.initial && this.isSynced ? { ...seen, initial: false } : seen;
  }

  follows({ key }: WatchedScope<T>): boolean {
    return this.#scopes.some((scope) => scope.matches === undefined && scope.key === key);
  }

  /** Replaces the scopes. Handlers receive additions and deletions for objects that enter or leave the selection. */
  reselect(scopes: readonly InformerScope[]): void {
    const before = new Set(this.list());
    const initial = this.#isPending;
    this.#isPending = false;
    this.#scopes = scopes.map(declared);
    this.#selectsAll = false;
    const now = new Set(this.list());
    const left = [...before].filter((object) => !now.has(object));
    const entered = [...now].filter((object) => !before.has(object));
    this.#informer.deliverTo(this, [
      ...left.map((object) => ({ type: 'deleted', object, stale: true }) as const),
      ...entered.map((object) => ({ type: 'added', object, initial }) as const),
    ]);
  }

  /** Returns whether the watched scope with this key delivers objects of this declaration. */
  isFedBy(key: string): boolean {
    return this.#feeds.has(key);
  }

  /** Updates which watched scopes deliver objects of this declaration. */
  follow(watched: readonly InformerScope[]): void {
    const scopes = this.scopes;
    const feeds = watched.filter((outer) => scopes.some((scope) => coveredPart(outer, scope) !== undefined));
    this.#feeds = new Set(feeds.map(scopeKey));
    this.#selectsAll =
      this.#scopes.every(({ matches }) => matches !== undefined) &&
      watched.every((outer) => scopes.some((scope) => coversScope(scope, outer)));
    this.checkSynced(watched);
  }

  /** Updates whether all objects of the declaration are listed. `watched` contains the scopes of the informer. */
  checkSynced(watched: readonly InformerScope[]): void {
    const listed = watched.filter((scope) => this.#informer.scopes.get(scopeKey(scope))?.isSynced);
    const missing = this.#scopes.filter(({ scope }) => !coverNames(listed, scope));
    const isSynced = !this.#isPending && missing.length === 0;
    // Referenced objects that are not listed yet are read from the API server. Missing names therefore do not affect whether the
    // declaration is synced.
    const isReadable = missing.every(({ scope }) => scope.names !== undefined);
    if (isSynced && !this.#synced.isPassed) this.#synced.pass();
    else if (!isReadable && this.#synced.isPassed) this.#synced.shut();
  }

  /** Rejects all waits for the first list with this reason. */
  close(reason: unknown): void {
    this.#synced.close(reason);
  }
}

function declared(scope: InformerScope): DeclaredScope {
  return { scope, key: scopeKey(scope), matches: scopeMatcher(scope) };
}
