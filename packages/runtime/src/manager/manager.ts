import type { KubeObject, ObjectKey } from '@kubewright/api';
import { append } from '@kubewright/api/json';
import type { Cache } from '../cache/cache.js';
import type { Client } from '../client/client.js';
import type { ControllerOptions } from '../controller/controller-options.js';
import type { ControllerStats } from '../controller/controller-stats.js';
import type { KeyControllerOptions, KeyReconciler } from '../controller/key-controller.js';
import { type RbacRule, rbacRulesOf } from '../controller/rbac-decorator.js';
import type { Reconciler } from '../controller/reconciler.js';
import type { EventRecorder } from '../events/event-recorder.js';
import { Metrics } from '../metrics/metrics.js';
import type { MetricsServer } from '../serving/metrics-server.js';
import type { ClusterConnection } from './cluster/cluster-connection.js';
import type { ConnectedBackend } from './cluster/cluster-backend.js';
import { ControllerAssembly } from './controllers/controller-assembly.js';
import { ControllerConfiguration } from './controllers/controller-configuration.js';
import type { ControllerHandle } from './controllers/managed-controller.js';
import { ManagedControllers } from './controllers/managed-controllers.js';
import {
  type Constructor,
  type Provider,
  type ServiceContainer,
  type ServiceKey,
} from './injection/service-container.js';
import { describeOperator } from './description/describe-operator.js';
import type { OperatorDescription } from './description/operator-description.js';
import { inspectionOf } from './inspection.js';
import { Leadership } from './leadership.js';
import { Lifecycle } from './lifecycle.js';
import { ManagerCluster } from './manager-cluster.js';
import { managerContainer } from './manager-container.js';
import type { ManagerHealth } from './manager-health.js';
import { type Hook, HookList, type HookManager, type HookName } from './manager-hooks.js';
import { ManagerLog } from './manager-log.js';
import type { ManagerOptions } from './manager-options.js';
import { ManagerServers } from './manager-servers.js';
import type { ManagerStatus } from './manager-status.js';
import { Operation } from './operation.js';
import { OwnedProcess } from './owned-process.js';
import { PartPlacing } from './component-placing.js';
import type { Plan, PlanRequest } from './plan/plan.js';
import {
  type Added,
  type AddedController,
  addedComponent,
  classOf,
  type Component,
  plainController,
  plainKeyController,
} from './component.js';
import type { Readiness } from './readiness.js';
import { type ResolvedManagerOptions, resolveManagerOptions } from './resolved-manager-options.js';
import type { EffectiveSetting } from './settings/effective-settings.js';

