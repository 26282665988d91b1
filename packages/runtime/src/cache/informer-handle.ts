import type { KubeObject, ObjectKey } from '@kubewright/api';
import type { Change } from './change.js';
import { changesOf } from './change-stream.js';
import type { Index, IndexMatch } from './index-declaration.js';
import type { KindInformer } from './kind-informer.js';
import type { ListOptions } from './list-options.js';
import type { ReflectorStatus } from './reflector-status.js';
import type { ChangeHandler, HandlerRegistration, SharedInformer } from './shared-informer.js';

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

  get(key: ObjectKey): T | undefined {
    return this.#informer.get(key);
  }
  list(options?: ListOptions<T>): readonly T[] {
    return this.#informer.list(options);
  }
  byIndex(match: IndexMatch<T>): readonly T[] {
    return this.#informer.byIndex(match);
  }
  addIndex(index: Index<T>): void {
    this.#informer.addIndex(index);
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
  deleted(key: ObjectKey, resourceVersion?: string): void {
    this.#informer.deleted(key, resourceVersion);
  }
  isBehind(): Promise<boolean> {
    return this.#informer.isBehind();
  }
  onStatus(listener: (status: ReflectorStatus) => void): () => void {
    return this.#informer.onStatus(listener);
  }

  addHandler(handler: ChangeHandler<T>): HandlerRegistration {
    const registration = this.#informer.addHandler(handler);
    this.#registrations.add(registration);
    return {
      synced: registration.synced,
      remove: () => {
        this.#registrations.delete(registration);
        registration.remove();
      },
    };
  }

  changes(options: { readonly signal?: AbortSignal } = {}): AsyncIterable<Change<T>> {
    const ended = new AbortController();
    const end = (): void => ended.abort();
    for (const signal of [
      this.#ended.signal,
      this.#informer.closing,
      ...(options.signal === undefined ? [] : [options.signal]),
    ]) {
      if (signal.aborted) end();
      else signal.addEventListener('abort', end, { once: true, signal: ended.signal });
    }
    return changesOf<T>((handler) => this.addHandler(handler), ended.signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#ended.signal.aborted) return;
    this.#ended.abort();
    for (const registration of this.#registrations) registration.remove();
    this.#registrations.clear();
    await this.#release();
  }
}
