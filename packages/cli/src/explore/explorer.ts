import type { CommandContext } from '../command/command-context.js';
import { KubewrightError } from '@kubewright/api/errors';
import { endedEarly } from '../project/ended-early.js';
import { childEnd, endChild, modulePath, startNode } from '../run/operator-child.js';
import type { ExploreMessage, ExploreOrder, Problem } from './explore-messages.js';

/**
 * The number of successive checks without a message from the process, after which the process is ended. The limit counts checks instead of
 * time, because a busy machine also delays the checks.
 */
const BLOCKED_CHECKS = 20;
/** The maximum number of checks during one trial. A trial in which only a reconcile waits ends earlier with NOT_SETTLED. */
const TRIAL_CHECKS = 120;
/** The time between two checks in milliseconds. */
const CHECK_MS = 1000;

/** A trial that a process could not end. */
export interface UnendedTrial {
  readonly key: string;
  readonly problem: Problem;
}

/** The options of `explorePart`. */
export interface ExplorePartOptions {
  readonly order: ExploreOrder;
  readonly env: NodeJS.ProcessEnv;
  /** Aborts the exploration. */
  readonly signal: AbortSignal;
  /** Called with each message of the process. */
  readonly onMessage: (message: ExploreMessage) => void;
}

/**
 * Explores a part of the fields in a child process. Resolves when the process has ended: with undefined if it has completed the order or
 * the signal is aborted, and otherwise with the trial that it could not end. Rejects with the error that the process reports, or with
 * EXPLORE_FAILED if the process exits before the first trial.
 */
export async function explorePart(
  { output, verbose }: CommandContext,
  { order, env, signal, onMessage }: ExplorePartOptions,
): Promise<UnendedTrial | undefined> {
  const { root } = order.request;
  const child = startNode(modulePath('./explore-process.js', import.meta.url), [], { cwd: root, env, output: 'pipe' });
  const ended = childEnd(child);
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (part: string) => {
      text = (text + part).slice(-2000);
      if (verbose) output.note(part.replace(/\n$/, ''));
    });
  }
  const watched = new WatchedTrial();
  let last: ExploreMessage | undefined;
  child.on('message', (message: ExploreMessage) => {
    watched.note(message);
    if (message.type !== 'alive') last = message;
    onMessage(message);
  });
  const timer = setInterval(() => {
    if (watched.isStuck()) void endChild(child, ended, 0);
  }, CHECK_MS);
  const stop = (): void => void endChild(child, ended, 0);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  child.send(order, (error) => {
    if (error !== null) stop();
  });
  const { exitCode } = await ended.finally(() => {
    clearInterval(timer);
    signal.removeEventListener('abort', stop);
  });
  if (signal.aborted || last?.type === 'done' || last?.type === 'replayed') return undefined;
  if (last?.type === 'unhandled') return last;
  if (last?.type === 'failed') {
    const cause = last.stack === undefined ? undefined : Object.assign(new Error(last.message), { stack: last.stack });
    const { code, message } = last;
    throw new KubewrightError(code, message, { cause });
  }
  const unended = watched.unended(`the process ended with exit code ${exitCode}`);
  if (unended !== undefined) return unended;
  throw new KubewrightError(
    'EXPLORE_FAILED',
    `cannot explore the operator: ${endedEarly(`with exit code ${exitCode}`)}\n${text}`,
  );
}

/** Watches the last started trial of a process, and detects that the trial makes no progress. */
class WatchedTrial {
  #silentChecks = 0;
  #trialChecks = 0;
  #trial: UnendedTrial | undefined;
  #obstacle: string | undefined;

  note(message: ExploreMessage): void {
    this.#silentChecks = 0;
    if (message.type !== 'trial') return;
    this.#trialChecks = 0;
    this.#trial = message;
  }
  /** Called once in each interval. Returns whether the process must be ended, because the trial makes no progress. */
  isStuck(): boolean {
    if (this.#trial === undefined) return false;
    if (++this.#silentChecks > BLOCKED_CHECKS) {
      this.#obstacle ??= `pending: code of the operator that has occupied the CPU for ${BLOCKED_CHECKS} s, such as a loop`;
    }
    if (++this.#trialChecks > TRIAL_CHECKS) {
      this.#obstacle ??= `pending: the start or the stop of the operator, for ${TRIAL_CHECKS} s`;
    }
    return this.#obstacle !== undefined;
  }
  /** Returns the last started trial with the reason of its end. Returns undefined if no trial has started. */
  unended(end: string): UnendedTrial | undefined {
    if (this.#trial === undefined) return undefined;
    const { key, problem } = this.#trial;
    const detail = this.#obstacle ?? end;
    const finding = { ...problem.finding, details: [detail] };
    return { key, problem: { finding, report: `${problem.report}\n  ${detail}` } };
  }
}
