import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type Outcome, STUCK_MS } from './run-schedule.js';
import { scenarioOf } from './scenarios.js';

/** Milliseconds in which a process that is no longer needed must end. */
const END_MS = 2000;

/** A schedule to run. */
export interface Task {
  readonly seed: number;
  /** The names of the examples. The seed selects one of these examples. */
  readonly examples: readonly string[];
  /** The crashes, instead of the crashes that the seed determines. @default the crashes of the seed */
  readonly crashes?: readonly string[];
}

/** Options of processes that run schedules. */
export interface ScheduleProcessOptions {
  /** The program of the process. @default the program that runs schedules */
  readonly program?: URL;
  /** Real time in milliseconds after which a silent process is aborted. @default `STUCK_MS` plus 15 s */
  readonly silenceMs?: number;
}

/**
 * Runs schedules one after the other in a separate process. Every schedule has an outcome: a schedule that hangs, blocks its process or
 * ends its process has failed. After such a failure, the next schedule runs in a new process.
 */
export class ScheduleProcess implements AsyncDisposable {
  readonly #program: URL;
  readonly #silenceMs: number;
  #child: ChildProcess | undefined;

  constructor({
    program = new URL('./chaos-process.js', import.meta.url),
    silenceMs = STUCK_MS + 15_000,
  }: ScheduleProcessOptions = {}) {
    this.#program = program;
    this.#silenceMs = silenceMs;
  }

  async run(task: Task): Promise<Outcome> {
    const child = this.#child ?? fork(fileURLToPath(this.#program));
    this.#child = child;
    const outcome = await this.#answerOf(child, task);
    if (outcome.isStuck === true) await this[Symbol.asyncDispose]();
    return outcome;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    const timer = setTimeout(() => child.kill('SIGKILL'), END_MS);
    child.disconnect();
    await exited;
    clearTimeout(timer);
  }

  #answerOf(child: ChildProcess, task: Task): Promise<Outcome> {
    const { seed, examples } = task;
    const given = { seed, scenario: scenarioOf(seed, examples).name, injected: [], crashes: 0, isStuck: true };
    return new Promise((resolve) => {
      const end = (outcome: Outcome): void => {
        clearTimeout(timer);
        child.off('message', end);
        child.off('exit', onExit);
        resolve(outcome);
      };
      const onExit = (code: number | null, signal: string | null): void =>
        end({ ...given, unmet: [`the process of the schedule ended with ${signal ?? `code ${code}`}`] });
      const timer = setTimeout(
        () =>
          end({
            ...given,
            unmet: [`the process of the schedule was blocked: no message for ${this.#silenceMs / 1000} s`],
          }),
        this.#silenceMs,
      );
      child.once('message', end);
      child.once('exit', onExit);
      child.send(task);
    });
  }
}
