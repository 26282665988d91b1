import type { KubeObject, ObjectKey } from '@kubewright/api';
import type { Clock } from '@kubewright/api/clock';
import { KubewrightError } from '@kubewright/api/errors';
import { boundedWait } from '../../waiting/bounded-wait.js';
import type { Change } from '../store/change.js';
import { formatKey } from '../store/object-key.js';
import { isNewer } from '../store/overlay.js';
import type { ScopedChanges } from '../store/scoped-store.js';
import type { WatchedScope } from './scopes/watched-scope.js';
import type { WatchedScopes } from './scopes/watched-scopes.js';

/** The maximum time for which a read waits for the watches. After this time, the read is sent to the API server. */
const CATCH_UP_TIMEOUT = '1s';

/** Changes that a store has applied and is about to deliver to its handlers. */
export interface Delivery<T extends KubeObject> extends ScopedChanges<T> {
  /** The newest version of the scope that delivers the changes. */
  readonly resourceVersion: string;
  /** Whether an object that leaves the scope was deleted. False if the scope selects by labels or by fields that can change. */
  readonly isWhole: boolean;
}

/** The state of an object that the other store has delivered. */
interface DeliveredState {
  readonly object: KubeObject;
  readonly resourceVersion: string;
  /** 'left' means that the object is no longer in the selection of the other store, but may still exist. */
  readonly type: 'present' | 'deleted' | 'left';
  /** Whether the version is the version of a list, which can be newer than the change itself. */
  readonly isListed: boolean;
  /** Whether reads stopped waiting for this state, because a read has waited until the timeout or the states were discarded. */
  isOverdue: boolean;
}

/**
 * 'reached' means that reads of this store return the state or a newer state. 'awaited' means that a watch will deliver the state.
 * 'unknown' means that the watches may never deliver the state, or that reads stopped waiting for it.
 */
type Progress = 'reached' | 'awaited' | 'unknown';

/** The objects of a read: one object, the objects of a namespace, or all objects. */
export interface ReadObjects {
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
}
/** The options of `caughtUp`. */
export interface CatchUpOptions {
  /** Aborts the wait. `caughtUp` accesses this option only if it has to wait. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Records the states that the other store of a kind has delivered to its handlers. A kind can have a store of whole objects and a store of
 * metadata. Their watches are independent, so one store can be behind the other. If an event of the other store leads to a read, the read
 * waits until this store has the state of the event. If there is only one store, nothing is recorded.
 */
export class DeliveredStates<T extends KubeObject> {
  readonly #scopes: WatchedScopes<T>;
  readonly #read: (key: ObjectKey) => KubeObject | undefined;
  readonly #clock: Clock;
  /** The states by key, with the oldest first. */
  readonly #states = new Map<string, DeliveredState>();
  readonly #waiting = new Set<() => void>();

  /** `read` returns the object that a read of this store would return. */
  constructor(using: {
    readonly scopes: WatchedScopes<T>;
    readonly read: (key: ObjectKey) => KubeObject | undefined;
    readonly clock: Clock;
  }) {
    this.#scopes = using.scopes;
    this.#read = using.read;
    this.#clock = using.clock;
  }

  /** Whether no states are recorded, so that every object can be read immediately. */
  get isEmpty(): boolean {
    return this.#states.size === 0;
  }

  /** Records the changes that the other store is about to deliver. */
  note({ changes, ofScope, resourceVersion, isWhole }: Delivery<KubeObject>): void {
    for (const change of changes) this.#add(stateAfter(change, { resourceVersion, isWhole }));
    for (const change of ofScope) {
      const state = stateAfter(change, { resourceVersion, isWhole: false });
      const known = this.#states.get(formatKey(change.object.metadata));
      if (known === undefined || isNewer(state.resourceVersion, known.resourceVersion)) this.#add(state);
    }
  }

