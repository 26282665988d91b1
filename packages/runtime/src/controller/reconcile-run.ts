import type { KubeObject } from '@kubewright/api';
import type { ReconcileContext } from './reconcile-context.js';
import type { RunLimit } from './run-limit.js';

/** One run on one object, from when its key was taken until it is done. */
export interface ReconcileRun {
  readonly id: string;
  readonly limit: RunLimit;
  readonly context: ReconcileContext;
  /** By the monotonic clock. */
  readonly startedMs: number;
  /** What to do with the changes that came meanwhile; which of them are echoes is known when the run has ended. */
  readonly meanwhile: (() => void)[];
  /** The foreign objects that had the names of children. */
  readonly taken: KubeObject[];
  /** Whether it is `finalize` that runs. */
  deleting: boolean;
  /** The object as the run knows it: as it was given, or as its own writes made it. */
  known: KubeObject | undefined;
}
