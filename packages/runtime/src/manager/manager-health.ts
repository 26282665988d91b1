import type { HealthCheck } from '../serving/health-check.js';
import type { HealthServer } from '../serving/health-server.js';

/**
 * The health checks of a manager. The checks exist even if they are not served.
 *
 * The manager's own checks:
 * - `/healthz/ping`: the process answers
 * - `/healthz/leader-election`: a leader that could not renew its Lease has ended
 * - `/readyz/manager`: the manager runs
 * - `/readyz/controller-NAME`: the controller has the objects of its kinds
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
  /** Adds a liveness check. A failed check causes a restart of the process. Throws INVALID_HEALTH_CHECK. */
  addLiveCheck(check: HealthCheck): void {
    this.#server.addLiveness(check);
  }
}
