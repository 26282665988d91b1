import type { KubeObject } from '@kubewright/api';
import type { WatchedScope } from '../cache/informer/scopes/watched-scope.js';
import type { ObservedRun } from '../controller/runs/observed-run.js';
import type { ManagerCluster } from './cluster/manager-cluster.js';
import type { ManagedControllers } from './controllers/managed-controllers.js';
import type { ManagerServers } from './endpoints/manager-servers.js';
import { addressesOf } from './webhooks/endpoint-addresses.js';
import type { ManagerWebhooks } from './webhooks/manager-webhooks.js';
import type { Leadership } from './lifecycle/leadership.js';
import type { Lifecycle } from './lifecycle/lifecycle.js';
import type { ManagerStatus, Readiness } from './lifecycle/manager-status.js';

/** The property of a manager that contains its report. */
export const REPORT: unique symbol = Symbol('kubewright.report') as never;

/** The components of a manager from which the report is created. */
export interface ManagerReportUsing {
  readonly life: Lifecycle;
  readonly leadership: Leadership;
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
    const { leadership, servers } = using;
    servers.health.addLiveCheck({ name: 'ping', check: () => undefined });
    servers.health.addLiveCheck({ name: 'leader-election', check: () => leadership.check() });
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
  /** Calls the listeners for reconciles. */
  notifyRun(run: ObservedRun): void {
    for (const listener of this.#runListeners) listener(run);
  }
  /** Calls the listeners, because the report may have changed. */
  notify(): void {
    for (const listener of this.#listeners) listener();
  }

  /**
   * Returns why the kubelet must not consider the process ready. If the manager serves conversions, the process is ready before its caches:
   * a list for a cache can need a conversion, and the API server calls only ready Pods.
   */
  #unready(): readonly string[] {
    const { life, leadership, webhooks } = this.#using;
    const works = life.state === 'starting' || life.state === 'running';
    if (works && webhooks.servesConversions) return leadership.refusal === undefined ? [] : [leadership.refusal];
    return this.readiness().reasons;
  }

  status(): ManagerStatus {
    const { life, leadership, cluster, controllers, servers, webhooks } = this.#using;
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
    const { life, leadership, controllers } = this.#using;
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
  /** Returns the names of the pending work. The list is empty if there is none. */
  pending(retriesWithinMs: number): readonly string[] {
    const { life, controllers } = this.#using;
    if (life.state === 'starting') return ['start of the manager'];
    return life.state === 'running' ? controllers.pending(retriesWithinMs) : [];
  }
  /** Returns the kinds whose informers have not yet processed all changes up to this resourceVersion. */
  async caughtUp(resourceVersion: string): Promise<readonly string[]> {
    const { life, cluster } = this.#using;
    return life.state === 'running' ? cluster.caughtUp(resourceVersion) : [];
  }
  /** Returns the watched parts of all informers. */
  scopes(): readonly WatchedScope<KubeObject>[] {
    return this.#using.cluster.scopes();
  }
  /**
   * Lists the objects of each watched kind. Returns the kinds whose informers have an older state than the server or whose handlers have
   * pending changes.
   */
  async behind(): Promise<readonly string[]> {
    const { life, cluster } = this.#using;
    return life.state === 'running' ? cluster.behind() : [];
  }
}
