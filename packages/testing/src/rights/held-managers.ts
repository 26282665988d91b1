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
import { missingRight } from './missing-right.js';
import { ObservedRights } from './observed-rights.js';
import { reportOn, type RightsReport, suffices } from './rights-report.js';
import { WatchedManager } from './watched-manager.js';

/** What the managers of a test environment are held to their roles with. */
export interface HeldManagersOptions {
  /** How the administrator is let in. */
  readonly connection: Connection;
  /** With all rights. */
  readonly client: Client;
  /** The connection of the client. */
  readonly transport: Transport;
  /** One that goes by itself. */
  readonly clock: Clock;
  /** What is installed, for its names. */
  readonly kinds: readonly KindRef[];
  /** Whether the server goes by a role some time after it answered. */
  readonly learnsLater: boolean;
  /** What the names of the ServiceAccounts and roles begin with. */
  readonly prefix: string;
  /** Called when something was refused that no declaration gives the right to. */
  readonly onRefused: () => void;
}
/** Managers that may do what their declarations give them and nothing else, or are only watched at what they do. */
export class HeldManagers {
  readonly #options: HeldManagersOptions;
  readonly #all: WatchedManager[] = [];
  readonly #refused = new AbortController();
  #told = false;

  constructor(options: HeldManagersOptions) {
    this.#options = options;
  }

  /** Makes a manager. One that is held has no rights until it starts. */
  manager(options: ManagerOptions, { held }: { readonly held: boolean }): Manager {
    const { connection } = this.#options;
    const namespace = connection.namespace ?? 'default';
    const roles = held ? this.#newRoles(namespace) : undefined;
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
    return manager;
  }

  /**
   * Watches the connection of the administrator: a reconciler that was made with a client of it is held to the roles all the same, when
   * its manager is. What `reconcile` of the environment does has a record of its own.
   */
  readonly administrator: TransportObserver = {
    request: (request) => {
      const scope = currentScope();
      if (scope === undefined || scope.records !== undefined) return undefined;
      const watched = this.#all.find((one) => one.holds(scope.controller));
      return watched && this.#observer(watched, { byAdministrator: true }).request(request);
    },
  };

  /** Gives a manager that is held its rights; does nothing the second time. Rejects with NAMESPACE_MISSING and NOT_GRANTED. */
  async grant(manager: Manager): Promise<void> {
    await this.#all.find((one) => one.manager === manager)?.grant();
  }

  /** What all of them did, held against what they declare. */
  report(): RightsReport {
    return reportOn(this.#all);
  }

  /** Throws MISSING_RIGHT, once, where something was refused that no declaration gives the right to. */
  check(): void {
    if (this.#told || !this.#refused.signal.aborted) return;
    this.#told = true;
    throw this.#refused.signal.reason;
  }
  /** Waits for something, and no longer when something was refused. Rejects with MISSING_RIGHT then. */
  async unlessRefused<R>(wait: (signal: AbortSignal) => Promise<R>): Promise<R> {
    try {
      return await wait(this.#refused.signal);
    } catch (error) {
      this.check();
      throw error;
    }
  }
  /** Takes the roles away. */
  async revoke(): Promise<void> {
    for (const watched of this.#all) await watched.revoke();
  }

  #newRoles(namespace: string): GrantedRoles {
    const { prefix, ...using } = this.#options;
    return new GrantedRoles({ ...using, name: `${prefix}-${this.#all.length + 1}`, namespace });
  }
  /** Of one request that needs several rights, all that are missing are told. */
  #observer(watched: WatchedManager, { byAdministrator = false } = {}): ObservedRights {
    const { server } = this.#options.connection;
    return new ObservedRights(server, (use) => {
      if (watched.note({ ...use, byAdministrator })) queueMicrotask(() => this.#refuse(watched));
    });
  }
  #refuse({ manager, missing, declared }: WatchedManager): void {
    if (this.#refused.signal.aborted) return;
    this.#refused.abort(
      missingRight(missing, {
        description: manager.describe(),
        kinds: this.#options.kinds,
        declaredLate: missing.slice(0, 1).every(({ right }) => suffices(declared, right)),
      }),
    );
    this.#options.onRefused();
  }
}
