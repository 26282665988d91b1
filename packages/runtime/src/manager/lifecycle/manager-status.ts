import type { ReflectorState, ReflectorStatus } from '../../cache/reflector/reflector-status.js';
import type { ManagerState } from './lifecycle.js';

/** The status of an informer, as `manager.status()` returns it. */
export interface InformerStatus {
  readonly kind: string;
  /** The namespace that the informer watches. Undefined if it watches all namespaces. */
  readonly namespace: string | undefined;
  readonly state: ReflectorState['name'];
  /** Whether the first list is complete. */
  readonly synced: boolean;
  /** Why the objects are not available, with the fix. Undefined if the objects are available. */
  readonly problem: string | undefined;
}
/** The status of the queue of a controller. */
export interface QueueStatus {
  readonly controller: string;
  /** Whether the controller reconciles. On a replica that is not the leader, the queue is filled but not processed. */
  readonly working: boolean;
  /**
   * The number of keys that are ready to be reconciled. `delayed` is the number of keys that are not due yet, and `processing` the number
   * of keys that are being reconciled.
   */
  readonly ready: number;
  readonly delayed: number;
  readonly processing: number;
}
/** Whether a component is ready, and if not, why. */
export interface Readiness {
  /** Whether the component is ready. */
  readonly ready: boolean;
  /** Why the component is not ready, as sentences with the fix. The list is empty if the component is ready. */
  readonly reasons: readonly string[];
}
/** The status of a manager and its components, as `manager.status()` returns it. */
export interface ManagerStatus {
  readonly state: ManagerState;
  readonly isLeader: boolean;
  /** The identity of the last known leader. Undefined without leader election. */
  readonly leader: string | undefined;
  readonly informers: readonly InformerStatus[];
  readonly queues: readonly QueueStatus[];
  /** The addresses of the endpoints that listen, by name: 'metrics', 'health', 'profiling', 'webhooks'. */
  readonly endpoints: Readonly<Record<string, { readonly host: string; readonly port: number }>>;
}

export function informerStatus({ kind, namespace, state, synced, problem }: ReflectorStatus): InformerStatus {
  return { kind, namespace, state: state.name, synced, problem: problem?.message };
}
