import type { KubeObject } from '@kubewright/api';
import { KubewrightError } from '@kubewright/api/errors';
import { append } from '@kubewright/api/json';
import type { WatchedScope } from '../cache/informer/scopes/watched-scope.js';
import type { ObservedRun } from '../controller/runs/observed-run.js';
import type { ManagerCluster } from './cluster/manager-cluster.js';
import type { Added } from './components/component.js';
import type { ManagedControllers } from './controllers/managed-controllers.js';
import type { ManagerServers } from './endpoints/manager-servers.js';
import type { HookList } from './hooks/hook-list.js';
import type { ManagerStatus, Readiness } from './lifecycle/manager-status.js';
import type { Operation } from './operation.js';
import type { ManagerOptions } from './settings/manager-options.js';
import type { ResolvedManagerOptions } from './settings/resolved-manager-options.js';
import { addressesOf } from './webhooks/endpoint-addresses.js';
import type { ManagerWebhooks } from './webhooks/manager-webhooks.js';

/** The property of a manager that contains its report. */
export const REPORT: unique symbol = Symbol('kubewright.report') as never;

/** The components of a manager from which the report is created. */
export interface ManagerReportUsing {
  readonly options: ResolvedManagerOptions;
  readonly operation: Operation;
  readonly hooks: HookList;
  /** The components, in the order in which they were added. */
  readonly added: readonly Added[];
  readonly add: (added: Added) => void;
  readonly cluster: ManagerCluster;
  readonly controllers: ManagedControllers;
  readonly servers: ManagerServers;
  readonly webhooks: ManagerWebhooks;
}

/** Reports the status, the readiness and the pending work of a manager, and implements its built-in health checks. */
export class ManagerReport {
  readonly #using: ManagerReportUsing;
  readonly #listeners = new Set<() => void>();
  readonly #runListeners = new Set<(run: ObservedRun) => void>();

