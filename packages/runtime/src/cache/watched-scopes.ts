import type { KubeObject } from '@kubewright/api';
import type { InformerScope } from './informer-selection.js';
import { isNewer } from './overlay.js';
import type { ReflectorState, ReflectorStatus } from './reflector-status.js';
import type { WatchedScope } from './watched-scope.js';

/** The worst first. */
const STATES: readonly ReflectorState['name'][] = ['stopped', 'waiting', 'idle', 'listing', 'streaming', 'watching'];

/** The scopes of an informer by their keys, and how they stand together. */
export class WatchedScopes<T extends KubeObject> implements Iterable<WatchedScope<T>> {
  readonly #kind: string;
  readonly #scopes = new Map<string, WatchedScope<T>>();

  constructor(kind: string) {
    this.#kind = kind;
  }

  [Symbol.iterator](): IterableIterator<WatchedScope<T>> {
    return this.#scopes.values();
  }
  get(key: string): WatchedScope<T> | undefined {
    return this.#scopes.get(key);
  }
  add(scope: WatchedScope<T>): void {
    this.#scopes.set(scope.key, scope);
  }
  /** Removes the scope of a key, and returns it. */
  take(key: string): WatchedScope<T> | undefined {
    const scope = this.#scopes.get(key);
    this.#scopes.delete(key);
    return scope;
  }
  /** The scopes to which objects of a namespace may belong. */
  of(namespace: string | undefined): readonly WatchedScope<T>[] {
    return [...this.#scopes.values()].filter((scope) => scope.covers(namespace));
  }

  /** What the server selects for each of them. */
  get selected(): readonly Pick<InformerScope, 'namespace' | 'labels' | 'fields'>[] {
    return [...this].map(({ source }) => {
      const { namespace, labelSelector: labels, fieldSelector: fields } = source;
      return { namespace, labels, fields };
    });
  }
  get isSynced(): boolean {
    for (const scope of this.#scopes.values()) if (!scope.isSynced) return false;
    return true;
  }
  /** The oldest version among these; empty while one has none. */
  versionOf(scopes: readonly WatchedScope<T>[]): string {
    const versions = scopes.map((scope) => scope.resourceVersion);
    if (versions.length === 0 || versions.includes('')) return '';
    return versions.reduce((oldest, version) => (isNewer(oldest, version) ? version : oldest));
  }
  /** The status of the scope that fares worst of these; of one that has a problem, if any has. */
  statusOf(scopes: readonly WatchedScope<T>[]): ReflectorStatus {
    const statuses = scopes.map((scope) => scope.status);
    const [any] = statuses;
    if (any === undefined) return this.#statusOfNone();
    const worst = statuses.reduce(
      (first, second) => (STATES.indexOf(second.state.name) < STATES.indexOf(first.state.name) ? second : first),
      any,
    );
    const shown =
      worst.problem === undefined ? (statuses.find(({ problem }) => problem !== undefined) ?? worst) : worst;
    return { ...shown, lists: sum(statuses, 'lists'), watches: sum(statuses, 'watches') };
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

function sum(statuses: readonly ReflectorStatus[], count: 'lists' | 'watches'): number {
  return statuses.reduce((total, status) => total + status[count], 0);
}
