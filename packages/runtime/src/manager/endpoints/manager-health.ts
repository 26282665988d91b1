import type { HealthCheck } from '../../serving/health-check.js';
import type { HealthServer } from '../../serving/health-server.js';

/**
 * The health checks of a manager. Checks can be added even if the health server is disabled.
 *
 * The manager's own checks:
 * - `/healthz/ping`: always succeeds
 * - `/healthz/leader-election`: fails if this replica was the leader, could not renew the Lease, and still runs longer than
 *   `healthTolerance` after the Lease expired
 * - `/readyz/manager`: succeeds if `manager.readiness()` reports that the manager is ready
 * - `/readyz/controller-NAME`: succeeds if the objects of the controller's kinds are available and the sources work
 *
 * If the manager serves conversions, `/readyz` leaves out the checks of controllers, and `/readyz/manager` succeeds before the caches are
 * filled. Otherwise, the process could wait for its own conversions, because the API server calls only ready Pods.
 *
 * @example
 * manager.health.addReadyCheck({ name: 'database', check: () => database.ping() });
 */
export class ManagerHealth {
  readonly #server: HealthServer;

  constructor(server: HealthServer) {
    this.#server = server;
  }

  /** The address of the health server. Undefined if the server does not listen. */
  get address(): { readonly host: string; readonly port: number } | undefined {
    return this.#server.address;
  }
  /** Adds a readiness check. Throws INVALID_HEALTH_CHECK if the name is already used or is not valid in a URL path. */
  addReadyCheck(check: HealthCheck): void {
    this.#server.addReadiness(check);
  }
  /** Adds a liveness check. If the check fails repeatedly, the kubelet restarts the container. Throws INVALID_HEALTH_CHECK. */
  addLiveCheck(check: HealthCheck): void {
    this.#server.addLiveness(check);
  }
}
