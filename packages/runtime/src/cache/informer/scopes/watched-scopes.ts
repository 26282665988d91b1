import type { KubeObject } from '@kubewright/api';
import type { InformerScope } from '../../selection/informer-selection.js';
import { isNewer } from '../../store/overlay.js';
import type { ReflectorState, ReflectorStatus } from '../../reflector/reflector-status.js';
import type { WatchedScope } from './watched-scope.js';

/** The states of a reflector, from worst to best. */
const STATES: readonly ReflectorState['name'][] = ['stopped', 'waiting', 'idle', 'listing', 'streaming', 'watching'];

/** The scopes of an informer by key. Combines their versions and their statuses. */
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
  /** Removes the scope with this key, and returns the scope. Returns undefined if there is no such scope. */
  take(key: string): WatchedScope<T> | undefined {
    const scope = this.#scopes.get(key);
    this.#scopes.delete(key);
    return scope;
  }
  /** Returns the scopes that contain objects of this namespace. */
  of(namespace: string | undefined): readonly WatchedScope<T>[] {
    return [...this.#scopes.values()].filter((scope) => scope.covers(namespace));
  }

  /** The namespaces and selectors of the scopes. */
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
  /** Returns the oldest version of these scopes. Returns '' without scopes, and if the version of a scope is not known. */
  versionOf(scopes: readonly WatchedScope<T>[]): string {
    const versions = scopes.map((scope) => scope.resourceVersion);
    if (versions.length === 0 || versions.includes('')) return '';
    return versions.reduce((oldest, version) => (isNewer(oldest, version) ? version : oldest));
  }
  /**
   * Returns the worst status of these scopes, with the total numbers of lists and watches. If the worst status has no problem but another
   * status has a problem, returns the other status.
   */
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

  /** Returns the status of an informer without scopes, for example after the last namespace was removed. Such an informer is synced. */
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
