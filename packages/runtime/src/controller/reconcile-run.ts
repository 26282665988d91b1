import type { KubeObject } from '@kubewright/api';
import type { ReconcileContext } from './reconcile-context.js';
import type { RunLimit } from './run-limit.js';

/** One run on one object, from the dequeuing of its key to its end. */
export interface ReconcileRun {
  readonly id: string;
  readonly limit: RunLimit;
  readonly context: ReconcileContext;
  /** The start on the monotonic clock. */
  readonly startedMs: number;
  /** The handlers of changes that arrived during the run. Whether a change is an echo is known only when the run has ended. */
  readonly meanwhile: (() => void)[];
  /** The foreign objects that had the names of children. */
  readonly taken: KubeObject[];
  /** Whether the run calls `finalize`. */
  deleting: boolean;
  /** The object as the run knows it: the object that was passed to the run, or the response to its own writes. */
  known: KubeObject | undefined;
}