  /**
   * Discards the oldest states, up to the first state that reads of this store have not reached yet. Then checks the waiting reads again.
   * Call this method when a watch has advanced.
   */
  progressed(): void {
    for (const [key, state] of this.#states) {
      if (!this.#isOver(state)) break;
      this.#states.delete(key);
    }
    for (const check of this.#waiting) check();
  }

  /** Discards all states. Waiting reads are sent to the API server. */
  clear(): void {
    for (const state of this.#states.values()) state.isOverdue = true;
    this.#states.clear();
    for (const check of this.#waiting) check();
  }

  /**
   * Returns undefined if these objects can be read immediately. Otherwise, resolves with true when they can be read from this store, or
   * with false if they must be read from the API server. Resolves with false after `CATCH_UP_TIMEOUT`. Rejects with the reason of the
   * signal if the signal is aborted.
   */
  caughtUp(objects: ReadObjects, options?: CatchUpOptions): Promise<boolean> | undefined {
    if (this.isEmpty) return undefined;
    const missing = this.#statesOf(objects).filter((state) => this.#progressOf(state) !== 'reached');
    if (missing.length === 0) return undefined;
    return this.#reached(missing, options?.signal);
  }

  async #reached(missing: readonly DeliveredState[], signal: AbortSignal | undefined): Promise<boolean> {
    try {
      return await boundedWait<boolean>(
        { timeout: CATCH_UP_TIMEOUT, ...(signal !== undefined && { signal }) },
        {
          clock: this.#clock,
          begin: ({ found }) => {
            const check = (): void => {
              const progress = missing.map((state) => this.#progressOf(state));
              if (progress.includes('unknown')) found(false);
              else if (!progress.includes('awaited')) found(true);
            };
            this.#waiting.add(check);
            check();
            return () => this.#waiting.delete(check);
          },
          tooLate: () =>
            new KubewrightError('NOT_OBSERVED', 'the watch did not deliver the states of the other store in time'),
        },
      );
    } catch (error) {
      if (!(error instanceof KubewrightError) || error.code !== 'NOT_OBSERVED') throw error;
      for (const state of missing) state.isOverdue = true;
      return false;
    }
  }

  #add(state: DeliveredState): void {
    const key = formatKey(state.object.metadata);
    this.#states.delete(key);
    this.#states.set(key, state);
  }

  #statesOf({ name, namespace }: ReadObjects): readonly DeliveredState[] {
    if (name !== undefined) {
      const state = this.#states.get(formatKey({ name, namespace }));
      return state === undefined ? [] : [state];
    }
    const states = [...this.#states.values()];
    return namespace === undefined ? states : states.filter(({ object }) => object.metadata.namespace === namespace);
  }

  #progressOf(state: DeliveredState): Progress {
    if (this.#isOver(state)) return 'reached';
    if (state.isOverdue) return 'unknown';
    const { object, type } = state;
    const isUncertain = type === 'left' && state.isListed;
    // The watch that delivered the older state will also deliver the newer state.
    if (this.#read(object.metadata) !== undefined) return isUncertain ? 'unknown' : 'awaited';
    // The watch of a tracked scope does not show that an object is missing, because it selects by fields that can change.
    const scopes = this.#pending(state).filter(({ isTracked }) => !isTracked);
    const selecting = scopes.filter((scope) => scope.isSelected(object));
    if (type === 'present') return selecting.length > 0 ? 'awaited' : 'reached';
    if (type === 'deleted' || scopes.length === 0) return 'reached';
    return !isUncertain && selecting.some(({ source }) => source.labelSelector === undefined) ? 'awaited' : 'unknown';
  }

  /** Whether this store can only return the given state or a newer state. */
  #isOver(state: DeliveredState): boolean {
    const read = this.#read(state.object.metadata);
    if (read !== undefined && !isNewer(state.resourceVersion, read.metadata.resourceVersion)) return true;
    return this.#pending(state).length === 0;
  }

  /** Returns the scopes that may contain the object and whose watches have not passed the state. */
  #pending({ object, resourceVersion }: DeliveredState): readonly WatchedScope<T>[] {
    return this.#scopes.of(object.metadata.namespace).filter((scope) => !scope.hasPassed(resourceVersion));
  }
}

function stateAfter(
  change: Change<KubeObject>,
  { resourceVersion: listed, isWhole }: Pick<Delivery<KubeObject>, 'resourceVersion' | 'isWhole'>,
): DeliveredState {
  const { object } = change;
  const { resourceVersion } = object.metadata;
  if (change.type !== 'deleted') return { object, resourceVersion, type: 'present', isListed: false, isOverdue: false };
  const isListed = change.stale;
  const type = isWhole ? 'deleted' : 'left';
  return { object, resourceVersion: isListed ? listed : resourceVersion, type, isListed, isOverdue: false };
}
