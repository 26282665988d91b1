import type { Steps, Wait } from '@kubewright/api/apply';
import { workTimeMs } from '@kubewright/api/clock';
import { unlessAborted } from './unless-aborted.js';

/**
 * The maximum time, in milliseconds, that the long work of a thread runs in one turn of the event loop. Nearly all requests take less time,
 * and therefore complete in a single turn.
 */
const mostMs = 10;
/**
 * The duration of one slice of work, in milliseconds. Other work runs after each slice. Requests that take less than this time do not wait
 * for long work.
 */
const sliceMs = 1;
/** The time of work in a turn of the event loop, in milliseconds, after which no other request starts in this turn. */
const mostWithStartsMs = 2 * mostMs;

/** The options of `inTurns`. */
export interface InTurnsOptions {
  /**
   * Whether the steps continue work that has already taken turns. Such steps do not have precedence over other long work. @default false
   */
  readonly isStarted?: boolean;
  /** Returns whether the client has disconnected. If the client has disconnected, steps that wait for another thread end. @default false */
  isAbandoned?(): boolean;
  /**
   * Returns the signal that ends the steps while they wait. The promise is then rejected with the reason of the signal. @default the steps
   * do not end early
   */
  signal?(): AbortSignal;
}

/** Steps, and the functions that settle their promise. */
interface Work {
  /** Runs one step. */
  readonly next: () => Next;
  /** Ends the steps with the error of a wait. */
  readonly reject: (error: unknown) => void;
}

/** The action after a step: the next step, the next step after a wait, or the end. */
type Next = undefined | { readonly wait: Wait } | { readonly settle: () => void };

/**
 * Runs steps in one or more turns of the event loop, and returns their result.
 * - When all steps of a thread together have run for 10 ms, the server serves other requests before the next step.
 * - Large requests alternate, with slices of 1 ms. Steps that take less than 1 ms run immediately.
 * - While a step waits for another thread or for a webhook, the server serves other requests. If the request ends early, the steps end.
 * - If the last slice of the steps took 10 ms or more, the server serves other requests before the caller gets the result or the error.
 */
export function inTurns<T>(steps: Steps<T>, options: InTurnsOptions = {}): Promise<T> {
  return new Promise((resolve, reject) => {
    const next = (): Next => {
      try {
        const { done, value } = steps.next();
        if (done === true) return { settle: () => resolve(value) };
        return value === undefined ? undefined : { wait: () => waited(value, options) };
      } catch (error) {
        return { settle: () => reject(error) };
      }
    };
    const fail = (error: unknown): void => {
      // Runs the `finally` blocks of the steps, for example to release the cluster IP of a Service that the steps have not written.
      steps.return(undefined as never);
      reject(error);
    };
    const work: Work = { next, reject: fail };
    if (options.isStarted === true) turns.resume(work);
    else turns.start(work);
  });
}

/** Starts a wait, and resolves when the wait ends. If the signal is aborted first, rejects with the reason of the signal. */
function waited(wait: Wait, options: InTurnsOptions): Promise<void> {
  const started = wait(() => options.isAbandoned?.() === true);
  return options.signal === undefined ? started : unlessAborted(started, options.signal());
}

/** Divides long work into turns of the event loop. */
class Turns {
  /** Work that has not started, because its turn of the event loop had no time left. */
  readonly #starting: Work[] = [];
  /** Work that has started, in the order of its next slices. */
  readonly #begun: Work[] = [];
  /** The time in milliseconds that work has taken since the turn began. */
  #spentMs = 0;
  #isScheduled = false;

  start(work: Work): void {
    this.#schedule();
    if (this.#starting.length > 0 || this.#spentMs >= mostWithStartsMs) this.#starting.push(work);
    else this.#run(work, mostMs - this.#spentMs);
  }

  resume(work: Work): void {
    this.#schedule();
    if (this.#starting.length + this.#begun.length > 0 || this.#spentMs >= mostMs) this.#begun.push(work);
    else this.#run(work, mostMs - this.#spentMs);
  }

  #turn(): void {
    this.#isScheduled = false;
    this.#spentMs = 0;
    for (let isStart = true; this.#spentMs < mostMs; isStart = !isStart) {
      const [first, second] = isStart ? [this.#starting, this.#begun] : [this.#begun, this.#starting];
      const work = first.shift() ?? second.shift();
      if (work === undefined) break;
      this.#run(work, sliceMs);
    }
    if (this.#spentMs > 0) this.#schedule();
  }

  /**
   * Runs a slice of the work. Adds unfinished work to the end of the queue, after the wait if the work waits. Settles the promise of
   * finished work.
   */
  #run(work: Work, requestedMs: number): void {
    const longestMs = Math.max(sliceMs, requestedMs);
    const beganMs = workTimeMs();
    let next: Next;
    let tookMs: number;
    do {
      next = work.next();
      tookMs = workTimeMs() - beganMs;
    } while (next === undefined && tookMs < longestMs);
    this.#spentMs += tookMs;
    if (next === undefined) this.#begun.push(work);
    else if ('wait' in next) next.wait().then(() => this.resume(work), work.reject);
    else if (tookMs >= mostMs) setImmediate(next.settle);
    else next.settle();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#turn());
  }
}

/** All servers of a thread share its event loop. */
const turns = new Turns();
