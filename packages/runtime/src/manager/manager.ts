import type { KubeObject, ObjectKey } from '@kubewright/api';
import { append } from '@kubewright/api/json';
import type { Cache } from '../cache/cache.js';
import type { Client } from '../client/client.js';
import type { ControllerOptions } from '../controller/options/controller-options.js';
import type { KeyControllerOptions, KeyReconciler } from '../controller/options/key-controller.js';
import type { Reconciler } from '../controller/reconciler/reconciler.js';
import type { ControllerStats } from '../controller/runs/controller-stats.js';
import type { EventRecorder } from '../events/event-recorder.js';
import { Metrics } from '../metrics/metrics.js';
import type { OperatorDescription } from '../rbac/operator-description.js';
import type { MetricsServer } from '../serving/metrics-server.js';
import type { ClusterConnection } from './cluster/cluster-connection.js';
import { ManagerCluster } from './cluster/manager-cluster.js';
import {
  type Added,
  addedComponent,
  type Component,
  plainController,
  plainKeyController,
} from './components/component.js';
import type { ControllerHandle } from './controllers/managed-controller.js';
import { ManagedControllers } from './controllers/managed-controllers.js';
import { describeOperator } from './description/describe-operator.js';
import type { ManagerHealth } from './endpoints/manager-health.js';
import { ManagerServers } from './endpoints/manager-servers.js';
import { HookList } from './hooks/hook-list.js';
import type { Hook, HookManager } from './hooks/hook.js';
import type { HookName } from './hooks/manager-hooks.js';
import type { Constructor, Provider, ServiceKey } from './injection/service-container.js';
import type { ManagerStatus, Readiness } from './lifecycle/manager-status.js';
import { OwnedProcess } from './lifecycle/owned-process.js';
import type { Plan, PlanRequest } from './plan/plan.js';
import { AppliedSettings } from './settings/applied-settings.js';
import type { EffectiveSetting } from './settings/effective-settings.js';
import type { ManagerOptions } from './settings/manager-options.js';
import { type ResolvedManagerOptions, resolveManagerOptions } from './settings/resolved-manager-options.js';
import { inspectionOf } from './inspection.js';
import { ManagerLog } from './manager-log.js';
import { ManagerReport } from './manager-report.js';
import { Operation } from './operation.js';

/**
 * Runs controllers and the other components of an operator with one connection, one cache and one log.
 *
 * Components start group by group: endpoints; caches (other clusters and the kinds of controllers); runnables and controllers of every
 * replica (`leaderOnly: false`); runnables and controllers of the leader. The groups stop in reverse order, within one grace period. A
 * component that is added while the manager runs starts at once.
 *
 * @example
 * const manager = new Manager().add(VirtualMachineController);
 * await manager.start();
 */
export class Manager implements HookManager, AsyncDisposable {
  /** Reads the kinds that controllers declare or `cache.kinds` lists from the cache. Writes with the field manager kubewright-manager. */
  readonly client: Client;
  /** The informers of the manager, to open more informers and to wait for states. */
  readonly cache: Cache;
  /** Records events as kubewright-manager. A controller can request its own recorder in its constructor. */
  readonly events: EventRecorder;
  /** The connection of the manager, for client-node and other libraries. */
  readonly connection: ClusterConnection;
  /** The metrics of the manager. */
  readonly metrics: Metrics;
  /** Serves the metrics, and the paths that are added with `handle`. Does not listen if metrics are disabled. */
  readonly metricsServer: MetricsServer;
  /** The health checks and the address that serves them. */
  readonly health: ManagerHealth;
  readonly #options: ResolvedManagerOptions;
  readonly #settings: AppliedSettings;
  readonly #log: ManagerLog;
  readonly #hooks: HookList;
  readonly #controllers: ManagedControllers;
  readonly #cluster: ManagerCluster;
  readonly #operation: Operation;
  readonly #report: ManagerReport;
  readonly #added: Added[] = [];

