import { deepFreeze, isMetadataOnly, type KindRef, type KubeObject } from '@kubewright/api';
import type { Clock } from '@kubewright/api/clock';
import { KubewrightError } from '@kubewright/api/errors';
import { kindRefOf, toMetadataOnly } from '@kubewright/api/metadata';
import { Cache } from '../../cache/cache.js';
import type { Informer, InformerOptions, InformerStatistics } from '../../cache/informer/informer.js';
import type { WaitOptions } from '../../waiting/bounded-wait.js';
import { InformerCache } from '../../cache/informer-cache.js';
import { informerReading } from '../../cache/informer/informer-reading.js';
import { type ResolvedCacheOptions, resolveCacheOptions } from '../../cache/selection/resolve-cache-options.js';
import { ServedKinds } from '../../cache/served/served-kinds.js';
import type { DeclaredKind } from '../../client/requests/client-backend.js';
import { currentPlanning, Planning } from '../../client/plan/planning.js';
import type { JsonPatchOperation } from '../../controller/finalizers/finalizer-patches.js';
import type { Logger } from '../../log/logger.js';
import type { Metrics } from '../../metrics/metrics.js';
import { openTracer, type Tracer } from '../../tracing/tracer.js';
import { Discovery } from '../../transport/discovery/discovery.js';
import { objectAnswerOf } from '../../transport/answer/object-answer.js';
import { loadConnection } from '../../transport/kubeconfig/load-connection.js';
import type { Connection } from '../../transport/connection/connection.js';
import type { TransportOptions } from '../../transport/request/request-options.js';
import { RequestSpans } from '../../transport/observation/request-spans.js';
import { resourcePath } from '../../transport/request/resource-path.js';
import { Transport } from '../../transport/sending/transport.js';
import type { ClusterOptions } from './cluster-options.js';

/** An open connection to a cluster, and the components that use it. */
export interface ConnectedBackend {
  readonly connection: Connection;
  readonly transport: Transport;
  readonly discovery: Discovery;
  readonly cache: InformerCache;
  readonly served: ServedKinds;
  /** The tracer of the process. Undefined if no OpenTelemetry SDK was registered when the connection was opened. */
  readonly tracer: Tracer | undefined;
  readonly namespaces: readonly string[] | undefined;
}

/** Opens the connection to a cluster at the first use. */
export class ClusterBackend {
  readonly #options: ClusterOptions;
  readonly #cacheOptions: ResolvedCacheOptions;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #metrics: Metrics | undefined;
  #endMetrics: (() => void) | undefined;
  #connected: Promise<ConnectedBackend> | undefined;
  #cache: InformerCache | undefined;
  #closed = false;
  /** The plan that records writes instead of sending them. Undefined if writes are sent. */
  #planning = currentPlanning();

  /** Creates a backend without opening the connection. Throws INVALID_CACHE. */
  constructor(
    options: ClusterOptions,
    using: { readonly clock: Clock; readonly logger: Logger; readonly metrics?: Metrics },
  ) {
    this.#options = options;
    this.#cacheOptions = resolveCacheOptions(options.cache, options.namespaces);
    this.#clock = using.clock;
    this.#logger = using.logger;
    this.#metrics = using.metrics;
  }

  /** The kinds in the option `cache.kinds`. */
  get listedKinds(): readonly DeclaredKind[] {
    return this.#cacheOptions.listed.map((kind) => ({ kind }));
  }

  /** The cache with the informers. Undefined before the connection is open. */
  get cache(): InformerCache | undefined {
    return this.#cache;
  }

