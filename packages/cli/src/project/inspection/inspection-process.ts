import { register } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { Manager } from '@kubewright/runtime';
import { lateImportRemedy, nothingStarted } from '../ended-early.js';
import type { InspectionAnswer, InspectionRequest } from './inspection-messages.js';
import { refuseConnections } from './no-connections.js';
import { placeIn } from './place-in.js';

/**
 * The time in milliseconds that the process waits after the start of a manager before it sends the declarations. If the program starts a
 * second manager during this time, the process reports an error.
 */
const SECOND_MANAGER_MS = 500;

/** Runs the program of a project in the child process of an inspection. The process receives one request and sends one answer. */
class InspectionProcess {
  readonly #request: InspectionRequest;
  readonly #managers: Manager[] = [];
  #isLoaded = false;
  #state: 'loading' | 'describing' | 'answered' = 'loading';

  constructor(request: InspectionRequest) {
    this.#request = request;
  }

  async run(): Promise<void> {
    const { main } = this.#request;
    process.on('uncaughtException', (error) => this.refuse(error));
    process.on('beforeExit', () => void this.#describe());
    (globalThis as Record<symbol, unknown>)[Symbol.for('kubewright.inspection')] = (manager: Manager) => {
      this.#managers.push(manager);
      // Also describes the project after a delay, because beforeExit is not emitted while the program has timers or open handles.
      setTimeout(() => void this.#describe(), SECOND_MANAGER_MS).unref();
    };
    // Some programs compare this argument with their own path to check whether they are the main module.
    process.argv[1] = main;
    refuseConnections();
    this.#shareCopies();
    await import(pathToFileURL(main).href);
    this.#isLoaded = true;
  }

  #shareCopies(): void {
    if (!this.#request.hasOwnCopies) return;
    const from = new URL('../../../', import.meta.url).href;
    register('./own-copies.js', import.meta.url, { data: { from, project: pathToFileURL(this.#request.main).href } });
  }
  async #describe(): Promise<void> {
    if (this.#state !== 'loading') return;
    this.#state = 'describing';
    const [manager, second] = this.#managers;
    if (manager === undefined) {
      return this.#answer({ problem: nothingStarted(this.#isLoaded) });
    }
    if (second !== undefined) {
      return this.#answer({
        problem:
          'the program starts two managers; add all controllers to one manager, and use its clusters for objects in other clusters',
      });
    }
    try {
      const { describeProject } = await import('./describe-project.js');
      this.#answer({ inspected: await describeProject(this.#request, manager) });
    } catch (error) {
      this.refuse(error);
    }
  }
  refuse(error: unknown): void {
    const place = placeIn(this.#request.root, error);
    const remedy = place !== undefined && this.#managers.length === 0 ? lateImportRemedy(error) : '';
    this.#answer({
      problem: `${place === undefined ? '' : `${place}: `}${sentenceOf(error)}${remedy}`,
      ...(error instanceof Error && error.stack !== undefined && { stack: error.stack }),
    });
  }
  #answer(answer: InspectionAnswer): void {
    if (this.#state === 'answered') return;
    this.#state = 'answered';
    process.send?.(answer, () => process.exit());
  }
}

/** Returns the message of an error. Appends the message of the cause if the message of the error does not contain it. */
function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? '' : sentenceOf(error.cause);
  return error.message.includes(cause) ? error.message : `${error.message}: ${cause}`;
}

process.once('message', (request: InspectionRequest) => {
  // The channel must not keep the process alive, so that beforeExit is emitted if the program starts nothing.
  process.channel?.unref();
  const inspection = new InspectionProcess(request);
  inspection.run().catch((error: unknown) => inspection.refuse(error));
});
