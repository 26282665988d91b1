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
import type { ControllerHandle } from './controllers/controller-handle.js';
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
import { LifeCycle } from './life-cycle.js';
import { ManagerCluster } from './manager-cluster.js';
import { managerContainer } from './manager-container.js';
import type { ManagerHealth } from './manager-health.js';
import { type Hook, HookList, type HookName } from './manager-hooks.js';
import { ManagerLog } from './manager-log.js';
import type { ManagerOptions } from './manager-options.js';
import { ManagerServers } from './manager-servers.js';
import type { ManagerStatus } from './manager-status.js';
import { Operation } from './operation.js';
import { OwnedProcess } from './owned-process.js';
import { PartPlacing } from './part-placing.js';
import type { Plan, PlanRequest } from './plan/plan.js';
import {
  type Added,
  type AddedController,
  addedPart,
  classOf,
  type Part,
  plainController,
  plainKeyController,
} from './part.js';
import type { Readiness } from './readiness.js';
import { type ResolvedManagerOptions, resolveManagerOptions } from './resolved-manager-options.js';
import type { EffectiveSetting } from './settings/effective-settings.js';

/**
 * Runs controllers, and all else that an operator is made of, with one connection, one cache and one log.
 *
 * Parts start group by group: endpoints; then caches (other clusters and the kinds of controllers); then what runs on every replica
 * (`leaderOnly: false`); then what runs on the elected one only. They stop in reverse, within one grace period. What is added
 * while the manager runs is run at once.
 *
 * @example
 * const manager = new Manager().add(VirtualMachineController);
 * await manager.start();
 */
export class Manager implements AsyncDisposable {
  /** Reads the kinds that controllers declared, or `cache.kinds` lists, from the cache; writes as kubewright-manager. */
  readonly client: Client;
  /** The informers of the manager, to open more and to wait for states. */
  readonly cache: Cache;
  /** Records events as kubewright-manager; a controller asks for one of its own by its constructor. */
  readonly events: EventRecorder;
  /** The connection of the manager, for client-node and other libraries. */
  readonly connection: ClusterConnection;
  /** What is measured of it. */
  readonly metrics: Metrics;
  /** Serves the metrics, and what else is given to its `handle`; where it is not asked for it does not listen. */
  readonly metricsServer: MetricsServer;
  /** The checks of health, and where they are served. */
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
  readonly #life: LifeCycle;
  readonly #provisions: ((container: ServiceContainer) => void)[] = [];
  readonly #listeners = new Set<() => void>();
  /** What `@Rbac` says of runnables. */
  readonly #rules: RbacRule[] = [];

  /**
   * Throws INVALID_SETTING, INVALID_MANAGER and INVALID_LEADER_ELECTION. Nothing is read or connected to before `start`, or the first
   * use of `client`.
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
    this.#hooks = new HookList(options.hooks);
    this.#leadership = new Leadership(this.#options.leaderElection);
    this.#operation = this.#newOperation();
    this.#servers = new ManagerServers(servers, { ...using, backend: this.#cluster.backend });
    this.metricsServer = this.#servers.metrics;
    this.health = this.#servers.health;
    for (const endpoint of this.#servers.served) this.#operation.add({ endpoint });
    this.#addOwnChecks();
    this.#life = new LifeCycle({
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
   * Settles when the manager has stopped, by signal, `stop` or failure. Rejects with what went wrong: an AggregateError where that
   * is more than one thing, such as a runnable that failed and another that did not end within the grace period.
   */
  get stopped(): Promise<void> {
    return this.#life.stopped;
  }

  /**
   * Resolves when this replica leads and what runs on the leader was started: without leader election soon after the start. Rejects
   * with STOPPED when the manager stops before.
   */
  get elected(): Promise<void> {
    return this.#leadership.elected;
  }
  /**
   * The level of the log. A new level holds for all loggers of the manager at once. Undefined before the start, unless `logger` is a
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
  /** Whether this replica leads at this moment; always, while it runs, without leader election. */
  get isLeader(): boolean {
    return this.#leadership.isLeader;
  }
  /** The identity of the replica that leads, as far as it is known here; undefined without leader election. */
  get leader(): string | undefined {
    return this.#leadership.leader;
  }

