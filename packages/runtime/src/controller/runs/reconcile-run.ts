import type { KubeObject, ObjectKey } from '@kubewright/api';
import { parseKey } from '../../cache/store/object-key.js';
import type { Logger } from '../../log/logger.js';
import type { Cause } from '../../queue/cause.js';
import { describeCause } from '../../queue/causes.js';
import { LazySignal } from '../../waiting/lazy-signal.js';
import type { ControllerDependencies } from './controller-dependencies.js';
import type { ReconcileContext } from '../reconciler/reconcile-context.js';
import type { ResolvedControllerOptions } from '../options/resolved-options.js';
import { RunLimit } from './run-limit.js';

/** A run on one object. Starts when a worker takes the key from the queue. */
export interface ReconcileRun {
  readonly id: string;
  /** The key of the object, parsed from `id`. */
  readonly key: ObjectKey;
  readonly limit: RunLimit;
  readonly context: ReconcileContext;
  /** The time of the start on the monotonic clock, in milliseconds. */
  readonly startedMs: number;
  /**
   * Functions to call after the run. They process the changes that arrived during the run, because the controller can recognize the echoes
   * of a run only after the run.
   */
  readonly meanwhile: (() => void)[];
  /** The objects that already use the name of a child but that the reconciled object does not control. */
  readonly taken: KubeObject[];
  /** Whether the object is being deleted. The run then calls the finalizers instead of `reconcile`. */
  deleting: boolean;
  /** The latest known state of the object: from the cache, or from the response to a write of the run. */
  known: KubeObject | undefined;
}

/** The parameters of a new run. */
export interface RunStart {
  readonly id: string;
  readonly causes: readonly Cause[];
  readonly attempt: number;
  /** The current time on the monotonic clock, in milliseconds. */
  readonly startedMs: number;
}

/** Creates a run with its context. The time limit of the run starts immediately. */
export function newRun(
  { id, causes, attempt, startedMs }: RunStart,
  { name, kindName, timeoutMs }: Pick<ResolvedControllerOptions, 'name' | 'kindName' | 'timeoutMs'>,
  { clock, logger }: Pick<ControllerDependencies, 'clock' | 'logger'>,
): ReconcileRun {
  const limit = new RunLimit(clock, timeoutMs);
  const log = logger.with({
    controller: name,
    object: `${kindName} ${id}`,
    reconcileId: clock.random.uuid(),
    causes: causes.map(describeCause),
  });
  const { current } = limit;
  const context = Object.freeze(new RunContext({ log, causes, attempt }, () => current.signal));
  return {
    id,
    key: parseKey(id),
    limit,
    context,
    startedMs,
    meanwhile: [],
    taken: [],
    deleting: false,
    known: undefined,
  };
}

class RunContext extends LazySignal implements ReconcileContext {
  readonly log: Logger;
  readonly causes: readonly Cause[];
  readonly attempt: number;

  constructor({ log, causes, attempt }: Omit<ReconcileContext, 'signal'>, signal: () => AbortSignal) {
    super(signal);
    this.log = log;
    this.causes = causes;
    this.attempt = attempt;
  }
}
