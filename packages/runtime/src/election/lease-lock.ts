import type { KubeObject } from '@kubewright/api';
import type { LeaseRecord } from './lease-record.js';

/**
 * The storage of the leader record. Candidates read the whole record, and write it only if they have read its current state. The default is
 * a Lease of the API server. Implement this interface to store the record elsewhere.
 *
 * Every method should end when its signal is aborted. Otherwise the election abandons the call and ignores its result.
 */
export interface LeaseLock {
  /** The name in logs, errors and metrics, such as 'Lease apps/my-operator'. */
  readonly name: string;
  /** The object that Events about the election refer to; undefined until the first read or write. @default no Events */
  readonly object?: KubeObject | undefined;
  /** Reads the current record, not from a cache. Resolves with undefined if the record does not exist. */
  get(signal: AbortSignal): Promise<LeaseRecord | undefined>;
  /** Creates the record. Rejects if the record exists. */
  create(record: LeaseRecord, signal: AbortSignal): Promise<void>;
  /**
   * Replaces the record. Rejects with an error for which `isConflict` returns true if the current record is not the record that this object
   * last read or wrote.
   */
  update(record: LeaseRecord, signal: AbortSignal): Promise<void>;
}
