import type { KubeObject, ObjectKey } from '@kubewright/api';
import { KubewrightError } from '@kubewright/api/errors';
import { awaitedState, type StateTest } from './awaited-state.js';
import type { ChangesOptions, WaitOptions } from './cache.js';
import { changesOf } from './change-stream.js';
import type { Change } from './change.js';
import { filteredHandler } from './filtered-handler.js';
import type { Index, IndexMatch } from './index-declaration.js';
import type { KindInformer } from './kind-informer.js';
import type { ListOptions } from './list-options.js';
import type { Deletion } from './overlay.js';
import type { ReadOptions } from './read-options.js';
import type { ReflectorStatus } from './reflector-status.js';
import type { ChangeHandler, HandlerOptions, HandlerRegistration, SharedInformer } from './shared-informer.js';

/** One holder's share of an informer. Disposing of it removes the holder's handlers, and stops the informer when it is the last. */
export class InformerHandle<T extends KubeObject> implements SharedInformer<T> {
  readonly #informer: KindInformer<T>;
  readonly #release: () => Promise<void>;
  readonly #registrations = new Set<HandlerRegistration>();
  readonly #ended = new AbortController();

  constructor(informer: KindInformer<T>, release: () => Promise<void>) {
    this.#informer = informer;
    this.#release = release;
  }

  get kind(): string {
    return this.#informer.kind;
  }
  get apiVersion(): string {
    return this.#informer.apiVersion;
  }
  get namespaces(): readonly string[] | undefined {
    return this.#informer.namespaces;
  }
  get labels(): string | undefined {
    return this.#informer.labels;
  }
  get fields(): string | undefined {
    return this.#informer.fields;
  }
  get metadataOnly(): boolean {
    return this.#informer.metadataOnly;
  }
  get bytes(): number {
    return this.#informer.bytes;
  }
  get size(): number {
    return this.#informer.size;
  }
  get resourceVersion(): string {
    return this.#informer.resourceVersion;
  }
  get waiting(): number {
    return this.#informer.waiting;
  }
  get status(): ReflectorStatus {
    return this.#informer.status;
  }

  get(key: ObjectKey, options?: ReadOptions): T | undefined {
    return this.#informer.get(key, options);
  }
  list(options?: ListOptions<T>): readonly T[] {
    return this.#informer.list(options);
  }
  byIndex(match: IndexMatch<T> | readonly IndexMatch<T>[]): readonly T[] {
    return this.#informer.byIndex(match);
  }
  addIndex(index: Index<T>): void {
    this.#informer.addIndex(index);
  }
  removeIndex(index: Index<T>): void {
    this.#informer.removeIndex(index);
  }
  get hasSynced(): boolean {
    return this.#informer.hasSynced;
  }
  synced(): Promise<void> {
    return this.#informer.synced();
  }
  covers(namespace: string | undefined): boolean {
    return this.#informer.covers(namespace);
  }
  wrote(object: T): void {
    this.#informer.wrote(object);
  }
  deleted(key: ObjectKey, deletion?: Deletion): void {
    this.#informer.deleted(key, deletion);
  }
  hasSeen(object: KubeObject): boolean {
    return this.#informer.hasSeen(object);
  }
  isBehind(): Promise<boolean> {
    return this.#informer.isBehind();
  }
  onStatus(listener: (status: ReflectorStatus) => void): () => void {
    return this.#informer.onStatus(listener);
  }

  addHandler(handler: ChangeHandler<T>, options?: HandlerOptions): HandlerRegistration {
    const registration = this.#informer.addHandler(handler, options);
    this.#registrations.add(registration);
    return {
      synced: registration.synced,
      remove: () => {
        this.#registrations.delete(registration);
        registration.remove();
      },
    };
  }

  changes({ filter, resync, signal }: ChangesOptions<T> = {}): AsyncIterable<Change<T>> {
    const seen = (all: ChangeHandler<T>): ChangeHandler<T> =>
      filter === undefined ? all : filteredHandler(filter, all);
    return changesOf<T>(
      (handler) => this.addHandler(seen(handler), { resync }),
      () => this.#endedBy(signal),
    );
  }

  async until(key: ObjectKey, isSo: (now: T) => boolean, options?: WaitOptions): Promise<T> {
    const wanted = 'as it should';
    return (await this.#await(key, { wanted, isSo: (now) => now !== undefined && isSo(now), ...options })) as T;
  }

  async gone({ metadata }: KubeObject, options?: WaitOptions): Promise<void> {
    const isOther = ({ uid }: KubeObject['metadata']): boolean => Boolean(metadata.uid) && uid !== metadata.uid;
    await this.#await(metadata, {
      wanted: 'gone',
      isSo: (now) => now === undefined || isOther(now.metadata),
      ...options,
    });
  }

  async #await(
    key: ObjectKey,
    options: WaitOptions & { readonly isSo: StateTest<T>; readonly wanted: string },
  ): Promise<T | undefined> {
    const ended = this.#endedBy();
    try {
      return await awaitedState(this, key, { ...options, clock: this.#informer.clock, ended: ended.signal });
    } finally {
      ended.abort();
    }
  }

  /** Aborted when the informer is closed, when this holder leaves, and with the signal. */
  #endedBy(given?: AbortSignal): AbortController {
    const ended = new AbortController();
    const end = (): void =>
      ended.abort(new KubewrightError('INFORMER_CLOSED', `the informer of ${this.kind} was closed`));
    for (const signal of [this.#ended.signal, this.#informer.closing, ...(given === undefined ? [] : [given])]) {
      if (signal.aborted) end();
      else signal.addEventListener('abort', end, { once: true, signal: ended.signal });
    }
    return ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#ended.signal.aborted) return;
    this.#ended.abort();
    for (const registration of this.#registrations) registration.remove();
    this.#registrations.clear();
    await this.#release();
  }
}