  constructor(using: ManagerReportUsing) {
    this.#using = using;
    const { operation, servers } = using;
    servers.health.addLiveCheck({ name: 'ping', check: () => undefined });
    servers.health.addLiveCheck({ name: 'leader-election', check: () => operation.leadership.check() });
    servers.health.addReadyCheck({ name: 'manager', check: () => this.#unready().join('; ') });
  }

  /** Adds a readiness check for a controller. */
  addCheckOf(controller: string): void {
    const { controllers, servers, webhooks } = this.#using;
    const check = (): string => controllers.unreadyOf(controller).join('; ');
    const isExcluded = (): boolean => webhooks.servesConversions;
    servers.health.addReadyCheck({ name: `controller-${controller}`, check, isExcluded });
  }
  /** Adds a listener that is called when the report may have changed. Returns a function that removes the listener. */
  onActivity(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
  /** Adds a listener that is called at the start and at the end of each reconcile. Returns a function that removes the listener. */
  onRun(listener: (run: ObservedRun) => void): () => void {
    this.#runListeners.add(listener);
    return () => void this.#runListeners.delete(listener);
  }
  /** Calls the listeners that `onRun` added. */
  notifyRun(run: ObservedRun): void {
    for (const listener of this.#runListeners) listener(run);
  }
  /** Calls the listeners that `onActivity` added. */
  notify(): void {
    for (const listener of this.#listeners) listener();
  }

  /**
   * Returns the reasons why the check `/readyz/manager` fails. While a manager that serves conversions is starting or running, the check
   * ignores the caches, and fails only if this replica cannot be elected. Otherwise, a list for a cache could need a conversion by this
   * process, but the API server calls only ready Pods.
   */
  #unready(): readonly string[] {
    const { webhooks } = this.#using;
    const { life, leadership } = this.#using.operation;
    const works = life.state === 'starting' || life.state === 'running';
    if (works && webhooks.servesConversions) return leadership.refusal === undefined ? [] : [leadership.refusal];
    return this.readiness().reasons;
  }

  status(): ManagerStatus {
    const { cluster, controllers, servers, webhooks } = this.#using;
    const { life, leadership } = this.#using.operation;
    return {
      state: life.state,
      isLeader: leadership.isLeader,
      leader: leadership.leader,
      informers: cluster.informers(),
      queues: controllers.queues(),
      endpoints: addressesOf(servers, webhooks),
    };
  }
  readiness(): Readiness {
    const { controllers } = this.#using;
    const { life, leadership } = this.#using.operation;
    const { state } = life;
    if (state === 'new') return { ready: false, reasons: ['the manager was not started'] };
    if (state === 'stopping' || state === 'stopped') {
      return { ready: false, reasons: ['the manager is stopping or has stopped'] };
    }
    const { refusal = [] } = leadership;
    const reasons = controllers.unready().concat(refusal);
    if (reasons.length > 0) return { ready: false, reasons };
    return state === 'running' ? { ready: true, reasons } : { ready: false, reasons: ['the manager is starting'] };
  }
  /**
   * Returns the names of the pending work. While the manager starts, returns only 'start of the manager'. The list is empty if the manager
   * is idle, was not started, is stopping or has stopped.
   */
  pending(retriesWithinMs: number): readonly string[] {
    const { controllers } = this.#using;
    const { life } = this.#using.operation;
    if (life.state === 'starting') return ['start of the manager'];
    return life.state === 'running' ? controllers.pending(retriesWithinMs) : [];
  }
  /**
   * Returns the kinds whose informers have not yet processed all changes up to this resourceVersion. Returns an empty list if the manager
   * is not running.
   */
  async caughtUp(resourceVersion: string): Promise<readonly string[]> {
    const { cluster } = this.#using;
    const { life } = this.#using.operation;
    return life.state === 'running' ? cluster.caughtUp(resourceVersion) : [];
  }
  /** Returns the watched parts of all informers. */
  scopes(): readonly WatchedScope<KubeObject>[] {
    return this.#using.cluster.scopes();
  }
  /**
   * Lists the objects of each watched kind. Returns the kinds whose informers have an older state than the server or whose handlers have
   * pending changes. Returns an empty list if the manager is not running.
   */
  async behind(): Promise<readonly string[]> {
    const { cluster } = this.#using;
    const { life } = this.#using.operation;
    return life.state === 'running' ? cluster.behind() : [];
  }

  /** The components of the manager, in the order in which they were added. */
  get added(): readonly Added[] {
    return this.#using.added;
  }
  /** Whether the program provides services with `manager.provide`. */
  get hasServices(): boolean {
    return this.#using.operation.provisions.length > 0;
  }
  /**
   * The options that determine which objects the controllers read. Excludes the connection, the log, the servers and the leader election.
   */
  get readOptions(): ManagerOptions {
    const { cluster, client, container, controllers } = this.#using.options;
    const { namespaces, cache, implicitInformers, events } = cluster;
    return {
      client,
      controllers,
      ...(container !== undefined && { container }),
      ...(namespaces !== undefined && { namespaces }),
      ...(cache !== undefined && { cache }),
      ...(implicitInformers !== undefined && { implicitInformers }),
      ...(events !== undefined && { events }),
    };
  }
  /**
   * Adds the components, the services and the hooks of this manager to another manager, which has not started. The container of the other
   * manager constructs the classes again. Skips endpoints, because they would listen on the same port. Throws NOT_SUPPORTED for a manager
   * with further clusters.
   */
  copyTo(manager: { readonly [REPORT]: ManagerReport }): void {
    const { added, hooks, operation } = this.#using;
    const other = manager[REPORT].#using;
    for (const each of added) {
      if ('cluster' in each) {
        const message = 'cannot copy a manager with several clusters: a copy cannot connect to the other clusters';
        throw new KubewrightError('NOT_SUPPORTED', message);
      }
      if (!('endpoint' in each)) other.add(each);
    }
    append(other.operation.provisions, operation.provisions);
    for (const { name, hook } of hooks.all) other.hooks.add(name, hook);
  }
}
