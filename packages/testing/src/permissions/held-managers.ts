import type { KindRef } from '@kubewright/api';
import type { Clock } from '@kubewright/api/clock';
import {
  type Client,
  type Connection,
  Manager,
  type ManagerOptions,
  type TransportObserver,
} from '@kubewright/runtime';
import { currentScope, type Transport } from '@kubewright/runtime/internal';
import { GrantedRoles } from './granted-roles.js';
import { missingPermission } from './missing-permission.js';
import { ObservedPermissions } from './observed-permissions.js';
import { reportOn, type PermissionsReport, suffices } from './permissions-report.js';
import { WatchedManager } from './watched-manager.js';

/** The options of `HeldManagers`. */
export interface HeldManagersOptions {
  /** The connection of the administrator. */
  readonly connection: Connection;
  /** A client with all permissions. */
  readonly client: Client;
  /** The transport of the client. */
  readonly transport: Transport;
  /** A clock that advances by itself. */
  readonly clock: Clock;
  /** The installed kinds, whose names are in the errors. */
  readonly kinds: readonly KindRef[];
  /** Whether the server enforces a new role only after a delay. */
  readonly learnsLater: boolean;
  /** The prefix of the names of ServiceAccounts and roles. */
  readonly prefix: string;
  /** Called when the server refuses a request that no declaration permits. */
  readonly onRefused: () => void;
}
/**
 * The managers of a test environment, with a record of the requests of each manager. A held manager has only the permissions of its
 * declarations. All other managers have all permissions.
 */
export class HeldManagers {
  readonly #options: HeldManagersOptions;
  readonly #all: WatchedManager[] = [];
  /** The roles of managers that have stopped. The next manager uses them, as a restarted Pod has the ServiceAccount of its predecessor. */
  readonly #free: GrantedRoles[] = [];
  readonly #refused = new AbortController();
  #reported = false;

  constructor(options: HeldManagersOptions) {
    this.#options = options;
  }

  /** Creates a manager. A held manager has no permissions until it starts. */
  manager(options: ManagerOptions, { held }: { readonly held: boolean }): Manager {
    const { connection } = this.#options;
    const namespace = connection.namespace ?? 'default';
    const roles = held ? (this.#free.pop() ?? this.#newRoles(namespace)) : undefined;
    const { hooks, observers = [] } = options;
    const manager = new Manager({
      connection: roles === undefined ? connection : { ...connection, impersonate: roles.user },
      ...options,
      observers: [...observers, { request: (request) => this.#observer(watched).request(request) }],
      hooks: {
        ...hooks,
        beforeStart: async (context) => {
          await watched.grant();
          await hooks?.beforeStart?.(context);
        },
      },
    });
    const watched = new WatchedManager(manager, { roles, namespace });
    this.#all.push(watched);
    const stopped = (): void => {
      if (roles !== undefined) this.#free.push(roles);
    };
    manager.stopped.then(stopped, stopped);
    return manager;
  }

  /**
   * Observes the connection of the administrator. If a reconciler of a held manager uses the client of the administrator, compares the
   * requests of the reconciler with the roles of the manager. Ignores the requests of the environment's `reconcile` method, which records
   * its own requests.
   */
  readonly administrator: TransportObserver = {
    request: (request) => {
      const scope = currentScope();
      if (scope === undefined || scope.records !== undefined) return undefined;
      const watched = this.#all.find((one) => one.holds(scope.controller));
      return watched && this.#observer(watched, { byAdministrator: true }).request(request);
    },
  };

  /**
   * Grants a held manager its permissions. Does nothing for other managers, and on the second call. Rejects as `GrantedRoles.grant` does.
   */
  async grant(manager: Manager): Promise<void> {
    await this.#all.find((one) => one.manager === manager)?.grant();
  }

  /** Returns a comparison of the requests of all managers with their declarations. */
  report(): PermissionsReport {
    return reportOn(this.#all);
  }

  /** Throws MISSING_PERMISSION once if the server refused a request that no declaration permits. */
  check(): void {
    if (this.#reported || !this.#refused.signal.aborted) return;
    this.#reported = true;
    throw this.#refused.signal.reason;
  }
  /**
   * Resolves with the result of `wait`. If the server refuses a request that no declaration permits, aborts the wait and rejects with
   * MISSING_PERMISSION.
   */
  async unlessRefused<R>(wait: (signal: AbortSignal) => Promise<R>): Promise<R> {
    try {
      return await wait(this.#refused.signal);
    } catch (error) {
      this.check();
      throw error;
    }
  }
  /** Deletes the roles of all held managers. */
  async revoke(): Promise<void> {
    for (const watched of this.#all) await watched.revoke();
  }

  #newRoles(namespace: string): GrantedRoles {
    const { prefix, ...using } = this.#options;
    return new GrantedRoles({ ...using, name: `${prefix}-${this.#all.length + 1}`, namespace });
  }
  /**
   * Observes the requests of a manager. Reports a missing permission in a microtask, so that the error contains all missing permissions of
   * a request.
   */
  #observer(watched: WatchedManager, { byAdministrator = false } = {}): ObservedPermissions {
    const { server } = this.#options.connection;
    return new ObservedPermissions(server, (use) => {
      if (watched.note({ ...use, byAdministrator })) queueMicrotask(() => this.#refuse(watched));
    });
  }
  #refuse({ manager, missing, declared }: WatchedManager): void {
    if (this.#refused.signal.aborted) return;
    this.#refused.abort(
      missingPermission(missing, {
        description: manager.describe(),
        kinds: this.#options.kinds,
        declaredLate: missing.slice(0, 1).every(({ permission }) => suffices(declared, permission)),
      }),
    );
    this.#options.onRefused();
  }
}
