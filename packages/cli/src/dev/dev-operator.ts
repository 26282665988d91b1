import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { KubewrightError } from '@kubewright/api/errors';
import type { InspectedProject } from '../project/inspected-project.js';
import type { InspectedModules } from '../project/inspection/inspection-messages.js';
import type { Project } from '../project/project.js';
import { type ChildEnd, childEnd, endChild, modulePath, startNode } from '../run/operator-child.js';
import type { LocalWebhooks } from './local-webhooks.js';
import type { OperatorMessage, OperatorCommand } from './operator-messages.js';

/** The time in milliseconds after which an operator that does not exit on request is killed. */
const GRACE_MS = 10_000;

/** The options of a `DevOperator`. */
export interface DevOperatorOptions {
  readonly project: Project;
  readonly hasOwnCopies: boolean;
  readonly env: NodeJS.ProcessEnv;
  /** The command-line arguments of the operator. */
  readonly flags: readonly string[];
  /** The address and the certificate with which the operator serves its webhooks. @default as the program specifies */
  readonly webhooks?: LocalWebhooks;
  /** Whether to prepare a process for the next restart when the operator has started. */
  readonly restarts: boolean;
  /** Called with each line that the operator prints. */
  readonly onLine: (line: string) => void;
  /** Called with the reason when the operator exits unexpectedly after the start. */
  readonly onCrash: (reason: string) => void;
  /** Called when the operator becomes idle or busy, and when an idle operator has completed more reconciles. */
  readonly onIdle: (state: OperatorState) => void;
}

/** The activity of an operator. A `DevSession` reads the activity to decide whether the operator has processed all samples. */
export interface OperatorState {
  readonly idle: boolean;
  /** The number of completed reconciles since the start of the operator. */
  readonly reconciles: number;
}

/** One process of the operator, from preparation to exit. */
class OperatorRun {
  readonly child: ChildProcess;
  readonly ended: Promise<ChildEnd>;
  readonly #options: DevOperatorOptions;
  readonly #waiting = new Map<OperatorMessage['type'], (message: OperatorMessage) => void>();
  #failure: string | undefined;
  #isEnding = false;
  #hasStarted = false;
  #hasEnded = false;

  constructor(options: DevOperatorOptions) {
    const { project, env, flags, hasOwnCopies } = options;
    this.#options = options;
    const module = modulePath('./operator-process.js', import.meta.url);
    this.child = startNode(module, flags, { cwd: project.root, env, output: 'pipe' });
    for (const input of [this.child.stdout, this.child.stderr]) {
      if (input !== null) createInterface({ input }).on('line', options.onLine);
    }
    this.child.on('message', (message: OperatorMessage) => this.#handle(message));
    this.ended = childEnd(this.child);
    this.ended.then(
      (end) => this.#onEnded(end),
      (error: unknown) => this.#fail(String(error)),
    );
    this.post({ type: 'prepare', main: project.main, hasOwnCopies });
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }
  post(order: OperatorCommand): void {
    // Ignores the error of a process that has already exited, because `ended` reports the exit.
    this.child.send(order, () => undefined);
  }
  /** Resolves with the next message of the given type. Rejects with OPERATOR_FAILED if the process exits first. */
  async message<T extends OperatorMessage['type']>(type: T): Promise<Extract<OperatorMessage, { readonly type: T }>> {
    const reported = new Promise<OperatorMessage>((resolve) => this.#waiting.set(type, resolve));
    const ended = this.ended.then((end) => {
      throw new KubewrightError('OPERATOR_FAILED', `the operator ${this.#reason(end)}`);
    });
    return (await Promise.race([reported, ended])) as Extract<OperatorMessage, { readonly type: T }>;
  }
  async stop(): Promise<void> {
    this.#isEnding = true;
    await endChild(this.child, this.ended, GRACE_MS);
  }

  #handle(message: OperatorMessage): void {
    if (message.type === 'failed') this.#failure = message.message;
    if (message.type === 'started') this.#hasStarted = true;
    if (message.type === 'idle') this.#options.onIdle(message);
    this.#waiting.get(message.type)?.(message);
  }
  #onEnded(end: ChildEnd): void {
    this.#hasEnded = true;
    if (this.#hasStarted && !this.#isEnding) this.#fail(this.#reason(end));
  }
  #fail(reason: string): void {
    this.#options.onCrash(reason);
  }
  #reason({ exitCode, signal }: ChildEnd): string {
    const how = signal === null ? `exited with code ${exitCode}` : `was terminated by ${signal}`;
    return this.#failure === undefined ? how : `${how}: ${this.#failure}`;
  }
}

/** Runs the operator for `kubewright dev`. To restart quickly, prepares the next process while the current process runs. */
export class DevOperator implements AsyncDisposable {
  readonly #options: DevOperatorOptions;
  #running: OperatorRun | undefined;
  #spare: OperatorRun | undefined;

  constructor(options: DevOperatorOptions) {
    this.#options = options;
    this.#spare = new OperatorRun(options);
  }

  get isRunning(): boolean {
    return this.#running?.hasEnded === false;
  }
  /** Stops the running process, if there is one. */
  async stop(): Promise<void> {
    const run = this.#running;
    await run?.stop();
    if (this.#running === run) this.#running = undefined;
  }
  /**
   * Loads the program in the prepared process, and resolves with the kinds and controllers that the program declares. Rejects with
   * OPERATOR_FAILED if the process exits first.
   */
  async load(from: InspectedModules): Promise<InspectedProject> {
    const run = this.#spare ?? new OperatorRun(this.#options);
    this.#spare = undefined;
    this.#running = run;
    const { project, webhooks } = this.#options;
    run.post({ type: 'load', root: project.root, ...(webhooks && { webhooks }), ...from });
    return (await run.message('declares')).inspected;
  }
  /**
   * Starts the manager of the loaded program, and resolves when it has started. Rejects with OPERATOR_FAILED if the process exits first.
   */
  async start(): Promise<void> {
    const started = this.#running?.message('started');
    this.#running?.post({ type: 'go' });
    await started;
    // Prepares the next process only now, because the preparation would delay the start of this process.
    if (this.#options.restarts) this.#spare ??= new OperatorRun(this.#options);
  }
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#running?.stop(), this.#spare?.stop()]);
    this.#running = undefined;
    this.#spare = undefined;
  }
}
