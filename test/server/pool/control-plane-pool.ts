/** A server that a pool leases to one user after the other. */
export interface PooledServer {
  /** Returns the server to its initial state. Rejects if this is not possible. */
  restore(): Promise<void>;
  stop(): Promise<void>;
}

/** A leased server. */
export interface Lease<S> {
  readonly server: S;
  /** Returns the server to the pool, which restores or discards the server. Resolves when the server is available again or stopped. */
  end(options: { readonly restore: boolean }): Promise<void>;
}

/** The options of a pool. */
export interface PoolOptions<K extends string, S extends PooledServer> {
  readonly start: (kind: K) => Promise<S>;
  /** The maximum number of running servers without a user, of all kinds together. */
  readonly maxIdle: number;
}

/** The number of servers and leases of a pool, and the reasons for which it discarded servers. */
export interface PoolReport {
  readonly started: number;
  readonly leased: number;
  readonly discarded: readonly string[];
}

interface Waiting<S> {
  readonly resolve: (server: S) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Leases running servers to users. Each server has one user at a time. Starts a server if no server of the requested kind is idle or being
 * restored for the lease. A user with several leases therefore never waits for the end of its own leases.
 */
export class ControlPlanePool<K extends string, S extends PooledServer> implements AsyncDisposable {
  readonly #options: PoolOptions<K, S>;
  /** The idle servers, in the order in which they became idle. */
  readonly #idle: { readonly kind: K; readonly server: S }[] = [];
  readonly #waiting = new Map<K, Waiting<S>[]>();
  readonly #restoring = new Map<K, number>();
  readonly #running = new Set<Promise<unknown>>();
  readonly #leased = new Set<S>();
  readonly #discarded: string[] = [];
  #leases = 0;
  #started = 0;
  #isClosed = false;

  constructor(options: PoolOptions<K, S>) {
    this.#options = options;
  }

  get report(): PoolReport {
    return { started: this.#started, leased: this.#leases, discarded: [...this.#discarded] };
  }

  /** Resolves with a server in its initial state. Rejects if the server does not start, and after the pool is closed. */
  lease(kind: K): Promise<Lease<S>> {
    return this.#tracked(this.#lease(kind));
  }

  /** Stops all servers, including the leased servers. Resolves when all servers have stopped. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    while (this.#running.size > 0) await Promise.allSettled(this.#running);
    const servers = [...this.#idle.splice(0).map(({ server }) => server), ...this.#leased];
    this.#leased.clear();
    await Promise.all(servers.map((server) => server.stop()));
  }

  async #lease(kind: K): Promise<Lease<S>> {
    const server = await this.#available(kind);
    if (this.#isClosed) {
      await server.stop();
      throw new Error('cannot lease a server: the pool is closed');
    }
    this.#leases++;
    this.#leased.add(server);
    return { server, end: ({ restore }) => this.#tracked(this.#end(kind, server, restore)) };
  }

  #available(kind: K): Promise<S> {
    if (this.#isClosed) return Promise.reject(new Error('cannot lease a server: the pool is closed'));
    const at = this.#idle.findLastIndex((idle) => idle.kind === kind);
    const [found] = at === -1 ? [] : this.#idle.splice(at, 1);
    if (found !== undefined) return Promise.resolve(found.server);
    const waiting = this.#waiting.get(kind) ?? [];
    if ((this.#restoring.get(kind) ?? 0) <= waiting.length) return this.#start(kind);
    return new Promise((resolve, reject) => {
      this.#waiting.set(kind, [...waiting, { resolve, reject }]);
    });
  }

  #start(kind: K): Promise<S> {
    this.#started++;
    return this.#tracked(this.#options.start(kind));
  }

  async #end(kind: K, server: S, restore: boolean): Promise<void> {
    if (!this.#leased.delete(server)) return;
    this.#restoring.set(kind, (this.#restoring.get(kind) ?? 0) + 1);
    const problem = restore ? await problemOf(server.restore()) : 'the user ended the lease without a restore';
    this.#restoring.set(kind, (this.#restoring.get(kind) ?? 0) - 1);
    const next = this.#waiting.get(kind)?.shift();
    if (problem === undefined) {
      if (next === undefined) await this.#keep(kind, server);
      else next.resolve(server);
      return;
    }
    this.#discarded.push(problem);
    if (next !== undefined) this.#start(kind).then(next.resolve, next.reject);
    await server.stop();
  }

  /** Adds a server to the idle servers. If there are too many, stops the server that has been idle for the longest time. */
  async #keep(kind: K, server: S): Promise<void> {
    this.#idle.push({ kind, server });
    if (this.#idle.length > this.#options.maxIdle) await this.#idle.shift()?.server.stop();
  }

  #tracked<T>(work: Promise<T>): Promise<T> {
    this.#running.add(work);
    const done = (): void => void this.#running.delete(work);
    work.then(done, done);
    return work;
  }
}

async function problemOf(work: Promise<void>): Promise<string | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
