import type { ReflectorState, ReflectorStatus } from '../cache/reflector-status.js';
import type { ManagerState } from './life-cycle.js';

/** How an informer fares. */
export interface InformerStatus {
  readonly kind: string;
  /** The namespace that is listed; undefined for all. */
  readonly namespace: string | undefined;
  readonly state: ReflectorState['name'];
  /** Whether its first objects are there. */
  readonly synced: boolean;
  /** Why its objects cannot be had at present, with the cure; undefined while they can. */
  readonly problem: string | undefined;
}
/** How the queue of a controller fares. */
export interface QueueStatus {
  readonly controller: string;
  /** Whether there are workers; a replica that is not elected only fills its queues. */
  readonly working: boolean;
  /** Keys that wait for a worker, that wait for their time, and that are worked on. */
  readonly ready: number;
  readonly delayed: number;
  readonly processing: number;
}
/** How a manager and its parts fare at this moment. */
export interface ManagerStatus {
  readonly state: ManagerState;
  readonly isLeader: boolean;
  /** The identity of the replica that leads, as far as it is known; undefined without leader election. */
  readonly leader: string | undefined;
  readonly informers: readonly InformerStatus[];
  readonly queues: readonly QueueStatus[];
  /** Where the endpoints listen, by name: 'metrics', 'health', 'profiling'. */
  readonly endpoints: Readonly<Record<string, { readonly host: string; readonly port: number }>>;
}

export function informerStatus({ kind, namespace, state, synced, problem }: ReflectorStatus): InformerStatus {
  return { kind, namespace, state: state.name, synced, problem: problem?.message };
}
