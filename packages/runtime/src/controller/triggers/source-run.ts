import type { ObjectKey } from '@kubewright/api';
import { KubewrightError, messageOf } from '@kubewright/api/errors';
import { abortable } from '../../waiting/abortable.js';
import { readKey } from '../watches/reconcile-key.js';
import type { EnqueueOptions, Source, SourceTarget } from '../sources/source.js';
import type { TriggerContext } from './trigger-context.js';

/** The state of a source. In the state 'failed', the source has ended with an error. */
type State = 'new' | 'starting' | 'syncing' | 'running' | 'failed' | 'closed';

/** Runs one source of a controller, from its start until it is closed. */
export class SourceRun {
  readonly #source: Source;
  readonly #context: TriggerContext;
  readonly #closing = new AbortController();
  readonly #works = new Set<Promise<void>>();
  readonly #failure: Promise<never>;
  #fail: (error: unknown) => void = () => undefined;
  #state: State = 'new';
  #broken: { readonly error: unknown } | undefined;
  #synced: Promise<void> | undefined;
  #busy = 0;

  constructor(source: Source, context: TriggerContext) {
    this.#source = source;
    this.#context = context;
    this.#failure = new Promise((_, reject) => {
      this.#fail = reject;
    });
    // Prevents an unhandled rejection. The start of the source handles a failure, and later failures are only logged.
    this.#failure.catch(() => undefined);
  }

  /** Why the source is not ready, as a sentence. Undefined if the source is ready. */
  get problem(): string | undefined {
    const of = `source '${this.#source.name}' of controller '${this.#context.options.name}'`;
    switch (this.#state) {
      case 'starting':
        return `${of} has not started yet: 'start' must return; run ongoing work with 'track'`;
      case 'syncing':
        return `${of} is not synced yet${this.#source.problem === undefined ? '' : `: ${this.#source.problem}`}`;
      case 'failed':
        return `${of} has failed: ${messageOf(this.#broken?.error)}`;
      default:
        return this.#source.problem === undefined ? undefined : `${of}: ${this.#source.problem}`;
    }
  }
  /** The number of unfinished operations that the source registered with `busy`. */
  get pending(): number {
    return this.#busy;
  }

  /**
   * Starts the source at the first call. Resolves when the source is synced. Rejects with SOURCE_FAILED, with STOPPED if the source is
   * closed while it starts, and with the reason of the signal.
   */
  synced(signal: AbortSignal): Promise<void> {
    this.#synced ??= this.#start();
    return abortable(this.#synced, signal);
  }
  /** Closes the source. Resolves when all tracked work of the source has ended. */
  async close(): Promise<void> {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    this.#closing.abort(new KubewrightError('STOPPED', `source '${this.#source.name}' is closed`));
    await Promise.all(this.#works);
  }

  async #start(): Promise<void> {
    const { signal } = this.#closing;
    try {
      this.#state = 'starting';
      await this.#within(signal, async () => this.#source.start(this.#target(), signal));
      this.#state = 'syncing';
      await this.#within(signal, async () => this.#source.synced?.(signal));
      if (this.#broken !== undefined) throw this.#broken.error;
      this.#state = 'running';
    } catch (error) {
      signal.throwIfAborted();
      this.#state = 'failed';
      this.#broken = { error };
      const { options } = this.#context;
      throw new KubewrightError(
        'SOURCE_FAILED',
        `cannot start controller '${options.name}': its source '${this.#source.name}' failed: ${messageOf(error)}`,
        { cause: error },
      );
    }
  }
  /** Runs a step of the start. Rejects if the source fails or is closed during the step. */
  async #within(signal: AbortSignal, step: () => Promise<void>): Promise<void> {
    await abortable(Promise.race([this.#failure, step()]), signal);
  }
  #target(): SourceTarget {
    return {
      clock: this.#context.dependencies.clock,
      enqueue: (key, options) => this.#enqueue(key, options),
      track: (work) => this.#track(work),
      busy: (work) => this.#wait(work),
      failed: (error) => this.#failed(error),
    };
  }
  #enqueue(key: ObjectKey, { priority, after, reason }: EnqueueOptions = {}): void {
    if (this.#closing.signal.aborted) return;
    const { options, namespaced, target } = this.#context;
    try {
      const given = { name: key?.name, namespace: key?.namespace, priority, after };
      const { id, afterMs, ...read } = readKey(given, { kindName: options.kindName, namespaced });
      const { name } = this.#source;
      const source = reason === undefined ? name : `${name}: ${reason}`;
      target.trigger(id, { cause: { kind: 'watched', source }, priority: read.priority, afterMs });
    } catch (error) {
      this.#failed(error);
    }
  }
  #track(work: Promise<unknown>): void {
    const tracked = work.then(
      () => undefined,
      (error: unknown) => this.#ended(error),
    );
    this.#works.add(tracked);
    void tracked.then(() => this.#works.delete(tracked));
  }
  #wait(work: Promise<unknown>): void {
    this.#busy++;
    const ended = (): void => {
      this.#busy--;
      this.#context.dependencies.onActivity();
    };
    void work.catch((error: unknown) => this.#failed(error)).then(ended);
  }
  #failed(error: unknown): void {
    if (this.#closing.signal.aborted) return;
    this.#context.errors.report({
      origin: 'source',
      message: 'an error occurred in a source',
      source: this.#source.name,
      error,
    });
  }
  #ended(error: unknown): void {
    if (this.#closing.signal.aborted) return;
    this.#broken = { error };
    this.#fail(error);
    if (this.#state === 'running') {
      this.#state = 'failed';
      this.#failed(error);
    }
    this.#context.dependencies.onActivity();
  }
}
