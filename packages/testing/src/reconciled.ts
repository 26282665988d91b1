import type { AccessRecord, Result } from '@kubewright/runtime';
import type { Write } from '@kubewright/runtime/internal';
import type { RecordedEvent } from './observed-events.js';

/** What one reconcile did. */
export interface Reconciled<T> {
  readonly result: Result | undefined;
  /** What it threw, or undefined. */
  readonly error: unknown;
  /** The writes that the server accepted, in order. */
  readonly writes: readonly Write[];
  readonly events: readonly RecordedEvent[];
  /** The rights that its calls needed. Its reads are live ones here: where a manager reads from its cache, it needs list and watch. */
  readonly access: AccessRecord;
  /** The object after it; the one before where it is gone. */
  readonly object: T;
}
