import type { KubeObject } from '@kubewright/api';
import type { Clock } from '@kubewright/api/clock';
import type { Cache } from '../../cache/cache.js';
import type { WatchedScope } from '../../cache/informer/scopes/watched-scope.js';
import { CachedClient } from '../../client/cached-client.js';
import type { DeclaredKind } from '../../client/requests/client-backend.js';
import type { Client } from '../../client/client.js';
import type { EventRecorder } from '../../events/event-recorder.js';
import type { Logger } from '../../log/logger.js';
import type { Metrics } from '../../metrics/metrics.js';
import { BackendCache, ClusterBackend, type ConnectedBackend } from './cluster-backend.js';
import { ClusterConnection } from './cluster-connection.js';
import { EventRecorders } from './event-recorders.js';
import { type InformerStatus, informerStatus } from '../lifecycle/manager-status.js';
import type { ClusterOptions } from './cluster-options.js';

const NAME = 'kubewright-manager';

/** The options of the cluster to which a manager connects. */
export interface ManagerClusterOptions {
  readonly cluster: ClusterOptions;
  /** Whether clients may read kinds that are not declared. */
  readonly implicitInformers: boolean;
  /** Wraps the client of a controller, or of the manager if the name is undefined. */
  readonly client: (client: Client, controller: string | undefined) => Client;
}

/** The cluster of a manager: the connection, the client, the cache and the event recorder. The connection is opened at the first use. */
export class ManagerCluster {
  readonly backend: ClusterBackend;
  readonly recorders: EventRecorders;
  readonly client: Client;
  readonly cache: Cache;
  readonly events: EventRecorder;
  readonly connection = new ClusterConnection(async () => (await this.connected()).connection);
  #connected: ConnectedBackend | undefined;

  /**
   * `declared` contains the kinds that the client may read from the cache. The caller adds kinds to this list when controllers are added.
   */
  constructor(
    options: ManagerClusterOptions,
    using: {
      readonly clock: Clock;
      readonly logger: Logger;
      readonly metrics: Metrics;
      readonly declared: readonly DeclaredKind[];
    },
  ) {
    const { declared, ...others } = using;
    this.backend = new ClusterBackend(options.cluster, others);
    this.recorders = new EventRecorders({
      ...options.cluster.events,
      ...others,
      transport: async () => (await this.connected()).transport,
    });
    const client = new CachedClient({
      ...others,
      backend: () => this.connected(),
      fieldManager: NAME,
      ...(!options.implicitInformers && { declared, declaredBy: 'cache' as const }),
    });
    this.client = options.client(client, undefined);
    this.cache = new BackendCache(this.backend);
    this.events = this.recorders.of(NAME);
  }

  /** Opens the connection at the first call. Every call returns the same connection. */
  async connected(): Promise<ConnectedBackend> {
    this.#connected = await this.backend.connected();
    return this.#connected;
  }
  /** Returns the status of each informer. The list is empty before the connection is open. */
  informers(): readonly InformerStatus[] {
    return this.#connected?.cache.informers().map(({ status }) => informerStatus(status)) ?? [];
  }
  /** Returns the watched parts of all informers. The list is empty before the connection is open. */
  scopes(): readonly WatchedScope<KubeObject>[] {
    return this.#connected?.cache.scopes() ?? [];
  }
  /** Returns the kinds whose informers have not yet processed all changes up to this resourceVersion. */
  async caughtUp(resourceVersion: string): Promise<readonly string[]> {
    const { cache } = await this.connected();
    const behind = cache.informers().filter((informer) => informer.waiting > 0 || !informer.hasPassed(resourceVersion));
    return behind.map(({ kind }) => kind);
  }
  /**
   * Lists the objects of each watched kind. Returns the kinds whose informers have an older state than the server or whose handlers have
   * pending changes.
   */
  async behind(): Promise<readonly string[]> {
    const { cache } = await this.connected();
    return cache.behind();
  }
}
