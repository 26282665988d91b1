import type { KubeObject } from '@kubewright/api';
import { Declaration } from './declaration.js';
import { fieldSelectorText } from '../selection/field-match.js';
import type { InformerScope } from '../selection/informer-selection.js';
import type { SharedInformer } from './shared-informer.js';
import { isNewer } from '../store/overlay.js';
import { NamePlan } from '../selection/name-plan.js';
import { coveredPart, coverNames, coversScope, isWholeScope, scopeMatcher } from '../selection/scope-cover.js';
import { type PlannedScope, planScopes } from '../selection/scope-plan.js';
import type { ScopeOptions } from './scopes/watched-scope.js';

/**
 * The declarations of one kind, and the watches that cover them. When declarations are added or removed, replaces watches as needed.
 * Objects that are already covered are not listed again. A watch ends only after other watches have reached the same version for all of its
 * objects that are still declared.
 */
export class KindDeclarations {
  readonly #informer: () => SharedInformer<KubeObject>;
  readonly #scopeOptions: (scope: InformerScope) => ScopeOptions<KubeObject>;
  readonly #declarations = new Set<Declaration<KubeObject>>();
  readonly #open = new Map<string, InformerScope>();
  readonly #namePlan: NamePlan;
  #expected: readonly InformerScope[] = [];
  #planned: readonly PlannedScope[] = [];
  /** Whether referenced names wait for the list of their namespace. */
  #isNameWaiting = false;
  #version = 0;
  /** The scopes that are listed. Undefined if they must be calculated again. */
  #listedScopes: readonly InformerScope[] | undefined;

  constructor(
    informer: () => SharedInformer<KubeObject>,
    using: {
      readonly scopeOptions: (scope: InformerScope) => ScopeOptions<KubeObject>;
      /** The maximum number of referenced objects that are watched by name. */
      readonly maxNamedWatches: number;
    },
  ) {
    this.#informer = informer;
    this.#scopeOptions = using.scopeOptions;
    this.#namePlan = new NamePlan(using.maxNamedWatches);
  }

