import type { CommandContext } from '../command/command-context.js';
import { counted } from '../deploy/apply-objects.js';
import type { Coverage, Problem } from './explore-messages.js';
import { mergedProblems, problemKey } from './merged-problems.js';

/** The interval in milliseconds of the progress on a terminal, and of the lines without a terminal. */
const INTERVAL_MS = { terminal: 200, lines: 10_000 } as const;

const NOTHING: Coverage = { trials: 0, fields: 0, values: 0, crashes: 0 };

/**
 * Collects the coverage and the problems of the processes of an exploration. Shows the progress: one changing line on a terminal, or a line
 * every 10 s.
 */
export class ExplorationProgress implements Disposable {
  readonly #context: CommandContext;
  readonly #parts = new Map<number, { readonly coverage: Coverage; readonly problems: readonly Problem[] }>();
  /** The results of the processes that ended before they completed their part. */
  readonly #ended: { readonly part: number; readonly coverage: Coverage; readonly problems: readonly Problem[] }[] = [];
  /** The keys of the problems whose headlines are printed. */
  readonly #announced = new Set<string>();
  readonly #startMs = performance.now();
  readonly #timer: NodeJS.Timeout;

  constructor(context: CommandContext) {
    this.#context = context;
    const interval = context.output.showsStatus ? INTERVAL_MS.terminal : INTERVAL_MS.lines;
    this.#timer = setInterval(() => this.#show(), interval);
  }

  /** Replaces the coverage and the problems of the process that explores a part. Prints the headline of each new problem. */
  note(part: number, coverage: Coverage, problems: readonly Problem[]): void {
    this.#parts.set(part, { coverage, problems });
    for (const problem of problems) this.#announce(problem);
  }
  /**
   * Keeps the coverage and the problems of a process that ended early, before another process continues its part. Adds `problem`, which
   * describes the trial that did not end.
   */
  endPart(part: number, problem: Problem): void {
    const { coverage = NOTHING, problems = [] } = this.#parts.get(part) ?? {};
    this.#parts.delete(part);
    this.#ended.push({ part, coverage, problems: [...problems, problem] });
    this.#announce(problem);
  }

  /** The distinct problems so far. */
  get problems(): readonly Problem[] {
    return mergedProblems(this.#all.flatMap(({ problems }) => problems));
  }
  /** Describes what was tried so far, such as '120 trials, 4 fields with 17 values, crashes in 9 trials'. */
  get coverageText(): string {
    const parts = new Map([...this.#parts].map(([part, { coverage }]) => [part, coverage]));
    for (const { part, coverage } of this.#ended) parts.set(part, continued(coverage, parts.get(part) ?? NOTHING));
    const { trials, fields, values, crashes } = [...parts.values()].reduce(sum, NOTHING);
    const tried = [counted(trials, 'trial'), `${counted(fields, 'field')} with ${counted(values, 'value')}`];
    return `${tried.join(', ')}, crashes in ${counted(crashes, 'trial')}`;
  }
  /** The time since the start of the exploration, in seconds. */
  get seconds(): number {
    return Math.round((performance.now() - this.#startMs) / 1000);
  }

  /** Ends the progress, and removes the line of the terminal. */
  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    this.#context.output.status('');
  }

  get #all(): readonly { readonly coverage: Coverage; readonly problems: readonly Problem[] }[] {
    return [...this.#ended, ...this.#parts.values()];
  }
  #announce(problem: Problem): void {
    const { output } = this.#context;
    const key = problemKey(problem);
    if (this.#announced.has(key)) return;
    this.#announced.add(key);
    output.status('');
    output.note(`found ${problem.report.split('\n')[0]}`);
  }
  #show(): void {
    const found = this.problems.length;
    const text = `${this.seconds} s: ${this.coverageText}; found ${found === 0 ? 'nothing' : counted(found, 'problem')}`;
    const { output } = this.#context;
    if (output.showsStatus) output.status(text);
    else output.note(text);
  }
}

/** Combines what two processes tried in the same part. The second process tries the fields of the first again. */
function continued(one: Coverage, other: Coverage): Coverage {
  return {
    trials: one.trials + other.trials,
    fields: Math.max(one.fields, other.fields),
    values: Math.max(one.values, other.values),
    crashes: Math.max(one.crashes, other.crashes),
  };
}

function sum(one: Coverage, other: Coverage): Coverage {
  return {
    trials: one.trials + other.trials,
    fields: one.fields + other.fields,
    values: one.values + other.values,
    crashes: one.crashes + other.crashes,
  };
}