  /**
   * Adds decorated classes, which the container makes, or instances of them; runnables, endpoints, and clusters, which the manager
   * closes when it stops. At a manager that runs they run at once. Throws NOT_A_PART, INVALID_CONTROLLER, DUPLICATE_CONTROLLER,
   * CANNOT_INJECT, and STOPPED once the manager stops.
   */
  add(...parts: readonly (Constructor<Part> | Part)[]): this {
    for (const part of parts) this.#add(addedPart(part, this.#configuration.complete));
    return this;
  }
  /** The same without decorators: what `@Controller` says, and the reconciler. */
  control<T extends KubeObject>(
    options: ControllerOptions<T>,
    reconciler: Reconciler<T> | Reconciler<T>['reconcile'],
  ): this {
    this.#add({ controller: plainController(options, reconciler, this.#configuration.complete) });
    return this;
  }
  /** The same for what `@KeyController` says: the reconciler is called with the keys that watches and sources give. */
  controlKeys(
    options: KeyControllerOptions & { readonly name: string },
    reconciler: KeyReconciler | KeyReconciler['reconcile'],
  ): this {
    this.#add({ controller: plainKeyController(options, reconciler, this.#configuration.complete) });
    return this;
  }
  /** Asks for a reconcile, for events that come from elsewhere. Throws UNKNOWN_CONTROLLER and NOT_STARTED. */
  enqueue(controller: Constructor, key: ObjectKey): void {
    this.#controllers.get(controller).enqueue(key);
  }
  /**
   * The controller of a class, or of a name, to look at it, to watch more with it, or to stop and start it. Throws UNKNOWN_CONTROLLER.
   *
   * @example
   * const gateways = manager.controller(GatewayController);
   * await gateways.stop(); // the CustomResourceDefinition is about to be replaced
   * await gateways.start();
   */
  controller(of: Constructor | string): ControllerHandle {
    return this.#controllers.get(of);
  }
  /** Gives the container what stands for a token or an abstract class. What is made is made once. Throws ALREADY_STARTED. */
  provide<T>(token: ServiceKey<T>, provider: Provider<T>): this {
    this.#life.assertNew('provide');
    this.#provisions.push((container) => container.provide(token, provider));
    return this;
  }
  /** Adds a hook, besides those of the options. Returns what takes it away. Throws INVALID_MANAGER for a name that is none. */
  on(name: HookName, hook: Hook): () => void {
    return this.#hooks.add(name, hook);
  }

