import { isConflict, isOfOlderLife, KubewrightError, TerminalError } from '@kubewright/api/errors';
import type { CountedResult } from '../metrics/controller-metrics.js';
import type { QueueAddOptions } from '../queue/work-queue.js';
import type { Pause } from './pause.js';
import type { Result } from './result.js';

/** How one run on an object ended. */
export type Outcome =
  /** `reconcile` or `finalize` returned. */
  | { readonly kind: 'result'; readonly result: Result }
  /** The object is gone, or is being deleted and has nothing of ours on it. */
  | { readonly kind: 'forgotten' }
  /** The object asks to be left alone. */
  | { readonly kind: 'paused'; readonly pause: Pause }
  /** Somebody else wrote meanwhile, or what an older life left behind is not collected yet: no error, just again. */
  | { readonly kind: 'conflict'; readonly error: unknown }
  /** The operator stops. */
  | { readonly kind: 'stopped' }
  | Failure;

/** A run that failed. */
export interface Failure {
  readonly kind: 'error';
  readonly error: unknown;
  readonly terminal: TerminalError | undefined;
  /** Which of the runs that failed in a row it was; filled in by the loop. */
  readonly attempt?: number;
  /** Whether it is not tried again by itself. */
  readonly lastAttempt?: boolean;
  /** What `onError` said shall become of it. */
  readonly answer?: Result | undefined;
}

/** What a run that threw amounts to. */
export function outcomeOfError(error: unknown): Outcome {
  for (const link of chain(error)) if (link instanceof TerminalError) return { kind: 'error', error, terminal: link };
  for (const link of chain(error)) if (isConflict(link) || isOfOlderLife(link)) return { kind: 'conflict', error };
  return { kind: 'error', error, terminal: undefined };
}

/** What a run that was carried out is counted as. */
export function countedResult(
  outcome: Extract<Outcome, { readonly kind: 'result' | 'conflict' | 'error' }>,
): CountedResult {
  if (outcome.kind !== 'result') return outcome.kind;
  const { kind } = outcome.result;
  return kind === 'done' ? 'success' : kind === 'requeue' ? 'requeue' : 'requeue_after';
}

/**
 * Whether an error tells of a mistake in the code of a reconciler, and not of the world: a property of undefined, a name that is
 * not there, a recursion without end, something thrown that is no error, or no result returned.
 */
export function isProgrammingError(error: unknown): boolean {
  if (!(error instanceof Error)) return true;
  if (error instanceof KubewrightError) return error.code === 'NO_RESULT';
  const isNative = error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError;
  // Node's `fetch` tells of a connection that failed by a TypeError with a cause.
  return isNative && error.cause === undefined;
}

/** How the key is asked for again; times are in milliseconds. */
interface Again extends QueueAddOptions {
  readonly after?: number;
}

/** What becomes of the key: whether its failures are forgotten, and when it comes again. */
export interface NextRun {
  readonly forget: boolean;
  readonly add: Again | undefined;
}

/** When a run has ended, and what its jitter is drawn from. */
export interface RunEnd {
  readonly now: Date;
  /** From 0 to below 1. */
  readonly random: () => number;
}

/** The rules in order of strength: an error, then the result, then `every`, which never comes later than it says. */
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