  get isEmpty(): boolean {
    return this.#declarations.size === 0;
  }
  /** The scopes that are watched. */
  get watched(): readonly InformerScope[] {
    return [...this.#open.values()];
  }

  /** Adds a declaration of these scopes. Without scopes, the declaration selects nothing, and is not synced before `reselect` is called. */
  declare(scopes?: readonly InformerScope[]): Declaration<KubeObject> {
    const declaration = new Declaration(this.#informer(), scopes);
    this.#declarations.add(declaration);
    void this.#plan();
    return declaration;
  }

  /** Removes a declaration. Resolves when the watches that are no longer needed have ended. */
  async release(declaration: Declaration<KubeObject>): Promise<void> {
    this.#declarations.delete(declaration);
    if (!this.isEmpty) await this.#plan();
  }

  /** Replaces the scopes of a declaration. Resolves when the watches that are no longer needed have ended. */
  async reselect(declaration: Declaration<KubeObject>, scopes: readonly InformerScope[]): Promise<void> {
    declaration.reselect(scopes);
    const planned = this.#plan();
    this.#informer().pushSynced();
    await planned;
  }

  /**
   * Sets the scopes that are expected to be declared later. The watches also cover these scopes, so that wider watches need not replace the
   * current watches later. The next call replaces the expected scopes.
   */
  expect(scopes: readonly InformerScope[]): void {
    this.#expected = scopes;
    if (!this.isEmpty) void this.#plan();
  }

  /** Rejects all waits for the first lists of the declarations with this reason. */
  close(reason: unknown): void {
    for (const declaration of this.#declarations) declaration.close(reason);
  }

  /** Records that a scope was listed for the first time. */
  onSync(): void {
    this.#changed();
    for (const declaration of this.#declarations) declaration.checkSynced(this.watched);
    if (this.#isNameWaiting) void this.#plan();
  }

  /** Ends the watches that other watches have replaced. Call this method when a watch has advanced. */
  onStep(): void {
    if (this.#planned.length < this.#open.size) void this.#retire();
  }

  /** A number that increases when the result of `hasListed` may have changed. */
  get version(): number {
    return this.#version;
  }

  /** Returns whether the listed scopes contain all objects of a scope. */
  hasListed(scope: InformerScope): boolean {
    return covered(this.#listed(), scope);
  }
  /** Returns whether the watched scopes contain all objects of a scope, or will contain them after their lists. */
  isWatched(scope: InformerScope): boolean {
    return covered(this.watched, scope);
  }
  /**
   * Returns whether a listed scope would contain the object with this name if the object existed. If so, an object that is not cached does
   * not exist.
   */
  hasListedKey(name: string, namespace: string | undefined): boolean {
    const listed = this.#listed();
    if (
      listed.some(
        (scope) => isWholeScope(scope) && scopeMatcher(scope)?.({ metadata: { name, namespace } } as KubeObject),
      )
    )
      return true;
    const fields = fieldSelectorText({ 'metadata.name': name });
    return listed.some(
      (scope) =>
        scope.fields !== undefined &&
        coversScope(scope, { ...scope, namespace, except: [], labels: undefined, fields }),
    );
  }

  /** Returns whether a declaration selects the object with this name as a referenced object. */
  isReferenced(name: string, namespace: string | undefined): boolean {
    const object = { metadata: { name, namespace } } as KubeObject;
    return [...this.#declarations].some(({ scopes }) =>
      scopes.some((scope) => scope.names !== undefined && scopeMatcher(scope)?.(object)),
    );
  }

  #listed(): readonly InformerScope[] {
    if (this.#listedScopes === undefined) {
      const { scopes } = this.#informer();
      this.#listedScopes = [...this.#open].flatMap(([key, scope]) =>
        scopes.get(key)?.isSynced === true ? [scope] : [],
      );
    }
    return this.#listedScopes;
  }
  #changed(): void {
    this.#version++;
    this.#listedScopes = undefined;
  }

  #plan(): Promise<void> {
    const needed = [...this.#declarations].flatMap(({ scopes }) => scopes);
    const open = [...this.#open].filter(([, { names }]) => names === undefined);
    const wide = planScopes([...needed.filter(({ names }) => names === undefined), ...this.#expected], new Map(open));
    const named = this.#namePlan.plan(
      needed.filter(({ names }) => names !== undefined),
      wide.map(({ scope }) => scope),
      {
        isOpen: (key) => this.#open.has(key),
        isListed: (key) => this.#informer().scopes.get(key)?.isSynced === true,
      },
    );
    this.#planned = [...wide, ...named.scopes];
    this.#isNameWaiting = named.isWaiting;
    for (const { key, scope } of this.#planned) {
      if (this.#open.has(key)) continue;
      this.#open.set(key, scope);
      this.#informer().addScope({ ...this.#scopeOptions(scope), key });
    }
    return this.#retire();
  }

  /**
   * Ends the watches that are not in the plan. If the objects of a watch are still needed, keeps the watch until other watches have reached
   * its version.
   */
  async #retire(): Promise<void> {
    const planned = new Set(this.#planned.map(({ key }) => key));
    const retired = [...this.#open].filter(([key, scope]) => !planned.has(key) && !this.#isNeeded(key, scope));
    for (const [key] of retired) this.#open.delete(key);
    this.#changed();
    const ended = retired.map(([key]) => this.#informer().removeScope(key));
    for (const declaration of this.#declarations) declaration.follow(this.watched);
    await Promise.all(ended);
  }

  #isNeeded(key: string, scope: InformerScope): boolean {
    const { scopes } = this.#informer();
    const own = scopes.get(key);
    if (own === undefined || !own.isSynced) return false;
    const requested = [...this.#declarations].flatMap((each) =>
      each.scopes.flatMap((of) => coveredPart(scope, of) ?? []),
    );
    const coveredSoFar = this.#planned.flatMap((planned) => {
      const other = scopes.get(planned.key);
      return other?.isSynced === true && !isNewer(own.resourceVersion, other.resourceVersion) ? [planned.scope] : [];
    });
    return requested.some((part) => !coverNames(coveredSoFar, part));
  }
}

/**
 * Whether the scopes contain all objects of a scope. Either one scope contains them, or a scope of all namespaces with exceptions contains
 * them together with the scopes of the excluded namespaces.
 */
function covered(scopes: readonly InformerScope[], scope: InformerScope): boolean {
  const untransformed = scopes.map((outer) => ({ ...outer, transform: undefined }));
  const inOne = (part: InformerScope): boolean => coverNames(untransformed, { ...part, transform: undefined });
  if (inOne(scope)) return true;
  if (scope.namespace !== undefined) return false;
  return scopes.some(
    ({ namespace, except }) =>
      namespace === undefined &&
      except.length > 0 &&
      inOne({ ...scope, except }) &&
      except.every((each) => scope.except.includes(each) || inOne({ ...scope, namespace: each, except: [] })),
  );
}