/**
 * Runs controllers and the other components of an operator with one connection, one cache and one log.
 *
 * Components start group by group: endpoints; caches (other clusters and the kinds of controllers); runnables and controllers of every
 * replica (`leaderOnly: false`); runnables and controllers of the leader. They stop in reverse order, within one grace period. A component
 * that is added while the manager runs starts at once.
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
  readonly #log: ManagerLog;
  readonly #cluster: ManagerCluster;
  readonly #configuration: ControllerConfiguration;
  readonly #controllers: ManagedControllers;
  readonly #process: OwnedProcess;
  readonly #hooks: HookList;
  readonly #leadership: Leadership;
  readonly #operation: Operation;
  readonly #servers: ManagerServers;
  readonly #life: Lifecycle;
  readonly #provisions: ((container: ServiceContainer) => void)[] = [];
  readonly #listeners = new Set<() => void>();
  /** The `@Rbac` rules of runnables. */
  readonly #rules: RbacRule[] = [];

  /**
   * Creates a manager. Throws INVALID_SETTING, INVALID_MANAGER and INVALID_LEADER_ELECTION. The manager reads no kubeconfig and opens no
   * connection before `start` or the first use of `client`.
   */
  constructor(options: ManagerOptions = {}) {
    this.#options = resolvedOptions(options);
    const { given, clock, servers } = this.#options;
    this.metrics = new Metrics(servers.metrics || {});
    this.#log = new ManagerLog(this.#options);
    const { logger } = this.#log;
    const using = { clock, logger, metrics: this.metrics };
    this.#configuration = new ControllerConfiguration(this.#options.controllers, given);
    this.#controllers = new ManagedControllers(using);
    this.#cluster = new ManagerCluster(this.#options, { ...using, declared: this.#controllers.declared });
    this.client = this.#cluster.client;
    this.cache = this.#cluster.cache;
    this.events = this.#cluster.events;
    this.connection = this.#cluster.connection;
    this.#process = new OwnedProcess(this.#options.signals);
    this.#hooks = new HookList(this, options.hooks);
    this.#leadership = new Leadership(this.#options.leaderElection);
    this.#operation = this.#newOperation();
    this.#servers = new ManagerServers(servers, { ...using, backend: this.#cluster.backend });
    this.metricsServer = this.#servers.metrics;
    this.health = this.#servers.health;
    for (const endpoint of this.#servers.served) this.#operation.add({ endpoint });
    this.#addOwnChecks();
    this.#life = new Lifecycle({
      begin: (signal) => this.#begin(signal),
      end: (reason, failures) => {
        this.#process.ignoreSignals();
        this.#log.close();
        return this.#operation.end(reason, failures);
      },
      changed: () => this.#notify(),
    });
    this.#life.stopped.catch((error: unknown) => this.#process.failing(error));
  }

  /**
   * Settles when the manager has stopped by signal, `stop` or failure. Rejects with the error, or with an AggregateError for several
   * errors, for example if a runnable failed and another did not end within the grace period.
   */
  get stopped(): Promise<void> {
    return this.#life.stopped;
  }

  /**
   * Resolves when this replica is the leader and its leader-only components have started. Without leader election, resolves during `start`.
   * Rejects with STOPPED if the manager stops first.
   */
  get elected(): Promise<void> {
    return this.#leadership.elected;
  }
  /**
   * The level of the log. Setting the level changes all loggers of the manager at once. Undefined before the start, unless `logger` is a
   * pino instance. Setting it throws INVALID_LOG_OPTIONS for an unknown level, and if the logger is not pino.
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
    return this.#leadership.isLeader;
  }
  /** The identity of the last known leader. Undefined without leader election. */
  get leader(): string | undefined {
    return this.#leadership.leader;
  }

  /**
   * Adds decorated classes, which the container constructs, or their instances; runnables; endpoints; and clusters, which the manager
   * closes when it stops. A running manager starts them at once. Throws NOT_A_COMPONENT, INVALID_CONTROLLER, DUPLICATE_CONTROLLER,
   * CANNOT_INJECT, and STOPPED once the manager stops.
   */
  add(...parts: readonly (Constructor<Component> | Component)[]): this {
    for (const part of parts) this.#add(addedComponent(part, this.#configuration.complete));
    return this;
  }
  /** Adds a controller without decorators, from the options of `@Controller` and a reconciler. */
  control<T extends KubeObject>(
    options: ControllerOptions<T>,
    reconciler: Reconciler<T> | Reconciler<T>['reconcile'],
  ): this {
    this.#add({ controller: plainController(options, reconciler, this.#configuration.complete) });
    return this;
  }
  /** Adds a controller without decorators, from the options of `@KeyController` and a reconciler for the keys of watches and sources. */
  controlKeys(
    options: KeyControllerOptions & { readonly name: string },
    reconciler: KeyReconciler | KeyReconciler['reconcile'],
  ): this {
    this.#add({ controller: plainKeyController(options, reconciler, this.#configuration.complete) });
    return this;
  }
  /** Enqueues a reconcile, for events from other sources. Throws UNKNOWN_CONTROLLER and NOT_STARTED. */
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
    this.#life.assertNew('provide');
    this.#provisions.push((container) => container.provide(token, provider));
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
   * manager during the start, `start` resolves when everything has ended. A second call rejects with ALREADY_STARTED.
   */
  async start(): Promise<void> {
    this.#life.assertNew('start');
    const inspected = inspectionOf(globalThis)?.(this);
    // Without an inspection the start begins synchronously, before `start` returns.
    if (inspected !== undefined) await inspected;
    this.#process.maskCrashes();
    this.#process.onStopSignal((signal) => {
      this.#log.logger.info('stopping', { signal });
      void this.stop();
    });
    try {
      await this.#life.start();
    } catch (error) {
      // A stop by a signal during the start is not a failure.
      if (this.#process.signalled && !this.#life.failed) return;
      this.#process.failing(error);
      throw error;
    }
  }
  /**
   * Stops the manager: ends the components group by group within the grace period, sends the last events and closes the connection.
   * Resolves when everything has ended, even after errors; `stopped` reports the errors. Every call returns the same promise.
   */
  stop(): Promise<void> {
    return this.#life.stop();
  }
  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  /**
   * Returns the remaining work, by name: kinds that are not synced, keys that wait or are being reconciled, and failed keys whose retry is
   * due within `retriesWithinMs` milliseconds. Empty when idle.
   */
  pending({ retriesWithinMs = 0 }: { readonly retriesWithinMs?: number } = {}): readonly string[] {
    if (this.#life.state === 'starting') return ['start of the manager'];
    return this.#life.state === 'running' ? this.#controllers.pending(retriesWithinMs) : [];
  }
  /** Calls the listener whenever `pending`, `caughtUp` or the readiness may have changed. Returns a function that removes the listener. */
  onActivity(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
  /** Returns the kinds whose informers have not processed all changes up to this resourceVersion. Empty if there are none. */
  async caughtUp(resourceVersion: string): Promise<readonly string[]> {
    return this.#life.state === 'running' ? this.#cluster.caughtUp(resourceVersion) : [];
  }
  /** Like `caughtUp`, for servers whose kinds have separate resourceVersions: lists each watched kind to compare its objects. */
  async behind(): Promise<readonly string[]> {
    return this.#life.state === 'running' ? this.#cluster.behind() : [];
  }
  /** Returns whether the manager is ready: it runs, and the objects of all declared kinds are available. */
  readiness(): Readiness {
    const { state } = this.#life;
    if (state === 'new') return { ready: false, reasons: ['the manager was not started'] };
    if (state === 'stopping' || state === 'stopped') {
      return { ready: false, reasons: ['the manager is stopping or has stopped'] };
    }
    const { refusal = [] } = this.#leadership;
    const reasons = this.#controllers.unready().concat(refusal);
    if (reasons.length > 0) return { ready: false, reasons };
    return state === 'running' ? { ready: true, reasons } : { ready: false, reasons: ['the manager is starting'] };
  }
  /** Returns the current status of the manager, its informers, its queues and its endpoints. */
  status(): ManagerStatus {
    const { state } = this.#life;
    const endpoints = this.#servers.served.flatMap(({ name, service: { address } }) =>
      address === undefined ? [] : [[name, address] as const],
    );
    return {
      state,
      isLeader: this.isLeader,
      leader: this.leader,
      informers: this.#cluster.informers(),
      queues: this.#controllers.queues(),
      endpoints: Object.fromEntries(endpoints),
    };
  }
  /** Returns the declarations and the options of the operator as in a Pod, for manifests and roles. Connects and constructs nothing. */
  describe(): OperatorDescription {
    return describeOperator(this.#options, { controllers: this.#controllers.added, rules: this.#rules });
  }
  /**
   * Plans one reconcile of an object, instead of `start`. Returns the planned writes, per field, and the outcome. Throws ALREADY_STARTED;
   * rejects with UNKNOWN_CONTROLLER, NO_SUCH_OBJECT, KIND_NOT_SERVED and FORBIDDEN.
   *
   * Sends only read requests, and opens the lists as the controller declares them. Computes writes locally by the rules of the API server;
   * later reads return the result. Admission is not simulated. Other side effects of the reconciler take place. The manager has stopped
   * afterwards.
   *
   * @example
   * const { writes } = await new Manager().add(VirtualMachineController).plan({ key: { namespace: 'default', name: 'web' } });
   */
  async plan(request: PlanRequest): Promise<Plan> {
    this.#life.assertNew('plan');
    await this.#log.open();
    const { planReconcile } = await import('./plan/plan-reconcile.js');
    const { added: controllers, expected } = this.#controllers;
    const assembly = async (connected: ConnectedBackend): Promise<ControllerAssembly> =>
      (await this.#assembly(connected)).assembly;
    const kinds = expected.map(({ kind }) => kind);
    return planReconcile({ cluster: this.#cluster, controllers, kinds, assembly }, request);
  }
  /** Returns each setting with its value, source, flag and variable; for controllers, only the settings of flags and variables. */
  settings(): readonly EffectiveSetting[] {
    return [...this.#options.settings, ...this.#configuration.described(this.#controllers.names)];
  }
  /** Returns the statistics of each controller, by name. */
  stats(): ReadonlyMap<string, ControllerStats> {
    return this.#controllers.stats();
  }

  #add(added: Added): void {
    this.#life.assertOpen('add to the manager');
    if ('controller' in added) this.#addController(added.controller);
    if ('runnable' in added) append(this.#rules, rbacRulesOf(classOf(added.runnable.runnable)));
    this.#operation.add(added);
  }
  #addController(controller: AddedController): void {
    const name = this.#controllers.add(controller);
    this.health.addReadyCheck({
      name: `controller-${name}`,
      check: () => this.#controllers.unreadyOf(name).join('; '),
    });
  }
  #addOwnChecks(): void {
    this.health.addLiveCheck({ name: 'ping', check: () => undefined });
    this.health.addLiveCheck({ name: 'leader-election', check: () => this.#leadership.check() });
    this.health.addReadyCheck({ name: 'manager', check: () => this.readiness().reasons.join('; ') });
  }
  async #begin(signal: AbortSignal): Promise<void> {
    await this.#log.open();
    this.#log.listen();
    this.#tellSettings();
    await this.#operation.begin(signal);
    const { endpoints } = this.status();
    this.#log.logger.info('started', {
      controllers: this.#controllers.names,
      ...(Object.keys(endpoints).length > 0 && { endpoints }),
    });
  }
  #tellSettings(): void {
    const { given } = this.#options;
    const said = this.settings().filter(({ by }) => by !== undefined && given?.isOfCommand(by) !== true);
    const settings = Object.fromEntries(said.map(({ name, value, by }) => [name, { value, by }]));
    if (said.length > 0) this.#log.logger.info('settings from environment variables and flags', { settings });
    for (const stray of given?.strays(this.#controllers.names) ?? []) {
      this.#log.logger.warn('unknown setting: no controller of this manager has that name or option', {
        setting: stray,
      });
    }
  }

  #newOperation(): Operation {
    return new Operation({
      clock: this.#options.clock,
      logger: this.#log.logger,
      metrics: this.metrics,
      cluster: this.#cluster,
      leadership: this.#leadership,
      hooks: this.#hooks,
      process: this.#process,
      gracePeriodMs: this.#options.gracePeriodMs,
      placing: (connected) => this.#placing(connected),
      fail: (error) => this.#life.fail(error),
    });
  }
  async #placing(connected: ConnectedBackend): Promise<PartPlacing> {
    const { clock, syncTimeoutMs } = this.#options;
    return new PartPlacing({
      ...(await this.#assembly(connected)),
      controllers: this.#controllers,
      clock,
      syncTimeoutMs,
    });
  }
  async #assembly(
    connected: ConnectedBackend,
  ): Promise<{ readonly container: ServiceContainer; readonly assembly: ControllerAssembly }> {
    const { clock, implicitInformers } = this.#options;
    const onActivity = (): void => this.#notify();
    connected.cache.onProgress(onActivity);
    connected.cache.expect(this.#controllers.expected);
    const { client, cache, events } = this.#cluster;
    const services = { client, cache, events, clock, logger: this.#log.logger };
    const parent = this.#options.container;
    const container = await managerContainer(services, { provisions: this.#provisions, parent });
    const surroundings = {
      cluster: this.#cluster,
      clock,
      logger: this.#log.logger,
      metrics: this.metrics,
      implicitInformers,
      client: this.#options.client,
      fenceOf: (work: { readonly leaderOnly: boolean }) => this.#leadership.fenceOf(work),
      onActivity,
      onFatal: (error: unknown) => this.#life.fail(error),
    };
    return { container, assembly: new ControllerAssembly(surroundings, { container, connected }) };
  }
  #notify(): void {
    for (const listener of this.#listeners) listener();
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
