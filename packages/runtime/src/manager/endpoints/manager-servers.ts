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

/** The endpoints of a manager: metrics, health and profiling. If metrics or health are disabled, their servers exist but do not listen. */
export class ManagerServers {
  readonly metrics: MetricsServer;
  readonly health: ManagerHealth;
  /** The enabled endpoints and their names. */
  readonly served: readonly { readonly name: string; readonly service: ServedEndpoint }[];

  /** Creates the servers from the options. Throws INVALID_SERVING_OPTIONS and INVALID_HEALTH_CHECK. */
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

  /** The address of each endpoint that listens, by the name of the endpoint. */
  get addresses(): ManagerStatus['endpoints'] {
    const listening = this.served.flatMap(({ name, service: { address } }) =>
      address === undefined ? [] : [[name, address] as const],
    );
    return Object.fromEntries(listening);
  }
}
