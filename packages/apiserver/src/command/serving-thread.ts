import { Worker } from 'node:worker_threads';
import type { CommandLine } from './command-line.js';
import type { ServingData, ServingMessage } from './serving-message.js';

/** The exit code if the server has not stopped within its grace period. */
export const GRACE_PERIOD_EXCEEDED_EXIT_CODE = 3;

/**
 * The stack size of the thread in MB. With this stack, a function call can have four million arguments, which is more than the number of
 * items in a request of 3 MiB.
 */
const STACK_MB = 32;

/** Receives the output of a serving thread. */
export interface ServingOutput {
  /** Receives a message for the user. */
  readonly say: (sentence: string) => void;
  /** Receives the kubeconfig when the server is ready. */
  readonly onKubeconfig: (text: string) => void;
}

/**
 * A server in a separate thread. A request that keeps this thread busy does not delay signals and timers of the main thread, so the grace
 * period always applies.
 */
export class ServingThread {
  /** Resolves with the exit code after the thread has ended. */
  readonly ended: Promise<number>;
  readonly #worker: Worker;
  readonly #line: CommandLine;
  readonly #output: ServingOutput;
  #exitCode = 0;

  constructor(data: ServingData, output: ServingOutput) {
    this.#line = data.line;
    this.#output = output;
    this.#worker = new Worker(new URL('serving-worker.js', import.meta.url), {
      workerData: data,
      resourceLimits: { stackSizeMb: STACK_MB },
    });
    this.#worker.on('message', (message: ServingMessage) => this.#onMessage(message));
    this.#worker.on('error', (error) => this.#fail(`the server failed: ${error.stack ?? error.message}`));
    this.ended = new Promise((resolve) => {
      this.#worker.once('exit', () => resolve(this.#exitCode));
    });
  }

  /**
   * Stops the server. If the thread has not ended after the grace period, ends the process with GRACE_PERIOD_EXCEEDED_EXIT_CODE, even while
   * the thread runs code that does not return.
   */
  async stop(): Promise<void> {
    const { graceSeconds } = this.#line;
    this.#worker.postMessage('stop', []);
    const deadline = setTimeout(() => {
      this.#output.say(
        `the server did not stop within ${graceSeconds} s; writes that were not acknowledged may be lost`,
      );
      process.exit(GRACE_PERIOD_EXCEEDED_EXIT_CODE);
    }, graceSeconds * 1000);
    await this.ended;
    clearTimeout(deadline);
  }

  #onMessage(message: ServingMessage): void {
    if (message.type === 'warning') this.#output.say(message.text);
    else if (message.type === 'failed') this.#fail(message.reason);
    else {
      this.#output.onKubeconfig(message.kubeconfig);
      this.#output.say(message.line);
    }
  }

  #fail(reason: string): void {
    this.#exitCode = 1;
    this.#output.say(reason);
  }
}
