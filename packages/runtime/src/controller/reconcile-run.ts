import { randomUUID } from 'node:crypto';
import type { KubeObject } from '@kubewright/api';
import type { Cause } from '../queue/cause.js';
import { describeCause } from '../queue/causes.js';
import type { ControllerDependencies } from './controller-dependencies.js';
import type { ReconcileContext } from './reconcile-context.js';
import type { ResolvedControllerOptions } from './resolved-options.js';
import { RunLimit } from './run-limit.js';

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

/** The object, the causes and the start of a run. */
export interface RunStart {
  readonly id: string;
  readonly causes: readonly Cause[];
  readonly attempt: number;
  /** The current time of the monotonic clock. */
  readonly startedMs: number;
}

/** Starts a run: its time limit and the context of the reconciler. */
export function newRun(
  { id, causes, attempt, startedMs }: RunStart,
  { name, kindName, timeoutMs }: Pick<ResolvedControllerOptions, 'name' | 'kindName' | 'timeoutMs'>,
  { clock, logger }: Pick<ControllerDependencies, 'clock' | 'logger'>,
): ReconcileRun {
  const limit = new RunLimit(clock, timeoutMs);
  const log = logger.with({
    controller: name,
    object: `${kindName} ${id}`,
    reconcileId: randomUUID(),
    causes: causes.map(describeCause),
  });
  const context = Object.freeze({ log, signal: limit.signal, causes, attempt });
  return { id, limit, context, startedMs, meanwhile: [], taken: [], deleting: false, known: undefined };
}
