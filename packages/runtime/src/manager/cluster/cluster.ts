import { SystemClock } from '@kubewright/api/clock';
import type { Cache } from '../../cache/cache.js';
import { CachedClient } from '../../client/cached-client.js';
import type { Client } from '../../client/client.js';
import type { EventRecorder } from '../../events/event-recorder.js';
import { loggerOf } from '../../log/logger-of.js';
import { PinoLogger } from '../../log/pino-logger.js';
import type { Discovery } from '../../transport/discovery/discovery.js';
import { BackendCache, ClusterBackend } from './cluster-backend.js';
import { ClusterConnection } from './cluster-connection.js';
import type { ClusterOptions } from './cluster-options.js';
import { EventRecorders } from './event-recorders.js';

const NAME = 'kubewright';

/** A connection to a cluster with a client and a cache. */
export interface Cluster extends AsyncDisposable {
  /** The client. Reads from the cache, and writes as the field manager kubewright. */
  readonly client: Client;
  /** The cache of this cluster. Use it to open informers and to wait for states of objects. */
  readonly cache: Cache;
  /** Records events in this cluster. */
  readonly events: EventRecorder;
  /** The connection to this cluster, for client-node and other libraries. */
  readonly connection: ClusterConnection;
  /** Finds the kinds that the server serves. Use it for kinds without a class, or if the served version is not known. */
  readonly discovery: Discovery;
}

/**
 * Connects to a cluster without a manager, for scripts and services that do not run controllers. Sends no request before the first read or
 * write. If `implicitInformers` is false, the client can read only the kinds in `cache.kinds` from the cache.
 *
 * Rejects with INVALID_KUBECONFIG, NO_CLUSTER, INVALID_CACHE and INVALID_EVENT_OPTIONS.
 *
 * @example
 * await using cluster = await connect({ context: 'edge' });
 * const nodes = await cluster.client.list(Node);
 */
export async function connect(options: ClusterOptions = {}): Promise<Cluster> {
  const clock = new SystemClock();
  const logger = options.logger === undefined ? await PinoLogger.create({ level: 'warn' }) : loggerOf(options.logger);
  const backend = new ClusterBackend(options, { clock, logger });
  const { discovery } = await backend.connected();
  const events = new EventRecorders({
    ...options.events,
    transport: async () => (await backend.connected()).transport,
    clock,
    logger,
  });
  const declared =
    options.implicitInformers === false ? ({ declared: backend.listedKinds, declaredBy: 'cache' } as const) : {};
  const client = new CachedClient({
    backend: () => backend.connected(),
    clock,
    logger,
    fieldManager: NAME,
    ...declared,
  });
  return {
    client,
    cache: new BackendCache(backend),
    events: events.of(NAME),
    connection: new ClusterConnection(async () => (await backend.connected()).connection),
    discovery,
    [Symbol.asyncDispose]: async () => {
      await events.close();
      await backend.close();
    },
  };
}
