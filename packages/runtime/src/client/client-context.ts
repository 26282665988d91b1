import type { KindRef, KubeObject } from '@kubewright/api';
import type { Clock } from '@kubewright/api/clock';
import type { CachedClientOptions, ClientBackend } from './client-backend.js';
import { KnownKinds } from './known-kinds.js';
import { currentScope } from './reconcile-scope.js';
import type { Target } from './target.js';
import type { Write } from './write.js';

/** What the parts of one client have in common: where they send requests, and on whose behalf. */
export class ClientContext {
  readonly clock: Clock;
  readonly #options: CachedClientOptions;
  readonly #kinds: KnownKinds;
  #backend: Promise<ClientBackend> | undefined;

  constructor(options: CachedClientOptions) {
    this.clock = options.clock;
    this.#options = options;
    this.#kinds = new KnownKinds([...(options.kinds ?? []), ...(options.owns ?? [])]);
  }

  /** Connects at the first call. A failure is not remembered. */
  backend(): Promise<ClientBackend> {
    this.signal?.throwIfAborted();
    if (this.#backend === undefined) {
      const { backend } = this.#options;
      const connected = (async () => (typeof backend === 'function' ? await backend() : backend))();
      connected.catch(() => {
        this.#backend = undefined;
      });
      this.#backend = connected;
    }
    return this.#backend;
  }
  /** Where a kind is served and what is known of it. */
  async targetOf(kind: KindRef): Promise<Target> {
    this.#kinds.meet(kind);
    const { discovery } = await this.backend();
    return this.#kinds.targetOf(kind, discovery);
  }
  /** The same for the kind that an object says it has. */
  async targetOfObject(object: KubeObject): Promise<Target> {
    for (const { kind } of this.#options.declared ?? []) this.#kinds.meet(kind);
    return this.targetOf(this.#kinds.of(object));
  }
  /** Name of the writes in managed fields. */
  get fieldManager(): string {
    return currentScope()?.controller ?? this.#options.fieldManager;
  }
  /** Value of the owner label. */
  get controllerName(): string {
    return currentScope()?.controller ?? this.#options.controllerName ?? this.#options.fieldManager;
  }
  /** The kinds of children, or undefined where nobody declared any. */
  get owns(): readonly KindRef[] | undefined {
    return currentScope()?.owns ?? this.#options.owns;
  }
  get signal(): AbortSignal | undefined {
    return currentScope()?.signal;
  }
  /** Tells who wants to know. */
  wrote(write: Write): void {
    this.#options.onWrite?.(write);
    currentScope()?.onWrite?.(write);
  }
}