  /**
   * Creates a manager. The manager reads no kubeconfig and opens no connection before `start` or the first use of `client`.
   *
   * Throws an error that names the option and the fix: INVALID_SETTING for a flag or a variable, INVALID_MANAGER, INVALID_LEADER_ELECTION,
   * INVALID_CACHE, INVALID_EVENT_OPTIONS, INVALID_METRICS_OPTIONS, INVALID_SERVING_OPTIONS or INVALID_HEALTH_CHECK for an option.
   */
  constructor(options: ManagerOptions = {}) {
    this.#options = resolvedOptions(options);
    this.#settings = new AppliedSettings(this.#options);
    this.#log = new ManagerLog(this.#options);
    this.#hooks = new HookList(this, options.hooks);
    this.metrics = new Metrics(this.#options.servers.metrics || {});

    const using = { clock: this.#options.clock, logger: this.#log.logger, metrics: this.metrics };
    this.#controllers = new ManagedControllers(using);
    this.#cluster = new ManagerCluster(this.#options, { ...using, declared: this.#controllers.declared });
    append(this.#controllers.declared, this.#cluster.backend.listedKinds);
    this.client = this.#cluster.client;
    this.cache = this.#cluster.cache;
    this.events = this.#cluster.events;
    this.connection = this.#cluster.connection;
    const servers = new ManagerServers(this.#options.servers, { ...using, backend: this.#cluster.backend });
    this.metricsServer = servers.metrics;
    this.health = servers.health;

    const components = { cluster: this.#cluster, controllers: this.#controllers, servers };
    this.#operation = new Operation({
      ...components,
      options: this.#options,
      settings: this.#settings,
      log: this.#log,
      hooks: this.#hooks,
      metrics: this.metrics,
      onActivity: () => this.#report.notify(),
    });
    const { life, leadership } = this.#operation;
    this.#report = new ManagerReport({ ...components, life, leadership });
  }

  /**
   * Settles when the manager has stopped by signal, `stop` or failure. Rejects with the error, or with an AggregateError for several
   * errors, for example if a runnable failed and another runnable did not end within the grace period.
   */
  get stopped(): Promise<void> {
    return this.#operation.life.stopped;
  }

  /**
   * Resolves when this replica is the leader and its leader-only components have started. Without leader election, resolves during `start`.
   * Rejects with STOPPED if the manager stops first.
   */
  get elected(): Promise<void> {
    return this.#operation.leadership.elected;
  }
  /**
   * The level of the log. Setting the level changes all loggers of the manager at once.
   *
   * Undefined before the start, and always undefined for a `logger` that is not pino. A pino instance of the program has a level before
   * the start. Setting an unknown level, or a level while the level is undefined, throws INVALID_LOG_OPTIONS.
   *
   * @example
   * manager.logLevel = 'debug';
   */
  get logLevel(): string | undefined {
    return this.#log.level;
  }
  set logLevel(level: string) {
    this.#log.level = level;
  }
  /** Whether this replica is currently the leader. Without leader election, true while the manager runs. */
  get isLeader(): boolean {
    return this.#operation.leadership.isLeader;
  }
  /** The identity of the last known leader. Undefined without leader election. */
  get leader(): string | undefined {
    return this.#operation.leadership.leader;
  }

  /**
   * Adds decorated classes, which the container constructs, or their instances; runnables; endpoints; and clusters, which the manager
   * closes when it stops. A running manager starts them at once. Throws NOT_A_COMPONENT, INVALID_CONTROLLER, INVALID_SETTING,
   * DUPLICATE_CONTROLLER, CANNOT_INJECT, NOT_PROVIDED if the manager runs, and STOPPED once the manager stops.
   */
  add(...parts: readonly (Constructor<Component> | Component)[]): this {
    for (const part of parts) this.#add(addedComponent(part, this.#settings.complete));
    return this;
  }
  /** Adds a controller without decorators, from the options of `@Controller` and a reconciler. Throws the same errors as `add`. */
  control<T extends KubeObject>(
    options: ControllerOptions<T>,
    reconciler: Reconciler<T> | Reconciler<T>['reconcile'],
  ): this {
    this.#add({ controller: plainController(options, reconciler, this.#settings.complete) });
    return this;
  }
  /** Adds a controller without decorators, from the options of `@KeyController` and a reconciler for the keys of watches and sources. */
  controlKeys(
    options: KeyControllerOptions & { readonly name: string },
    reconciler: KeyReconciler | KeyReconciler['reconcile'],
  ): this {
    this.#add({ controller: plainKeyController(options, reconciler, this.#settings.complete) });
    return this;
  }
  /** Enqueues a reconcile, for events from outside the cluster. Throws UNKNOWN_CONTROLLER, NOT_STARTED and INVALID_KEY. */
  enqueue(controller: Constructor, key: ObjectKey): void {
    this.#controllers.get(controller).enqueue(key);
  }
  /**
   * Returns the controller of a class or a name, to inspect, extend, stop and start the controller. Throws UNKNOWN_CONTROLLER.
   *
   * @example
   * const gateways = manager.controller(GatewayController);
   * await gateways.stop(); // the CustomResourceDefinition is about to be replaced
   * await gateways.start();
   */
  controller(of: Constructor | string): ControllerHandle {
    return this.#controllers.get(of);
  }
  /** Registers the implementation of a token or an abstract class, which the container constructs once. Throws ALREADY_STARTED. */
  provide<T>(token: ServiceKey<T>, provider: Provider<T>): this {
    this.#operation.provide(token, provider);
    return this;
  }
  /** Adds a hook to the hooks of the options. Returns a function that removes the hook. Throws INVALID_MANAGER for an unknown name. */
  on(name: HookName, hook: Hook): () => void {
    return this.#hooks.add(name, hook);
  }

  /**
   * Starts the manager. Resolves when the caches are synced and the workers run. With leader election, `start` does not wait for
   * leader-only components.
   *
   * If the server rejects a request during the start (a kind that is not served, a missing permission), the manager logs one error with the
   * fix and retries with back-off. `readiness` reports the problem.
   *
   * Rejects with NOT_SYNCED after the `syncTimeout`, at once for errors that a retry does not resolve (NOT_PROVIDED, INVALID_KUBECONFIG,
   * …), and with STOPPED if `stop` is called during the start. In these cases, the manager has stopped. If one of the `signals` stops the
   * manager during the start, `start` resolves when the stop is complete. A second call rejects with ALREADY_STARTED.
   */
  async start(): Promise<void> {
    this.#operation.life.assertNew('start');
    const inspected = inspectionOf(globalThis)?.(this);
    // Without an inspection the start begins synchronously, before `start` returns.
    if (inspected !== undefined) await inspected;
    await this.#operation.start();
  }
  /**
   * Stops the manager: ends the components group by group, sends the last events and closes the connection. Abandons components that still
   * run after the grace period. Resolves when the stop is complete, even after errors; `stopped` reports the errors. Every call returns the
   * same promise.
   */
  stop(): Promise<void> {
    return this.#operation.life.stop();
  }
  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  /**
   * Returns the remaining work, by name: kinds that are not synced, keys that wait or are being reconciled, and failed keys whose retry is
   * due within `retriesWithinMs` milliseconds. Empty when idle.
   */
  pending({ retriesWithinMs = 0 }: { readonly retriesWithinMs?: number } = {}): readonly string[] {
    return this.#report.pending(retriesWithinMs);
  }
  /** Calls the listener whenever `pending`, `caughtUp` or the readiness may have changed. Returns a function that removes the listener. */
  onActivity(listener: () => void): () => void {
    return this.#report.onActivity(listener);
  }
  /** Returns the kinds whose informers have not processed all changes up to this resourceVersion. Empty if there are none. */
  caughtUp(resourceVersion: string): Promise<readonly string[]> {
    return this.#report.caughtUp(resourceVersion);
  }
  /**
   * Returns the kinds whose informers are behind the server. Unlike `caughtUp`, also supports servers with a separate resourceVersion for
   * each kind: lists each watched kind and compares the objects.
   */
  behind(): Promise<readonly string[]> {
    return this.#report.behind();
  }
  /** Returns whether the manager runs, the objects of all declared kinds are available, and this replica can be elected. */
  readiness(): Readiness {
    return this.#report.readiness();
  }
  /** Returns the current status of the manager, its informers, its queues and its endpoints. */
  status(): ManagerStatus {
    return this.#report.status();
  }
  /**
   * Returns the declarations of the operator and its options in a Pod, for manifests and roles. Does not connect, and does not construct
   * the components.
   */
  describe(): OperatorDescription {
    return describeOperator(this.#options, this.#added);
  }
  /**
   * Plans one reconcile of an object, instead of `start`. Returns the planned writes, per field, and the outcome. Rejects with
   * ALREADY_STARTED, UNKNOWN_CONTROLLER, INVALID_OPTION, NO_SUCH_OBJECT, KIND_NOT_SERVED and FORBIDDEN.
   *
   * Sends only read requests, and opens the lists as the controller declares them. Computes writes locally by the rules of the API server;
   * later reads return the result. Admission is not simulated. Other side effects of the reconciler take place. The manager has stopped
   * afterwards.
   *
   * @example
   * const { writes } = await new Manager().add(VirtualMachineController).plan({ key: { namespace: 'default', name: 'web' } });
   */
  async plan(request: PlanRequest): Promise<Plan> {
    this.#operation.life.assertNew('plan');
    await this.#log.open();
    const { planReconcile } = await import('./plan/plan-reconcile.js');
    return planReconcile(request, {
      cluster: this.#cluster,
      controllers: this.#controllers,
      assemble: (connected) => this.#operation.assemble(connected),
    });
  }
  /**
   * Returns each setting of the manager with its value, source, flag and variable. Includes the settings of a controller only if a flag or
   * a variable sets them.
   */
  settings(): readonly EffectiveSetting[] {
    return this.#settings.effective(this.#controllers.names);
  }
  /** Returns the statistics of each controller, by name. */
  stats(): ReadonlyMap<string, ControllerStats> {
    return this.#controllers.stats();
  }

  #add(added: Added): void {
    this.#operation.life.assertOpen('add to the manager');
    if ('controller' in added) this.#report.addCheckOf(this.#controllers.add(added.controller));
    this.#added.push(added);
    this.#operation.add(added);
  }
}

/** Resolves the options. An invalid flag or variable is reported without a stack trace. */
function resolvedOptions(options: ManagerOptions): ResolvedManagerOptions {
  try {
    return resolveManagerOptions(options);
  } catch (error) {
    new OwnedProcess(options.signals ?? []).failing(error);
    throw error;
  }
}
