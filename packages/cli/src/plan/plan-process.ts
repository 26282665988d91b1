import { register } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { Manager } from '@kubewright/runtime';
import { messageOf } from '@kubewright/api/errors';
import { maskText } from '@kubewright/api/secrets';
import { placeIn } from '../project/inspection/place-in.js';
import type { PlanAnswer, PlanMessage } from './plan-messages.js';

/**
 * Plans one reconcile in a child process. The process receives one message and sends one answer. Sends only read requests to the cluster.
 */
class PlanProcess {
  readonly #message: PlanMessage;
  #answered = false;

  constructor(message: PlanMessage) {
    this.#message = message;
  }

  async run(): Promise<void> {
    const { main, hasOwnCopies } = this.#message;
    process.on('uncaughtException', (error) => this.refuse(error));
    process.on('beforeExit', () => {
      this.#answer({
        code: 'PLAN_FAILED',
        message: 'the program ended without a call to manager.start(); call manager.start() in src/main.ts',
      });
    });
    if (hasOwnCopies) {
      const from = new URL('../../', import.meta.url).href;
      const data = { from, project: pathToFileURL(main).href };
      register('../project/inspection/own-copies.js', import.meta.url, { data });
    }
    const { INSPECTION, startPlanning } = await import('@kubewright/runtime/internal');
    // Blocks writes before the program is loaded, because the program may send requests before the manager starts.
    startPlanning();
    (globalThis as Record<symbol, unknown>)[INSPECTION] = (manager: Manager) => {
      this.#plan(manager).catch((error: unknown) => this.refuse(error));
    };
    process.argv[1] = main;
    await import(pathToFileURL(main).href);
  }

  async #plan(manager: Manager): Promise<void> {
    const { controllerOf } = await import('./controller-of.js');
    const { name, namespace, suppose } = this.#message;
    const { controller, namespaced } = controllerOf(manager.describe(), this.#message);
    const key = namespaced ? { name, namespace } : { name };
    this.#answer({ plan: await manager.plan({ controller, key, ...(suppose !== undefined && { suppose }) }) });
  }
  refuse(error: unknown): void {
    const { code = 'PLAN_FAILED' } = (error ?? {}) as { readonly code?: string };
    const place = code === 'PLAN_FAILED' ? placeIn(this.#message.root, error) : undefined;
    const message = maskText(messageOf(error));
    const stack = error instanceof Error && error.stack !== undefined ? { stack: maskText(error.stack) } : {};
    this.#answer({ code, message: `${place === undefined ? '' : `${place}: `}${message}`, ...stack });
  }
  #answer(answer: PlanAnswer): void {
    if (this.#answered) return;
    this.#answered = true;
    process.send?.(answer, () => process.exit());
  }
}

// Keeps the process alive until the message arrives.
process.channel?.ref();
process.once('message', (message: PlanMessage) => {
  process.channel?.unref();
  const plan = new PlanProcess(message);
  plan.run().catch((error: unknown) => plan.refuse(error));
});
