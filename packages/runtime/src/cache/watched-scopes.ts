import type { KubeObject } from '@kubewright/api';
import type { ObjectSource } from './object-source.js';
import { isNewer } from './overlay.js';
import type { ReflectorState, ReflectorStatus } from './reflector-status.js';
import type { WatchedScope } from './watched-scope.js';

/** The worst first. */
const STATES: readonly ReflectorState['name'][] = ['stopped', 'waiting', 'idle', 'listing', 'streaming', 'watching'];

/** The scopes of an informer by their namespace, and how they stand together. */
export class WatchedScopes<T extends KubeObject> implements Iterable<WatchedScope<T>> {
  readonly #kind: string;
  readonly #scopes = new Map<string | undefined, WatchedScope<T>>();

  constructor(kind: string) {
    this.#kind = kind;
  }

  [Symbol.iterator](): IterableIterator<WatchedScope<T>> {
    return this.#scopes.values();
  }
  has(namespace: string | undefined): boolean {
    return this.#scopes.has(namespace);
  }
  add(scope: WatchedScope<T>): void {
    this.#scopes.set(scope.namespace, scope);
  }
  /** Removes that of a namespace, and gives it. */
  take(namespace: string): WatchedScope<T> | undefined {
    const scope = this.#scopes.get(namespace);
    this.#scopes.delete(namespace);
    return scope;
  }
  /** The scope to which the objects of a namespace belong. */
  of(namespace: string | undefined): WatchedScope<T> | undefined {
    return this.#scopes.get(namespace) ?? this.#scopes.get(undefined);
  }

  /** The source of one of them, for what all have in common; undefined when the last one was removed. */
  get anySource(): ObjectSource<T> | undefined {
    return this.#scopes.values().next().value?.source;
  }
  /** The namespaces that are watched, each by itself; undefined for all. */
  get namespaces(): readonly string[] | undefined {
    const names = [...this.#scopes.keys()];
    return names.includes(undefined) ? undefined : (names as readonly string[]);
  }
  get isSynced(): boolean {
    for (const scope of this.#scopes.values()) if (!scope.isSynced) return false;
    return true;
  }
  /** The oldest version among them; empty while one has none. */
  get resourceVersion(): string {
    const versions = [...this].map((scope) => scope.resourceVersion);
    if (versions.length === 0 || versions.includes('')) return '';
    return versions.reduce((oldest, version) => (isNewer(oldest, version) ? version : oldest));
  }
  /** The status of the one that fares worst; of one that has a problem, if any has. */
  get status(): ReflectorStatus {
    const statuses = [...this].map((scope) => scope.status);
    const [any] = statuses;
    if (any === undefined) return this.#statusOfNone();
    const worst = statuses.reduce(
      (first, second) => (STATES.indexOf(second.state.name) < STATES.indexOf(first.state.name) ? second : first),
      any,
    );
    return worst.problem === undefined ? (statuses.find(({ problem }) => problem !== undefined) ?? worst) : worst;
  }

  /** An informer whose last namespace was removed has all that it shall have. */
  #statusOfNone(): ReflectorStatus {
    return {
      kind: this.#kind,
      state: { name: 'watching', resourceVersion: '' },
      synced: true,
      lists: 0,
      watches: 0,
      resourceVersion: '',
    };
  }
}
