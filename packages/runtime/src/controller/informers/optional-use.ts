import type { KubeObject } from '@kubewright/api';
import type { Clock } from '@kubewright/api/clock';
import { retryWithBackOff } from '../../waiting/retry-with-back-off.js';
import type { KindFollower } from '../../cache/served/served-kinds.js';
import type { Logger } from '../../log/logger.js';
import type { ControllerInformer } from './controller-informer.js';

/** Opens a declaration of an optional kind, which is a watch or a read. Resolves without waiting for the first list. */
export type OpenDeclaration = () => Promise<OpenedDeclaration>;
/** A declaration of an optional kind that is open. */
export interface OpenedDeclaration {
  readonly informer: ControllerInformer<KubeObject>;
  close(): Promise<void>;
}

export interface OptionalUseOptions {
  /** The name of the kind, for log lines. */
  readonly name: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly open: OpenDeclaration;
  /** Called each time the declaration is opened or closed, except for the opening in `begin` and the closing in `close`. */
  readonly onChange: (isOpen: boolean) => void;
}

/**
 * One declaration of an optional kind. Opens and closes the declaration, one step at a time, when the API server starts and stops serving
 * the kind.
 */
export class OptionalUse {
  readonly #options: OptionalUseOptions;
  readonly #closing = new AbortController();
  #follower: KindFollower | undefined;
  #hasStarted = false;
  #opened: { readonly declaration: OpenedDeclaration; readonly forget: () => void } | undefined;
  #settling: Promise<void> | undefined;

  constructor(options: OptionalUseOptions) {
    this.#options = options;
  }

  /** Opens the declaration if the kind is served. Rejects with the error of `open`. `close` also disposes of the follower. */
  async begin(follower: KindFollower): Promise<void> {
    this.#follower = follower;
    if (follower.isServed) await this.#open();
    this.#hasStarted = true;
    if (this.#closing.signal.aborted) await this.#close();
    this.settle();
  }

  /** Opens the declaration if the API server serves the kind, otherwise closes it. Retries in the background after an error. */
  settle(): void {
    if (!this.#hasStarted || this.#isSettled) return;
    this.#settling ??= this.#settle().finally(() => {
      this.#settling = undefined;
      this.settle();
    });
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#follower?.[Symbol.dispose]();
    await this.#settling;
    await this.#close();
  }

  get #isSettled(): boolean {
    return this.#closing.signal.aborted || this.#follower?.isServed === (this.#opened !== undefined);
  }

  async #settle(): Promise<void> {
    const { clock, logger, name } = this.#options;
    const { signal } = this.#closing;
    const onFailure = (error: unknown): void => {
      logger.warn(`cannot open a watch or read of the optional kind ${name}; trying again`, { error });
      this.#follower?.doubt();
    };
    try {
      await retryWithBackOff(() => this.#change(), { clock, signal, onFailure });
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  async #change(): Promise<void> {
    while (!this.#isSettled) {
      if (this.#opened === undefined) await this.#open();
      else await this.#close();
      if (!this.#closing.signal.aborted) this.#options.onChange(this.#opened !== undefined);
    }
  }

  async #open(): Promise<void> {
    const declaration = await this.#options.open();
    const { informer } = declaration;
    const check = (): void => {
      if (informer.status.problem?.code === 'KIND_NOT_SERVED') this.#follower?.doubt();
    };
    this.#opened = { declaration, forget: informer.onStatus(check) };
    check();
  }

  async #close(): Promise<void> {
    const opened = this.#opened;
    this.#opened = undefined;
    opened?.forget();
    await opened?.declaration.close();
  }
}
