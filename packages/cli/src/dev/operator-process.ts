import { register } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { Manager, ServingCertificates } from '@kubewright/runtime';
import type { StartOptions } from '@kubewright/runtime/internal';
import { messageOf } from '@kubewright/api/errors';
import { maskText } from '@kubewright/api/secrets';
import { nothingStarted } from '../project/ended-early.js';
import { placeIn } from '../project/inspection/place-in.js';
import type { LocalWebhooks } from './local-webhooks.js';
import type { OperatorMessage, OperatorCommand } from './operator-messages.js';

/**
 * Runs the program of an operator in a child process of `kubewright dev`. First loads the modules that every operator needs, and then the
 * program. When the program starts a manager, sends the declarations to the parent process. Continues the start after the message `go`.
 */
class OperatorProcess {
  #main = '';
  #root = '';
  #hasOwnCopies = false;
  #go: (() => void) | undefined;
  #reported: { readonly idle: boolean; readonly reconciles: number } | undefined;

  async handle(order: OperatorCommand): Promise<void> {
    switch (order.type) {
      case 'prepare':
        return this.#prepare(order);
      case 'load':
        return this.#load(order);
      case 'go':
        this.#go?.();
    }
  }

  async #prepare({ main, hasOwnCopies }: Extract<OperatorCommand, { readonly type: 'prepare' }>): Promise<void> {
    this.#main = main;
    this.#hasOwnCopies = hasOwnCopies;
    if (hasOwnCopies) {
      const from = new URL('../../', import.meta.url).href;
      const data = { from, project: pathToFileURL(main).href };
      register('../project/inspection/own-copies.js', import.meta.url, { data });
    }
    await Promise.all([import('../project/inspection/describe-project.js'), import('@kubewright/runtime')]);
    post({ type: 'prepared' });
  }

  async #load(order: Extract<OperatorCommand, { readonly type: 'load' }>): Promise<void> {
    this.#root = order.root;
    process.on('uncaughtExceptionMonitor', (error) => this.#failed(error));
    const { INSPECTION } = await import('@kubewright/runtime/internal');
    (globalThis as Record<symbol, unknown>)[INSPECTION] = (manager: Manager) => this.#started(manager, order);
    process.argv[1] = this.#main;
    let isLoaded = false;
    process.once('beforeExit', () => {
      if (this.#go !== undefined) return;
      post({ type: 'failed', message: nothingStarted(isLoaded) });
    });
    // The channel must not keep the process alive, so that the process exits if the program starts nothing.
    process.channel?.unref();
    await import(pathToFileURL(this.#main).href);
    isLoaded = true;
  }

  /**
   * Called when the program starts a manager. Resolves when the parent process has sent `go`, and the manager then continues the start with
   * the returned options.
   */
  async #started(manager: Manager, order: Extract<OperatorCommand, { readonly type: 'load' }>): Promise<StartOptions> {
    const { describeProject } = await import('../project/inspection/describe-project.js');
    const { type: _, webhooks, ...modules } = order;
    const request = { ...modules, main: this.#main, hasOwnCopies: this.#hasOwnCopies };
    const exit = new Promise<void>((resolve) => {
      this.#go = resolve;
    });
    process.channel?.ref();
    post({ type: 'declares', inspected: await describeProject(request, manager) });
    await exit;
    process.channel?.unref();
    manager.on('started', async () => {
      post({ type: 'started' });
      this.#look(manager);
      manager.onActivity(() => this.#look(manager));
    });
    return webhooks === undefined ? {} : { webhooks: servedLocally(webhooks) };
  }
  #look(manager: Manager): void {
    const idle = manager.pending().length === 0;
    const reconciles = [...manager.stats().values()].reduce((sum, stats) => sum + stats.runs, 0);
    if (idle === this.#reported?.idle && (!idle || reconciles === this.#reported.reconciles)) return;
    this.#reported = { idle, reconciles };
    post({ type: 'idle', idle, reconciles });
  }
  #failed(error: unknown): void {
    const place = placeIn(this.#root, error);
    const message = maskText(messageOf(error));
    post({ type: 'failed', message: `${place === undefined ? '' : `${place}: `}${message}` });
  }
}

/** Returns the options of a webhook server with a fixed certificate on this machine. */
function servedLocally({ host, port, keyPair }: LocalWebhooks): NonNullable<StartOptions['webhooks']> {
  const certificates: ServingCertificates = {
    start: async () => keyPair,
    onChange: () => () => undefined,
    [Symbol.asyncDispose]: async () => undefined,
  };
  return { port, certificates, ...(host !== undefined && { host }) };
}

function post(notice: OperatorMessage): void {
  process.send?.(notice);
}

// Keeps the process alive until the first message arrives.
process.channel?.ref();
const operator = new OperatorProcess();
process.on('message', (order: OperatorCommand) => {
  operator.handle(order).catch((error: unknown) => {
    // Throws outside of the promise, so that Node.js prints the error as an uncaught exception and exits.
    setImmediate(() => {
      throw error;
    });
  });
});
