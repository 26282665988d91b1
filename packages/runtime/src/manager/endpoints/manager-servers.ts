import type { Clock } from '@kubewright/api/clock';
import type { Logger } from '../../log/logger.js';
import type { Metrics } from '../../metrics/metrics.js';
import { HealthServer, type HealthServerOptions } from '../../serving/health-server.js';
import { MetricsServer, type MetricsServerOptions } from '../../serving/metrics-server.js';
import type { ServedEndpoint } from '../../serving/served-endpoint.js';
import type { ClusterBackend } from '../cluster/cluster-backend.js';
import { ManagerHealth } from './manager-health.js';
import type { ManagerStatus } from '../lifecycle/manager-status.js';
import { ProfilingServer, type ProfilingServerOptions } from './profiling-server.js';

/** The options of the endpoints. False disables an endpoint. */
export interface EndpointOptions {
  readonly metrics?: MetricsServerOptions | false;
  readonly health?: HealthServerOptions | false;
  readonly profiling?: ProfilingServerOptions | false;
}

/** The endpoints of a manager. Disabled metrics and health endpoints exist but do not listen. */
export class ManagerServers {
  readonly metrics: MetricsServer;
  readonly health: ManagerHealth;
  /** The enabled endpoints with their names. */
  readonly served: readonly { readonly name: string; readonly service: ServedEndpoint }[];

  /** Creates the endpoints. Throws INVALID_SERVING_OPTIONS and INVALID_HEALTH_CHECK. */
  constructor(
    { metrics, health, profiling }: EndpointOptions,
    using: {
      readonly metrics: Metrics;
      readonly clock: Clock;
      readonly logger: Logger;
      readonly backend: ClusterBackend;
    },
  ) {
    const transport = async () => (await using.backend.connected()).transport;
    const healthServer = new HealthServer(health || {}, using);
    this.metrics = new MetricsServer(metrics || {}, { ...using, transport });
    this.health = new ManagerHealth(healthServer);
    this.served = [
      ...(health ? [{ name: 'health', service: healthServer }] : []),
      ...(metrics ? [{ name: 'metrics', service: this.metrics }] : []),
      ...(profiling ? [{ name: 'profiling', service: new ProfilingServer(profiling, using) }] : []),
    ];
  }

  /** The addresses of the endpoints that listen, by name. */
  get addresses(): ManagerStatus['endpoints'] {
    const listening = this.served.flatMap(({ name, service: { address } }) =>
      address === undefined ? [] : [[name, address] as const],
    );
    return Object.fromEntries(listening);
  }
}
