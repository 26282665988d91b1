import type { ReflectorState, ReflectorStatus } from '../../cache/reflector/reflector-status.js';
import type { ManagerState } from './lifecycle.js';

/** The status of an informer. */
export interface InformerStatus {
  readonly kind: string;
  /** The listed namespace. Undefined for all namespaces. */
  readonly namespace: string | undefined;
  readonly state: ReflectorState['name'];
  /** Whether the initial list is complete. */
  readonly synced: boolean;
  /** The reason why the objects are unavailable, with the fix. Undefined while they are available. */
  readonly problem: string | undefined;
}
/** The status of a controller's queue. */
export interface QueueStatus {
  readonly controller: string;
  /** Whether the workers run. A replica that is not the leader only fills its queues. */
  readonly working: boolean;
  /** Number of keys that wait for a worker. `delayed` keys are not due yet; `processing` keys are being reconciled. */
  readonly ready: number;
  readonly delayed: number;
  readonly processing: number;
}
/** The readiness of a component. */
export interface Readiness {
  /** Whether the component is ready now. */
  readonly ready: boolean;
  /** The reasons why the component is not ready, as sentences with the fix. Empty when ready. */
  readonly reasons: readonly string[];
}
/** The current status of a manager and its components. */
export interface ManagerStatus {
  readonly state: ManagerState;
  readonly isLeader: boolean;
  /** The identity of the last known leader. Undefined without leader election. */
  readonly leader: string | undefined;
  readonly informers: readonly InformerStatus[];
  readonly queues: readonly QueueStatus[];
  /** The addresses of the endpoints, by name: 'metrics', 'health', 'profiling'. */
  readonly endpoints: Readonly<Record<string, { readonly host: string; readonly port: number }>>;
}

export function informerStatus({ kind, namespace, state, synced, problem }: ReflectorStatus): InformerStatus {
  return { kind, namespace, state: state.name, synced, problem: problem?.message };
}
