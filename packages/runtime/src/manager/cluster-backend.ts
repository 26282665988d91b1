import { deepFreeze, type KindRef, type KubeObject } from '@kubewright/api';
import type { Clock } from '@kubewright/api/clock';
import { KubewrightError } from '@kubewright/api/errors';
import { kindRefOf } from '@kubewright/api/metadata';
import { Cache, type Informer } from '../cache/cache.js';
import { InformerCache } from '../cache/informer-cache.js';
import type { ListOptions } from '../cache/list-options.js';
import type { JsonPatchOperation } from '../controller/finalizer.js';
import type { Logger } from '../log/logger.js';
import type { Metrics } from '../metrics/metrics.js';
import { Discovery } from '../transport/discovery.js';
import { loadConnection } from '../transport/load-connection.js';
import { resourcePath } from '../transport/resource-path.js';
import { Transport } from '../transport/transport.js';
import type { ClusterOptions } from './cluster-options.js';

/** The connection to a cluster with what stands on it. */
export interface ConnectedBackend {
  readonly transport: Transport;
  readonly discovery: Discovery;
  readonly cache: InformerCache;
  readonly namespaces: readonly string[] | undefined;
}

/** Connects when it is first needed. */
export class ClusterBackend {
  readonly #options: ClusterOptions;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #metrics: Metrics | undefined;
  #connected: Promise<ConnectedBackend> | undefined;
  #closed = false;

  constructor(
    options: ClusterOptions,
    using: { readonly clock: Clock; readonly logger: Logger; readonly metrics?: Metrics },
  ) {
    this.#options = options;
    this.#clock = using.clock;
    this.#logger = using.logger;
    this.#metrics = using.metrics;
  }

  /** The connection; every call gives the same. A failure is not remembered. Rejects with STOPPED once it was closed without one. */
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
  /** Ends every watch and every request. */
  async close(): Promise<void> {
    this.#closed = true;
    // Who asked for the connection was told why there is none; then there is nothing to close.
    const connected = await this.#connected?.catch(() => undefined);
    await connected?.cache.close();
    await connected?.transport.close();
  }

  /** Sends a JSON patch for somebody, and resolves with the object as it is then, frozen. */
  async patch(
    object: KubeObject,
    operations: readonly JsonPatchOperation[],
    fieldManager: string,
  ): Promise<KubeObject> {
    const { transport, discovery } = await this.connected();
    const info = await discovery.resolve(kindRefOf(object));
    const { name, namespace } = object.metadata;
    const patched = await transport.request<KubeObject>({
      method: 'PATCH',
      path: resourcePath(info, { name, namespace }),
      query: { fieldManager },
      body: operations,
      contentType: 'application/json-patch+json',
      attempted: `change the finalizers of ${info.kind} ${name}`,
    });
    return deepFreeze(patched);
  }

  async #connect(): Promise<ConnectedBackend> {
    const { connection, kubeconfig, context, namespaces, requestLimit, requestTimeout, warnings, observers } =
      this.#options;
    const clock = this.#clock;
    const logger = this.#logger;
    const transport = new Transport(connection ?? (await loadConnection({ kubeconfig, context, clock })), {
      clock,
      logger,
      metrics: this.#metrics,
      requestLimit,
      requestTimeout,
      warnings,
      observers,
    });
    const discovery = new Discovery(transport);
    const cache = new InformerCache({ transport, discovery, clock, logger, namespaces });
    return { transport, discovery, cache, namespaces };
  }
}

/** The cache of a connection that may not be there yet. */
export class BackendCache extends Cache {
  readonly #backend: ClusterBackend;
  constructor(backend: ClusterBackend) {
    super();
    this.#backend = backend;
  }
  override async informer<T extends KubeObject>(
    kind: KindRef<T>,
    options?: Pick<ListOptions<T>, 'namespace' | 'labels'>,
  ): Promise<Informer<T>> {
    const { cache } = await this.#backend.connected();
    return cache.informer(kind, options);
  }
}