  /**
   * Resolves when caches are synced and workers run; where there is an election, without those that wait for it. What the server
   * refuses meanwhile (a kind that it does not serve, a right that is not there) is logged as one error with its cure and asked for
   * again, with back-off; `readiness` tells of it. Rejects with NOT_SYNCED after the `syncTimeout`, at once for what waiting does not
   * change (NOT_PROVIDED, INVALID_KUBECONFIG, …), and with STOPPED when `stop` is called meanwhile; the manager has stopped then. Where
   * one of its `signals` stops it meanwhile, it resolves as soon as all has ended. A second call rejects with ALREADY_STARTED.
   */
  async start(): Promise<void> {
    this.#life.assertNew('start');
    const inspected = inspectionOf(globalThis)?.(this);
    // Without an inspection the start begins at once, so that it is begun when this returns.
    if (inspected !== undefined) await inspected;
    this.#process.maskCrashes();
    this.#process.onStopSignal((signal) => {
      this.#log.logger.info('stopping', { signal });
      void this.stop();
    });
    try {
      await this.#life.start();
    } catch (error) {
      // To be told to end by a signal is no failure, early as it may be.
      if (this.#process.signalled && !this.#life.failed) return;
      this.#process.failing(error);
      throw error;
    }
  }
  /**
   * Tells what runs to end, group by group, waits for it as long as the grace period, sends the last events and closes the
   * connection. Resolves then, whatever went wrong: `stopped` tells that. Every call gives the same.
   */
  stop(): Promise<void> {
    return this.#life.stop();
  }
  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  /**
   * What is left to do at this moment of the clock, by name: kinds that are not synced, keys that wait or are reconciled, and
   * what failed and is tried again within so many milliseconds. Empty when idle.
   */
  pending({ retriesWithinMs = 0 }: { readonly retriesWithinMs?: number } = {}): readonly string[] {
    if (this.#life.state === 'starting') return ['start of the manager'];
    return this.#life.state === 'running' ? this.#controllers.pending(retriesWithinMs) : [];
  }
  /** Calls back whenever `pending`, `caughtUp` or the readiness may have changed. Returns what ends it. */
  onActivity(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
  /** The kinds of which not everything up to this version of the server was seen, by name. Empty when all was. */
  async caughtUp(resourceVersion: string): Promise<readonly string[]> {
    return this.#life.state === 'running' ? this.#cluster.caughtUp(resourceVersion) : [];
  }
  /**
   * The kinds of which the server lists something that was not seen yet, by name. For servers of which no version is known that
   * stands for everything: asks for a list of each kind that is watched.
   */
  async behind(): Promise<readonly string[]> {
    return this.#life.state === 'running' ? this.#cluster.behind() : [];
  }
  /** Whether the manager does its work: it runs, and the objects of all that its controllers declare can be had. */
  readiness(): Readiness {
    const { state } = this.#life;
    if (state === 'new') return { ready: false, reasons: ['the manager was not started'] };
    if (state === 'stopping' || state === 'stopped') {
      return { ready: false, reasons: ['the manager has stopped, or is about to'] };
    }
    const { refusal = [] } = this.#leadership;
    const reasons = this.#controllers.unready().concat(refusal);
    if (reasons.length > 0) return { ready: false, reasons };
    return state === 'running' ? { ready: true, reasons } : { ready: false, reasons: ['the manager is starting'] };
  }
  /** How the manager, its informers, its queues and its endpoints fare at this moment. */
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
  /**
   * What was added, and how it is set up, as a Pod would have it: manifests and roles are made from this. Needs no connection, and
   * makes no controller.
   */
  describe(): OperatorDescription {
    return describeOperator(this.#options, { controllers: this.#controllers.added, rules: this.#rules });
  }
  /**
   * What one reconcile of an object would write, per field, and what would become of it; in place of `start`. Nothing is sent but reads,
   * and lists are opened as the controller declares them. Writes are worked out here by the rules of the API server, and seen by the reads
   * that follow; what admission would say of them is not known. What the reconciler does elsewhere is done. The manager has stopped
   * after it. Throws ALREADY_STARTED; rejects with UNKNOWN_CONTROLLER, NO_SUCH_OBJECT, KIND_NOT_SERVED and FORBIDDEN.
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
  /** Every setting as it is, where it comes from, and by which flag or variable it can be said; of controllers those that are. */
  settings(): readonly EffectiveSetting[] {
    return [...this.#options.settings, ...this.#configuration.described(this.#controllers.names)];
  }
  /** What each controller has done, by its name. */
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
    if (said.length > 0) this.#log.logger.info('settings of the environment and of flags', { settings });
    for (const stray of given?.strays(this.#controllers.names) ?? []) {
      this.#log.logger.warn('a setting is of no controller of this manager, or of nothing that one has', {
        setting: stray,
      });
    }
  }

  #newOperation(): Operation {
    return new Operation({
      manager: this,
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

/** A flag or variable that is wrong is told without a stack. */
function resolvedOptions(options: ManagerOptions): ResolvedManagerOptions {
  try {
    return resolveManagerOptions(options);
  } catch (error) {
    new OwnedProcess(options.signals ?? []).failing(error);
    throw error;
  }
}