  /**
   * Switches to planning: only reads are sent, and the returned `Planning` records the writes. Throws ALREADY_STARTED if a connection that
   * sends writes is already open.
   */
  plan(): Planning {
    if (this.#planning === undefined && this.#connected !== undefined) {
      const message =
        'the manager already has a connection that sends writes; call manager.plan() before other methods';
      throw new KubewrightError('ALREADY_STARTED', message);
    }
    this.#planning ??= new Planning();
    return this.#planning;
  }
  /**
   * Opens the connection at the first call. Every call returns the same connection; after a failure, the next call connects again. Rejects
   * with STOPPED if the backend was closed before it was connected.
   */
  connected(): Promise<ConnectedBackend> {
    if (this.#closed && this.#connected === undefined) {
      return Promise.reject(
        new KubewrightError('STOPPED', 'cannot connect to the API server: the manager was stopped'),
      );
    }
    if (this.#connected === undefined) {
      const connected = this.#connect();
      connected.catch(() => {
        if (this.#connected === connected) this.#connected = undefined;
      });
      this.#connected = connected;
    }
    return this.#connected;
  }
  /** Closes all watches and requests. */
  async close(): Promise<void> {
    this.#closed = true;
    // If connecting failed, the caller of `connected` received the error, and there is nothing to close.
    const connected = await this.#connected?.catch(() => undefined);
    this.#endMetrics?.();
    await connected?.cache.close();
    await connected?.transport.close();
  }

  /** Sends a JSON patch with the given field manager. Resolves with the frozen object after the patch. */
  async patch(
    object: KubeObject,
    operations: readonly JsonPatchOperation[],
    fieldManager: string,
  ): Promise<KubeObject> {
    const { transport, discovery } = await this.connected();
    const info = await discovery.resolve(kindRefOf(object));
    const { name, namespace } = object.metadata;
    const attempted = `change the finalizers of ${info.kind} ${name}`;
    const answer = await transport.request<unknown>({
      method: 'PATCH',
      path: resourcePath(info, { name, namespace }),
      query: { fieldManager },
      body: operations,
      contentType: 'application/json-patch+json',
      attempted,
    });
    const patched = objectAnswerOf(answer, { resource: info, attempted, name, namespace });
    return deepFreeze(isMetadataOnly(object) ? (toMetadataOnly(patched) as unknown as KubeObject) : patched);
  }

  async #connect(): Promise<ConnectedBackend> {
    const { kubeconfig, context, execPolicy, requestLimit, requestTimeout, protobuf, warnings, observers } =
      this.#options;
    const clock = this.#clock;
    const logger = this.#logger;
    const tracer = await openTracer();
    const connection =
      this.#options.connection ?? (await loadConnection({ kubeconfig, context, execPolicy, clock, logger, observers }));
    const transport = await this.#transport(connection, {
      clock,
      logger,
      metrics: this.#metrics,
      requestLimit,
      requestTimeout,
      protobuf,
      warnings,
      observers: tracer === undefined ? observers : [...(observers ?? []), new RequestSpans(tracer)],
    });
    const discovery = new Discovery(transport);
    const cache = new InformerCache({ transport, discovery, clock, logger, options: this.#cacheOptions });
    this.#cache = cache;
    const served = new ServedKinds({ discovery, clock, logger });
    const endInformers = this.#metrics?.followInformers(() => cache.informers().map(informerReading));
    const endServed = this.#metrics?.followServedKinds(() => served.readings());
    this.#endMetrics = () => {
      endInformers?.();
      endServed?.();
    };
    return {
      connection,
      transport,
      discovery,
      cache,
      served,
      tracer,
      get namespaces() {
        return cache.namespaces;
      },
    };
  }

  /** Creates the transport. Loads the code of the planning transport only for a plan. */
  async #transport(connection: Connection, options: TransportOptions): Promise<Transport> {
    const planning = this.#planning;
    if (planning === undefined) return new Transport(connection, options);
    const { PlanningTransport } = await import('../../client/plan/planning-transport.js');
    return new PlanningTransport(connection, { ...options, planning });
  }
}

/** A cache that opens the connection at the first use. */
export class BackendCache extends Cache {
  readonly #backend: ClusterBackend;
  constructor(backend: ClusterBackend) {
    super();
    this.#backend = backend;
  }
  override async informer<T extends KubeObject>(kind: KindRef<T>, options?: InformerOptions<T>): Promise<Informer<T>> {
    return (await this.#connected()).informer(kind, options);
  }
  override informers(): readonly InformerStatistics[] {
    return this.#backend.cache?.informers() ?? [];
  }
  override async seen(object: KubeObject, options?: WaitOptions): Promise<void> {
    await (await this.#connected()).seen(object, options);
  }
  override async addNamespace(namespace: string, options?: { readonly signal?: AbortSignal }): Promise<void> {
    await (await this.#connected()).addNamespace(namespace, options);
  }
  override async removeNamespace(namespace: string): Promise<void> {
    await (await this.#connected()).removeNamespace(namespace);
  }

  async #connected(): Promise<InformerCache> {
    return (await this.#backend.connected()).cache;
  }
}
