import type { HealthCheck } from '../serving/health-check.js';
import type { HealthServer } from '../serving/health-server.js';

/**
 * The checks of a manager's health, whether they are served or not.
 *
 * Its own: that the process answers (`/healthz/ping`), that a leader which could not renew its lease has ended
 * (`/healthz/leader-election`), that the manager runs (`/readyz/manager`), and that each controller has the objects of its kinds
 * (`/readyz/controller-NAME`).
 *
 * @example
 * manager.health.addReadyCheck({ name: 'database', check: () => database.ping() });
 */
export class ManagerHealth {
  readonly #server: HealthServer;

  constructor(server: HealthServer) {
    this.#server = server;
  }

  /** Where it is served; undefined while it is not. */
  get address(): { readonly host: string; readonly port: number } | undefined {
    return this.#server.address;
  }
  /** Adds a check of whether the process does its work. Throws INVALID_HEALTH_CHECK for a name that is taken, or cannot stand in a path. */
  addReadyCheck(check: HealthCheck): void {
    this.#server.addReadiness(check);
  }
  /** Adds a check of whether the process is to go on: one that fails has it started anew. Throws INVALID_HEALTH_CHECK. */
  addLiveCheck(check: HealthCheck): void {
    this.#server.addLiveness(check);
  }
}
