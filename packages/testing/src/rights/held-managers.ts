import type { KindRef } from '@kubewright/api';
import type { Clock } from '@kubewright/api/clock';
import type { Right } from '@kubewright/api/rbac';
import {
  type Client,
  type Connection,
  Manager,
  type ManagerOptions,
  type TransportObserver,
} from '@kubewright/runtime';
import { currentScope, type Transport } from '@kubewright/runtime/internal';
import { rightsOf } from '@kubewright/runtime/rights';
import { GrantedRoles } from './granted-roles.js';
import { missingRight } from './missing-right.js';
import { ObservedRights, type UsedRight } from './observed-rights.js';
import { listedRights, reportOn, type RightsReport, suffices } from './rights-report.js';

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
/** A right that was needed, and whether for a request that was made with all rights. */
interface NotedRight extends UsedRight {
  readonly byAdministrator: boolean;
}
/** A manager, and what it did. */
interface Watched {
  readonly manager: Manager;
  readonly used: NotedRight[];
  /** Undefined for one that is not held to them. */
  readonly roles: GrantedRoles | undefined;
  /** What it was given; undefined before, and for one that is not held. */
  granted: readonly Right[] | undefined;
}

/** Managers that may do what their declarations give them and nothing else, or are only watched at what they do. */
export class HeldManagers {
  readonly #options: HeldManagersOptions;
  readonly #all = new Map<Manager, Watched>();
  readonly #refused = new AbortController();
  #told = false;

  constructor(options: HeldManagersOptions) {
    this.#options = options;
  }

  /** Makes a manager. One that is held has no rights until it starts. */
  manager(options: ManagerOptions, { held }: { readonly held: boolean }): Manager {
    const { connection } = this.#options;
    const roles = held ? this.#newRoles() : undefined;
    const { hooks, observers = [] } = options;
    const manager = new Manager({
      connection: roles === undefined ? connection : { ...connection, impersonate: roles.user },
      ...options,
      observers: [...observers, { request: (request) => this.#observer(manager).request(request) }],
      hooks: {
        ...hooks,
        beforeStart: async (context) => {
          await this.grant(manager);
          await hooks?.beforeStart?.(context);
        },
      },
    });
    this.#all.set(manager, { manager, used: [], roles, granted: undefined });
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
      const watched = [...this.#all.values()].find(
        ({ granted, manager }) =>
          granted !== undefined && manager.describe().controllers.some(({ name }) => name === scope.controller),
      );
      return watched && this.#observer(watched.manager, { byAdministrator: true }).request(request);
    },
  };

  /** Gives a manager that is held its rights; does nothing the second time. Rejects with NAMESPACE_MISSING and NOT_GRANTED. */
  async grant(manager: Manager): Promise<void> {
    const watched = this.#all.get(manager);
    if (watched?.roles === undefined || watched.granted !== undefined) return;
    const rights = rightsOf(manager.describe());
    watched.granted = listedRights(rights, this.#namespace);
    await watched.roles.grant(rights);
  }

  /** What all of them did, held against what they declare. */
  report(): RightsReport {
    return reportOn(
      [...this.#all.values()].map(({ manager, used, granted = this.#declaredBy(manager) }) => ({
        granted,
        needed: used.map(({ right }) => right),
      })),
    );
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
    for (const { roles } of this.#all.values()) await roles?.revoke();
  }

  get #namespace(): string {
    return this.#options.connection.namespace ?? 'default';
  }
  #newRoles(): GrantedRoles {
    const { prefix, ...using } = this.#options;
    const name = `${prefix}-${this.#all.size + 1}`;
    return new GrantedRoles({ ...using, name, namespace: this.#namespace });
  }
  #declaredBy(manager: Manager): readonly Right[] {
    return listedRights(rightsOf(manager.describe()), this.#namespace);
  }
  #observer(manager: Manager, { byAdministrator = false } = {}): ObservedRights {
    const { server } = this.#options.connection;
    return new ObservedRights(server, (use) => this.#note(manager, { ...use, byAdministrator }));
  }
  #note(manager: Manager, use: NotedRight): void {
    const watched = this.#all.get(manager);
    if (watched === undefined) return;
    watched.used.push(use);
    if (this.#isMissing(watched, use)) queueMicrotask(() => this.#refuse(watched));
  }
  /** The server refuses for other reasons, too: what admission says is not ours to judge. To the administrator it refuses nothing. */
  #isMissing({ granted }: Watched, { refused, byAdministrator, right }: NotedRight): boolean {
    return (refused || byAdministrator) && granted !== undefined && !suffices(granted, right);
  }
  /** Of one request that needs several rights, all that are missing are told. */
  #refuse(watched: Watched): void {
    if (this.#refused.signal.aborted) return;
    const { manager } = watched;
    const missing = watched.used.filter((use) => this.#isMissing(watched, use));
    const declared = this.#declaredBy(manager);
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
