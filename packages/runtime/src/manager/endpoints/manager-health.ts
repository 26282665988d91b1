import type { HealthCheck } from '../../serving/health-check.js';
import type { HealthServer } from '../../serving/health-server.js';

/**
 * The health checks of a manager. The checks exist even if they are not served.
 *
 * The manager's own checks:
 * - `/healthz/ping`: always succeeds
 * - `/healthz/leader-election`: fails if this replica was the leader, could not renew the Lease, and still runs after `healthTolerance`
 * - `/readyz/manager`: succeeds if `manager.readiness()` reports that the manager is ready
 * - `/readyz/controller-NAME`: succeeds if the objects of the controller's kinds are available and the sources work
 *
 * @example
 * manager.health.addReadyCheck({ name: 'database', check: () => database.ping() });
 */
export class ManagerHealth {
  readonly #server: HealthServer;

  constructor(server: HealthServer) {
    this.#server = server;
  }

  /** The address of the health server. Undefined while the server does not listen. */
  get address(): { readonly host: string; readonly port: number } | undefined {
    return this.#server.address;
  }
  /** Adds a readiness check. Throws INVALID_HEALTH_CHECK for a name that is taken or is not valid in a path. */
  addReadyCheck(check: HealthCheck): void {
    this.#server.addReadiness(check);
  }
  /** Adds a liveness check. The kubelet restarts the container if the check fails repeatedly. Throws INVALID_HEALTH_CHECK. */
  addLiveCheck(check: HealthCheck): void {
    this.#server.addLiveness(check);
  }
}
