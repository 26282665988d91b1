import { KubewrightError } from '@kubewright/api/errors';
import type { Activity } from './activity.js';
import { processTimeMs } from '../process-time.js';
import { activeResources, hasShortOperations } from './outside-work.js';
import type { RepeatedRun } from './run-counts.js';

/**
 * The time in milliseconds without progress after which the environment counts as blocked, measured with `processTimeMs`. Only work outside
 * of the environment, such as a request of a reconciler to another server, takes real time.
 */
const BLOCKED_MS = 30_000;
/** The interval in milliseconds between two checks of the time limit while the environment waits for activity. */
const CHECK_MS = 500;
/** The number of calls of `Guard.isBlocked` for each check of the time limit, because reading the time is expensive. */
const CALLS_PER_CHECK = 16;
/** The number of turns of the event loop without activity after which an environment with pending work is quiet. */
const SILENT_TURNS = 3;
/** The number of reconciles of one object after which the environment checks for a hot loop. */
const MANY_RUNS = 200;
/** The number of reconciles of one object, in addition to `MANY_RUNS`, that are not a hot loop, for each object of the server. */
const RUNS_PER_OBJECT = 4;
/** The maximum number of reconciles of one object, for a loop that creates objects. */
const MOST_RUNS = 20_000;

/** The unfinished work of an environment. */
export interface Survey {
  /** The work that continues without an advance of the clock. */
  readonly busy: readonly string[];
  /** The work that may wait for the clock or for an unknown event, such as a reconcile that awaits a promise. */
  readonly pending: readonly string[];
  /** The requests and watches that wait for the clock. If there are any, pending reconciles may wait for them. */
  readonly waiting: readonly string[];
}

export interface Settling {
  readonly activity: Activity;
  /** Returns whether work certainly continues without an advance of the clock. Cheaper than a survey. @default not known */
  readonly isBusy?: () => boolean;
  readonly survey: () => Promise<Survey>;
  /** Describes the work of running reconciles outside of the environment. */
  readonly outside: () => readonly string[];
  /** Prompts readers that are behind to report their progress. */
  readonly prod: () => void;
  /** Returns a number that changes with each progress. */
  readonly progress: () => number;
  /** Returns the object with the most reconciles since the start, if their number is not below the given number. */
  readonly mostRuns: (atLeast: number) => RepeatedRun | undefined;
  /** Returns the number of objects of the server, or 0 if the number is unknown. */
  readonly objects: () => number;
  /** Returns the time in milliseconds with which the environment detects that it is blocked. @default processTimeMs */
  readonly nowMs?: () => number;
}

/**
 * Resolves when nothing can happen without an advance of the clock. Resolves with true if no work is pending and no request waits for the
 * clock. Otherwise, resolves with false. Waits for activity, not for time, so the load of the machine does not change the result. Throws
 * NOT_SETTLED if one object is reconciled again and again, or if work outside of the environment does not end.
 */
export async function settle(settling: Settling): Promise<boolean> {
  const { activity, isBusy = () => false, survey, outside, prod } = settling;
  // An environment that is quiet at once needs no guard.
  let guard: Guard | undefined;
  try {
    for (;;) {
      const seen = activity.count;
      let isWaiting = isBusy();
      if (!isWaiting) {
        prod();
        await turn();
        const now = await survey();
        const isPending = now.pending.length > 0;
        isWaiting = !isQuiet(now) || (isPending && outside().length > 0);
        if (!isWaiting && !(isPending && hasShortOperations())) {
          const isOver = await isSilent(activity, { seen, turns: isPending ? SILENT_TURNS : 1 });
          if (isOver) return !isPending && now.waiting.length === 0;
        }
      }
      checkForHotLoop(settling);
      guard ??= new Guard(settling);
      if (guard.isBlocked()) guard.fail(await survey());
      if (isWaiting) await activity.since(seen);
      await turn();
    }
  } finally {
    guard?.end();
  }
}

function isQuiet({ busy, pending, waiting }: Survey): boolean {
  return busy.length === 0 && (pending.length === 0 || waiting.length > 0);
}

/** Returns whether nothing happens in the next turns of the event loop. */
async function isSilent(
  activity: Activity,
  { seen, turns }: { readonly seen: number; readonly turns: number },
): Promise<boolean> {
  for (let passed = 0; passed < turns; passed++) {
    await turn();
    if (activity.count !== seen) return false;
  }
  return true;
}

/** Yields to the event loop, so that ready callbacks run. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Detects that the environment makes no progress. Wakes the waiting environment every `CHECK_MS` until `end`. */
class Guard {
  readonly #progress: () => number;
  readonly #outside: () => readonly string[];
  readonly #waking: NodeJS.Timeout;
  readonly #nowMs: () => number;
  #seen: number;
  /** The time limit. Undefined if there was progress since the previous check. */
  #endMs: number | undefined;
  #calls = 0;
  #isCheckDue = false;

  constructor({ activity, progress, outside, nowMs = processTimeMs }: Settling) {
    this.#progress = progress;
    this.#outside = outside;
    this.#waking = setInterval(() => {
      this.#isCheckDue = true;
      activity.wake();
    }, CHECK_MS);
    this.#nowMs = nowMs;
    this.#seen = progress();
  }

  /** Returns whether the progress has not changed for `BLOCKED_MS`. Checks the time only in some of the calls. */
  isBlocked(): boolean {
    const progress = this.#progress();
    if (progress !== this.#seen) {
      this.#seen = progress;
      this.#endMs = undefined;
      return false;
    }
    if (!this.#isCheckDue && ++this.#calls % CALLS_PER_CHECK !== 0) return false;
    this.#isCheckDue = false;
    const nowMs = this.#nowMs();
    this.#endMs ??= nowMs + BLOCKED_MS;
    return nowMs >= this.#endMs;
  }
  /** Throws NOT_SETTLED. */
  fail({ busy, pending }: Survey): never {
    const left = [...busy, ...pending].join(', ') || 'none, but new activity does not stop';
    throw notSettled(
      `the test environment made no progress for ${BLOCKED_MS / 1000} s; pending work: ${left}${waitsFor(busy, this.#outside())}`,
    );
  }
  end(): void {
    clearInterval(this.#waking);
  }
}

/** Describes what the pending work possibly waits for. */
function waitsFor(busy: readonly string[], outside: readonly string[]): string {
  if (outside.length > 0) return `; waits for work outside of the environment: ${outside.join(', ')}`;
  if (busy.length > 0) return '';
  const resources = activeResources().join(', ');
  return `; waits for a promise or a timer outside of the environment; active resources of the process: ${resources}`;
}

function checkForHotLoop({ mostRuns, objects }: Settling): void {
  const most = mostRuns(MANY_RUNS);
  if (most === undefined) return;
  if (most.count < Math.min(MANY_RUNS + RUNS_PER_OBJECT * objects(), MOST_RUNS)) return;
  const { controller, object, count, writes } = most;
  const repeated = writes.map(([attempted, times]) => `${attempted} (${times} times)`).join(', ');
  throw notSettled(
    `the test environment does not stop working: controller '${controller}' reconciled ${object} ${count} times; writes of these reconciles: ${repeated || 'none'}`,
  );
}

function notSettled(message: string): KubewrightError {
  return new KubewrightError('NOT_SETTLED', message);
}
