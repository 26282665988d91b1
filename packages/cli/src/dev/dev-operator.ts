import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { KubewrightError } from '@kubewright/api/errors';
import type { InspectedProject } from '../project/inspected-project.js';
import type { InspectedModules } from '../project/inspection/inspection-messages.js';
import type { Project } from '../project/project.js';
import { type ChildEnd, childEnd, endChild, modulePath, startNode } from '../run/operator-child.js';
import type { OperatorNews, OperatorOrder } from './operator-messages.js';

/** How long an operator may take to end before it is killed. */
const GRACE_MS = 10_000;

/** What an operator is run with. */
export interface DevOperatorOptions {
  readonly project: Project;
  readonly hasOwnCopies: boolean;
  readonly env: NodeJS.ProcessEnv;
  /** Flags of the operator. */
  readonly flags: readonly string[];
  /** Gets each line that it writes. */
  readonly onLine: (line: string) => void;
  /** It ended by itself after it had started; with the reason, as far as it is known. */
  readonly onCrash: (reason: string) => void;
  /** What it has to do has changed. */
  readonly onIdle: (state: OperatorState) => void;
}

/** What an operator does at a moment. */
export interface OperatorState {
  readonly idle: boolean;
  /** Since its start. */
  readonly reconciles: number;
}

/** One process of the operator. */
class OperatorRun {
  readonly child: ChildProcess;
  readonly ended: Promise<ChildEnd>;
  readonly #options: DevOperatorOptions;
  readonly #waiting = new Map<OperatorNews['type'], (news: OperatorNews) => void>();
  #failure: string | undefined;
  #isEnding = false;
  #hasStarted = false;

  constructor(options: DevOperatorOptions) {
    const { project, env, flags, hasOwnCopies } = options;
    this.#options = options;
    const module = modulePath('./operator-process.js', import.meta.url);
    this.child = startNode(module, flags, { cwd: project.root, env, output: 'pipe' });
    for (const input of [this.child.stdout, this.child.stderr]) {
      if (input !== null) createInterface({ input }).on('line', options.onLine);
    }
    this.child.on('message', (news: OperatorNews) => this.#heed(news));
    this.ended = childEnd(this.child);
    this.ended.then(
      (end) => this.#onEnded(end),
      (error: unknown) => this.#fail(String(error)),
    );
    this.tell({ type: 'prepare', main: project.main, hasOwnCopies });
  }

  tell(order: OperatorOrder): void {
    // One that has ended already is told by its end.
    this.child.send(order, () => undefined);
  }
  /** Resolves with the news of a type. Rejects with OPERATOR_FAILED when it ends before. */
  async news<T extends OperatorNews['type']>(type: T): Promise<Extract<OperatorNews, { readonly type: T }>> {
    const told = new Promise<OperatorNews>((resolve) => this.#waiting.set(type, resolve));
    const ended = this.ended.then((end) => {
      throw new KubewrightError('OPERATOR_FAILED', `the operator ${this.#reason(end)}`);
    });
    return (await Promise.race([told, ended])) as Extract<OperatorNews, { readonly type: T }>;
  }
  async stop(): Promise<void> {
    this.#isEnding = true;
    await endChild(this.child, this.ended, GRACE_MS);
  }

  #heed(news: OperatorNews): void {
    if (news.type === 'failed') this.#failure = news.message;
    if (news.type === 'started') this.#hasStarted = true;
    if (news.type === 'idle') this.#options.onIdle(news);
    this.#waiting.get(news.type)?.(news);
  }
  #onEnded(end: ChildEnd): void {
    if (this.#hasStarted && !this.#isEnding) this.#fail(this.#reason(end));
  }
  #fail(reason: string): void {
    this.#options.onCrash(reason);
  }
  #reason({ exitCode, signal }: ChildEnd): string {
    const how = signal === null ? `ended with exit code ${exitCode}` : `was ended by ${signal}`;
    return this.#failure === undefined ? how : `${how}: ${this.#failure}`;
  }
}

/** The operator of `kubewright dev`: one process that runs, and one that is ready to take its place. */
export class DevOperator implements AsyncDisposable {
  readonly #options: DevOperatorOptions;
  #running: OperatorRun | undefined;
  #spare: OperatorRun | undefined;

  constructor(options: DevOperatorOptions) {
    this.#options = options;
    this.#spare = new OperatorRun(options);
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }
  /** Ends the one that runs, if there is one. */
  async stop(): Promise<void> {
    const run = this.#running;
    await run?.stop();
    if (this.#running === run) this.#running = undefined;
  }
  /** Loads the program into the process that is ready, and resolves with what it declares. Rejects with OPERATOR_FAILED. */
  async load(from: InspectedModules): Promise<InspectedProject> {
    const run = this.#spare ?? new OperatorRun(this.#options);
    this.#spare = undefined;
    this.#running = run;
    run.tell({ type: 'load', root: this.#options.project.root, ...from });
    return (await run.news('declares')).inspected;
  }
  /** Lets the program that was loaded start; resolves when it has. Rejects with OPERATOR_FAILED. */
  async start(): Promise<void> {
    const started = this.#running?.news('started');
    this.#running?.tell({ type: 'go' });
    await started;
    // Made ready when this one needs the machine no longer.
    this.#spare ??= new OperatorRun(this.#options);
  }
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#running?.stop(), this.#spare?.stop()]);
    this.#running = undefined;
    this.#spare = undefined;
  }
}
