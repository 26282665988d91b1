import type { KubeObject } from '@kubewright/api';
import type { LeaseRecord } from './lease-record.js';

/**
 * Where candidates see who leads: one record that is read whole and written only by who has seen its present state. A Lease of
 * the API server by default; write one of your own to elect a leader elsewhere.
 *
 * Every method should end when its signal is aborted; one that does not is left behind, and its result is not used.
 */
export interface LeaseLock {
  /** What it is called in logs, errors and metrics, such as 'Lease apps/my-operator'. */
  readonly name: string;
  /** What events about leading are recorded on, once it was read or written. @default no events */
  readonly object?: KubeObject | undefined;
  /** The record as it is now, not from a cache; undefined when there is none. */
  get(signal: AbortSignal): Promise<LeaseRecord | undefined>;
  /** Makes the record. Rejects when there is one. */
  create(record: LeaseRecord, signal: AbortSignal): Promise<void>;
  /** Replaces the record. Rejects, with an error that `isConflict` knows, when it is not the one that was last read or written here. */
  update(record: LeaseRecord, signal: AbortSignal): Promise<void>;
}
