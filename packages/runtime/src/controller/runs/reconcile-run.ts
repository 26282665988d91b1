import { randomUUID } from 'node:crypto';
import type { KubeObject } from '@kubewright/api';
import type { Cause } from '../../queue/cause.js';
import { describeCause } from '../../queue/causes.js';
import type { ControllerDependencies } from './controller-dependencies.js';
import type { ReconcileContext } from '../reconciler/reconcile-context.js';
import type { ResolvedControllerOptions } from '../options/resolved-options.js';
import { RunLimit } from './run-limit.js';

/** One run on one object, from the dequeuing of its key to its end. */
export interface ReconcileRun {
  readonly id: string;
  readonly limit: RunLimit;
  readonly context: ReconcileContext;
  /** The start on the monotonic clock. */
  readonly startedMs: number;
  /** Handlers that run after the run, for changes that arrived during the run: only the complete run shows whether a change is an echo. */
  readonly meanwhile: (() => void)[];
  /** The objects of other owners that already had the name of a child. */
  readonly taken: KubeObject[];
  /** Whether the object is being deleted, so that the run calls the finalizers instead of `reconcile`. */
  deleting: boolean;
  /** The last state of the object that the run knows: from the cache, or from the response to a write of the run. */
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

/** Creates a run with a time limit that starts now, and the context for the reconciler. */
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
