import type { KubeObject } from '@kubewright/api';
import type { LeaseRecord } from './lease-record.js';

/**
 * Stores the leader record of an election. A candidate always reads and writes the whole record. A write succeeds only if the record has
 * not changed since the candidate last read or wrote the record. By default, the record is a Lease of the API server. Implement this
 * interface to store the record elsewhere.
 *
 * Each method should end when its signal is aborted. If a method does not end, the election ignores the result of the method.
 */
export interface LeaseLock {
  /** The name of the lock in logs, errors and metrics, such as 'Lease apps/my-operator'. */
  readonly name: string;
  /** The object to which events about the election refer. Undefined before the first read or write. @default no events */
  readonly object?: KubeObject | undefined;
  /** Reads the current record, without a cache. Resolves with undefined if the record does not exist. */
  get(signal: AbortSignal): Promise<LeaseRecord | undefined>;
  /** Creates the record. Rejects if the record already exists. */
  create(record: LeaseRecord, signal: AbortSignal): Promise<void>;
  /**
   * Replaces the record. Rejects with an error for which `isConflict` returns true if the record has changed since this object last read or
   * wrote it.
   */
  update(record: LeaseRecord, signal: AbortSignal): Promise<void>;
}
