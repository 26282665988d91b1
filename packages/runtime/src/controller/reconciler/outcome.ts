import { isConflict, isStaleChild, KubewrightError, TerminalError } from '@kubewright/api/errors';
import type { CountedResult } from '../../metrics/controller-metrics.js';
import type { QueueAddOptions } from '../../queue/work-queue.js';
import type { Pause } from './pause.js';
import type { Result } from './result.js';

/** The outcome of one run on an object. */
export type Outcome =
  /** `reconcile` or `finalize` returned a result. */
  | { readonly kind: 'result'; readonly result: Result }
  /** The object was deleted, or is being deleted and has no finalizer of this controller. */
  | { readonly kind: 'forgotten' }
  /** The pause annotation pauses the object. */
  | { readonly kind: 'paused'; readonly pause: Pause }
  /**
   * Another writer changed the object, or the name of a child is still in use by a child of a deleted object that had the same name as this
   * object. The run is repeated and does not count as an error.
   */
  | { readonly kind: 'conflict'; readonly error: unknown }
  /** The operator was stopping during the run. */
  | { readonly kind: 'stopped' }
  | Failure;

/** The outcome of a run that threw an error. */
export interface Failure {
  readonly kind: 'error';
  readonly error: unknown;
  readonly terminal: TerminalError | undefined;
  /** The number of consecutive failures, including this failure. Set after the run. */
  readonly attempt?: number;
  /** Whether the object is not retried automatically after this failure. */
  readonly lastAttempt?: boolean;
  /** The result that `onError` returned. */
  readonly answer?: Result | undefined;
}

/** Returns the outcome of a run that threw an error. */
export function outcomeOfError(error: unknown): Outcome {
  for (const link of chain(error)) if (link instanceof TerminalError) return { kind: 'error', error, terminal: link };
  for (const link of chain(error)) if (isConflict(link) || isStaleChild(link)) return { kind: 'conflict', error };
  return { kind: 'error', error, terminal: undefined };
}

/** Returns the result under which an outcome is counted in the metrics. */
export function countedResult(
  outcome: Extract<Outcome, { readonly kind: 'result' | 'conflict' | 'error' }>,
): CountedResult {
  if (outcome.kind !== 'result') return outcome.kind;
  const { kind } = outcome.result;
  return kind === 'done' ? 'success' : kind === 'requeue' ? 'requeue' : 'requeue_after';
}

/** Returns the name of an outcome: the counted result, or the kind of an outcome that the metrics do not count. */
export function outcomeName(outcome: Outcome): string {
  const isCounted = outcome.kind === 'result' || outcome.kind === 'conflict' || outcome.kind === 'error';
  return isCounted ? countedResult(outcome) : outcome.kind;
}

/**
 * Whether an error indicates a bug in the reconciler and not a failure of its environment: a property of undefined, an undefined name,
 * infinite recursion, a thrown value that is not an Error, or a return value that is not a `Result`.
 */
export function isProgrammingError(error: unknown): boolean {
  if (!(error instanceof Error)) return true;
  if (error instanceof KubewrightError) return error.code === 'NO_RESULT';
  const isNative = error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError;
  // Node's `fetch` reports a failed connection as a TypeError with a cause.
  return isNative && error.cause === undefined;
}

/** The options for requeueing a key. Times are in milliseconds. */
interface Again extends QueueAddOptions {
  readonly after?: number;
}

/** What happens to a key after a run: whether its failure count is reset, and when the key is requeued. */
export interface NextRun {
  readonly forget: boolean;
  readonly add: Again | undefined;
}

/** The time at which a run ended, and the source of randomness for the jitter. */
export interface RunEnd {
  readonly now: Date;
  /** Returns a random number from 0 (inclusive) to 1 (exclusive). */
  readonly random: () => number;
}

/**
 * Returns when the object of a key is reconciled next, after a run with this outcome. `everyMs` is the maximum delay after a result, an
 * error or a conflict, in milliseconds; undefined for no maximum.
 */
export function nextRun(outcome: Outcome, everyMs: number | undefined, at: RunEnd): NextRun {
  const every: Again | undefined = everyMs === undefined ? undefined : { after: everyMs, cause: { kind: 'every' } };
  const soonest = everyMs === undefined ? {} : { after: everyMs };
  switch (outcome.kind) {
    case 'forgotten':
    case 'stopped':
      return { forget: true, add: undefined };
    case 'paused': {
      const { recheckMs } = outcome.pause;
      return {
        forget: true,
        add: recheckMs === undefined ? undefined : { after: recheckMs, cause: { kind: 'resumed' } },
      };
    }
    case 'error':
      return nextRunOfFailure(outcome, every, at);
    case 'conflict':
      return { forget: false, add: { ...soonest, rateLimited: true, cause: { kind: 'conflict' } } };
    case 'result':
      return nextRunOfResult(outcome.result, every, at);
  }
}

function nextRunOfFailure(failure: Failure, every: Again | undefined, at: RunEnd): NextRun {
  const { answer, terminal, lastAttempt = false } = failure;
  const again = { kind: 'retry', attempt: (failure.attempt ?? 1) + 1 } as const;
  if (answer !== undefined) {
    const { add } = nextRunOfResult(answer, every, at);
    return { forget: false, add: add?.cause?.kind === 'requeue' ? { ...add, cause: again } : add };
  }
  if (lastAttempt || terminal !== undefined) return { forget: lastAttempt && terminal === undefined, add: every };
  return { forget: false, add: { ...every, rateLimited: true, cause: again } };
}

function nextRunOfResult(result: Result, every: Again | undefined, { now, random }: RunEnd): NextRun {
  if (result.kind === 'done') return { forget: true, add: every };
  const again = {
    cause: { kind: 'requeue' },
    ...(result.priority !== undefined && { priority: result.priority }),
  } as const;
  if (result.kind === 'requeue') return { forget: false, add: { ...every, rateLimited: true, ...again } };
  const fullMs = result.delayMs ?? (result.moment?.getTime() ?? 0) - now.getTime();
  const delayMs = result.jitter === 0 ? fullMs : fullMs * (1 - result.jitter * random());
  if (every?.after !== undefined && every.after < delayMs) return { forget: true, add: every };
  return { forget: true, add: { after: Math.max(0, delayMs), ...again } };
}

function* chain(error: unknown): Iterable<unknown> {
  let link = error;
  for (let depth = 0; link !== undefined && depth < 10; depth++) {
    yield link;
    link = link instanceof Error ? link.cause : undefined;
  }
}
