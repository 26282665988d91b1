import type {
  AdmissionOptions,
  AdmittedObject,
  Converter,
  ConverterOptions,
  DefaulterOptions,
  KubeObject,
  ObjectKey,
  PolicyOptions,
  WebhookOptions,
} from '@kubewright/api';
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
  type AddedWebhook,
  type AdmissionHandlers,
  type DefaulterHandlers,
  plainAdmission,
  plainConverter,
  type ValidatorHandlers,
} from './components/added-webhook.js';
import { assertUniquePolicies, plainPolicy } from './components/added-policy.js';
import {
  type Added,
  addedComponents,
  addedPolicies,
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
import { ManagerWebhooks } from './webhooks/manager-webhooks.js';
import { ManagerLog } from './manager-log.js';
import { ManagerReport, REPORT } from './manager-report.js';
import { Operation } from './operation.js';

/**
 * Runs controllers and the other components of an operator with one connection, one cache and one log.
 *
 * Components start in groups, in this order: endpoints; webhooks; caches (other clusters and the kinds of controllers); runnables and
 * controllers with `leaderOnly: false`; all other runnables and controllers, on the leader only. The groups stop in reverse order, and one
 * grace period limits the whole stop. A component that is added while the manager runs starts immediately.
 *
 * @example
 * const manager = new Manager().add(VirtualMachineController);
 * await manager.start();
 */
export class Manager implements HookManager, AsyncDisposable {
  /**
   * The client of the manager. Can read from the cache the kinds that controllers declare and the kinds in `cache.kinds`. Writes as the
   * field manager kubewright-manager.
   */
  readonly client: Client;
  /** The cache of the manager. Use it to open more informers and to wait for states of objects. */
  readonly cache: Cache;
  /**
   * The event recorder of the manager, which reports events as kubewright-manager. A controller can request its own recorder in its
   * constructor.
   */
  readonly events: EventRecorder;
  /** The connection of the manager to the cluster, for client-node and other libraries. */
  readonly connection: ClusterConnection;
  /** The metrics of the manager. */
  readonly metrics: Metrics;
  /** The metrics server. Also serves the paths that are added with `handle`. Does not listen if metrics are disabled. */
  readonly metricsServer: MetricsServer;
  /** The health checks of the manager, and the address of the health server. */
  readonly health: ManagerHealth;
  readonly #options: ResolvedManagerOptions;
  readonly #settings: AppliedSettings;
  readonly #log: ManagerLog;
  readonly #hooks: HookList;
  readonly #controllers: ManagedControllers;
  readonly #cluster: ManagerCluster;
  readonly #operation: Operation;
  readonly #webhooks: ManagerWebhooks;
  /** For tools of this project. Can change in any version. */
  readonly [REPORT]: ManagerReport;
  readonly #added: Added[] = [];

  /**
   * Creates a manager. The manager does not read a kubeconfig or open a connection before `start`, `plan`, or the first use of `client`,
   * `cache`, `events` or `connection`.
   *
   * For an invalid flag or variable, throws INVALID_SETTING. For an invalid option, throws INVALID_MANAGER, INVALID_LEADER_ELECTION,
   * INVALID_CACHE, INVALID_EVENT_OPTIONS, INVALID_METRICS_OPTIONS, INVALID_SERVING_OPTIONS or INVALID_HEALTH_CHECK. The message names the
   * option and the fix.
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
    this.#webhooks = new ManagerWebhooks({
      ...using,
      options: this.#options.servers.webhooks,
      deployed: this.#options.deployed.webhooks,
      health: this.health,
      transport: async () => (await this.#cluster.connected()).transport,
    });
    const components = {
      cluster: this.#cluster,
      controllers: this.#controllers,
      servers,
      webhooks: this.#webhooks,
    };
    this.#operation = new Operation({
      ...components,
      options: this.#options,
      settings: this.#settings,
      log: this.#log,
      hooks: this.#hooks,
      metrics: this.metrics,
      onActivity: () => this[REPORT].notify(),
      onRun: (run) => this[REPORT].notifyRun(run),
    });
    const own = { options: this.#options, operation: this.#operation, hooks: this.#hooks, added: this.#added };
    this[REPORT] = new ManagerReport({ ...components, ...own, add: (each) => this.#add(each) });
  }

  /**
   * Settles when the manager has stopped, because of a signal, a call of `stop`, or an error. Rejects with the error of the manager.
   * Rejects with an AggregateError if there are several errors, for example if a runnable failed and another runnable exceeded the grace
   * period.
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
   * The level of the log. A new level applies to all loggers of the manager immediately.
   *
   * Undefined before the start if the option `logger` is not set. Always undefined if the manager cannot change the level of the given
   * `logger`. The manager can change the level of a pino instance. Throws INVALID_LOG_OPTIONS if the new level is unknown, or if the level
   * is undefined.
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
   * Adds components: decorated classes of controllers, webhooks and policies, instances of such classes, runnables, endpoints, and
   * clusters, which the manager closes when it stops. If the manager already runs, starts the components immediately.
   *
   * Throws NOT_A_COMPONENT, INVALID_CONTROLLER, INVALID_SETTING, DUPLICATE_CONTROLLER, INVALID_WEBHOOK, DUPLICATE_WEBHOOK, INVALID_POLICY,
   * DUPLICATE_POLICY, INVALID_CONVERSION and CANNOT_INJECT. Throws NOT_PROVIDED if the manager runs, and STOPPED if the manager is stopping
   * or has stopped.
   */
  add(...parts: readonly (Constructor<Component> | Component)[]): this {
    for (const part of parts) {
      for (const added of addedComponents(part, this.#settings.complete)) this.#add(added);
    }
    return this;
  }
  /**
   * Adds a controller that is declared by the options of `@Controller` and a reconciler, instead of a class. Throws the same errors as
   * `add`.
   */
  control<T extends KubeObject>(
    options: ControllerOptions<T>,
    reconciler: Reconciler<T> | Reconciler<T>['reconcile'],
  ): this {
    this.#add({ controller: plainController(options, reconciler, this.#settings.complete) });
    return this;
  }
  /**
   * Adds a controller that is declared by the options of `@KeyController` and a reconciler, instead of a class. The reconciler receives the
   * keys that watches and sources return. Throws the same errors as `add`.
   */
  controlKeys(
    options: KeyControllerOptions & { readonly name: string },
    reconciler: KeyReconciler | KeyReconciler['reconcile'],
  ): this {
    this.#add({ controller: plainKeyController(options, reconciler, this.#settings.complete) });
    return this;
  }
  /**
   * Adds a mutating webhook that is declared by the options of `@Defaulter` and a handler, instead of a class. Several handlers edit the
   * same draft, one after the other. Throws the same errors as `add`.
   *
   * @example
   * manager.default({ for: CronJob }, (draft) => void (draft.spec.timeZone ??= 'Etc/UTC'));
   */
  default<T extends KubeObject>(options: DefaulterOptions<T>, handlers: DefaulterHandlers<T>): this {
    return this.#webhook(plainAdmission('defaulter', options, handlers, 'default'));
  }
  /**
   * Adds a validating webhook that is declared by the options of `@Validator` and a handler, instead of a class. Several handlers validate
   * one after the other, and their violations are returned together. Throws the same errors as `add`.
   */
  validate<T extends KubeObject>(options: WebhookOptions<T>, handlers: ValidatorHandlers<T>): this {
    return this.#webhook(plainAdmission('validator', options, handlers, 'validate'));
  }
  /**
   * Adds an admission webhook that is declared by the options of `@Admission` and an object with `mutate` or `validate`, instead of a
   * class. Throws the same errors as `add`.
   */
  admit<T extends KubeObject, Subresource extends string = ''>(
    options: AdmissionOptions<T, Subresource>,
    handlers: AdmissionHandlers<AdmittedObject<T, Subresource>>,
  ): this {
    return this.#webhook(plainAdmission('admission', options, handlers, 'admit'));
  }
  /**
   * Adds a converter that is declared by the options of `@Converter` and an object with `up` and `down`, instead of a class. Throws the
   * same errors as `add`.
   */
  convert<Spoke extends KubeObject, Hub extends KubeObject>(
    options: ConverterOptions<Spoke, Hub>,
    converter: Converter<Spoke, Hub>,
  ): this {
    return this.#webhook(plainConverter(options, converter));
  }
  /**
   * Adds an admission policy that is declared by the options of `@Policy`, instead of a class. The manager does not evaluate policies.
   * Throws the same errors as `add`.
   */
  enforce(options: PolicyOptions & { readonly name: string }): this {
    this.#add({ policy: plainPolicy(options) });
    return this;
  }
  /** Queues a reconcile because of an event outside the cluster. Throws UNKNOWN_CONTROLLER, NOT_STARTED and INVALID_KEY. */
  enqueue(controller: Constructor, key: ObjectKey): void {
    this.#controllers.get(controller).enqueue(key);
  }
  /**
   * Returns the controller with this class or name. The handle can inspect, extend, stop and start the controller. Throws
   * UNKNOWN_CONTROLLER.
   *
   * @example
   * const gateways = manager.controller(GatewayController);
   * await gateways.stop(); // the CustomResourceDefinition is about to be replaced
   * await gateways.start();
   */
  controller(of: Constructor | string): ControllerHandle {
    return this.#controllers.get(of);
  }
  /**
   * Registers the implementation of a token or of an abstract class in the container. The implementation is constructed at most once.
   * Throws ALREADY_STARTED.
   */
  provide<T>(token: ServiceKey<T>, provider: Provider<T>): this {
    this.#operation.provide(token, provider);
    return this;
  }
  /**
   * Adds a hook, in addition to the hooks in the options. Returns a function that removes the hook. Throws INVALID_MANAGER for an unknown
   * name.
   */
  on(name: HookName, hook: Hook): () => void {
    return this.#hooks.add(name, hook);
  }

  /**
   * Starts the manager. Resolves when the caches are synced and the controllers reconcile. With leader election, does not wait for
   * leader-only components.
   *
   * If the server rejects a request during the start, for example because of a missing permission, the manager logs the error and the fix
   * once and retries with back-off. `readiness` reports the problem.
   *
   * Rejects with NOT_SYNCED after `syncTimeout`, with STOPPED if `stop` is called during the start, and immediately with an error that a
   * retry cannot resolve, such as NOT_PROVIDED or INVALID_KUBECONFIG. In these cases, the manager has stopped. A second call rejects with
   * ALREADY_STARTED. If one of the `signals` stops the manager during the start, `start` resolves when the manager has stopped.
   */
  async start(): Promise<void> {
    this.#operation.life.assertNew('start');
    const inspected = inspectionOf(globalThis)?.(this);
    // Without an inspection, the start must begin before `start` returns.
    const given = inspected === undefined ? undefined : await inspected;
    if (given?.webhooks !== undefined) this.#webhooks.serveWith(given.webhooks);
    await this.#operation.start();
  }
  /**
   * Stops the manager: stops the components group by group, sends the last events and closes the connection. Does not wait longer than the
   * grace period for components. Resolves when the manager has stopped. Never rejects; `stopped` reports the errors. Every call returns the
   * same promise.
   */
  stop(): Promise<void> {
    return this.#operation.life.stop();
  }
  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  /**
   * Returns the names of the pending work: kinds that are not synced, keys that are queued or being reconciled, and failed keys whose retry
   * is due within `retriesWithinMs` milliseconds. The list is empty if the manager is idle.
   */
  pending({ retriesWithinMs = 0 }: { readonly retriesWithinMs?: number } = {}): readonly string[] {
    return this[REPORT].pending(retriesWithinMs);
  }
  /**
   * Calls the listener each time the results of `pending`, `caughtUp` or `readiness` may have changed. Returns a function that removes the
   * listener.
   */
  onActivity(listener: () => void): () => void {
    return this[REPORT].onActivity(listener);
  }
  /**
   * Returns the kinds whose informers have not yet processed all changes up to this resourceVersion. The list is empty if all informers
   * have processed them.
   */
  caughtUp(resourceVersion: string): Promise<readonly string[]> {
    return this[REPORT].caughtUp(resourceVersion);
  }
  /**
   * Returns the kinds whose informers have an older state than the server or have not processed all changes yet. Lists the objects of each
   * watched kind for the comparison. Unlike `caughtUp`, also works if the server has a separate resourceVersion for each kind.
   */
  behind(): Promise<readonly string[]> {
    return this[REPORT].behind();
  }
  /**
   * Returns whether the manager is ready: it is running, the objects of all declared kinds are available, and this replica can be elected.
   */
  readiness(): Readiness {
    return this[REPORT].readiness();
  }
  /** Returns the current status of the manager, its informers, its queues and its endpoints. */
  status(): ManagerStatus {
    return this[REPORT].status();
  }
  /**
   * Returns the declarations of the operator and the options that it would have in a Pod. Manifests and roles are generated from this
   * description. Does not connect to a cluster, and does not construct components.
   */
  describe(): OperatorDescription {
    return describeOperator(this.#options, this.#added, {
      nameOf: (added) => this.#controllers.nameOf(added),
      webhooks: this.#webhooks.description,
    });
  }
  /**
   * Plans a single reconcile of an object. Call `plan` instead of `start`; afterwards, the manager has stopped. Returns the planned writes
   * with their changed fields, and the result of the reconcile. Rejects with ALREADY_STARTED, UNKNOWN_CONTROLLER, INVALID_OPTION,
   * NO_SUCH_OBJECT, KIND_NOT_SERVED and FORBIDDEN.
   *
   * Sends only read requests, and lists the kinds that the controller declares. Calculates the result of each write locally by the rules of
   * the API server, and returns this result in later reads. Does not simulate admission. Side effects of the reconciler outside the cluster
   * are not prevented.
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
   * Returns each setting of the manager with its value, source, flag and variable. Also returns the settings of controllers that a flag or
   * a variable sets.
   */
  settings(): readonly EffectiveSetting[] {
    return this.#settings.effective(this.#controllers.names);
  }
  /** Returns the statistics of each controller whose informers have started, by the name of the controller. */
  stats(): ReadonlyMap<string, ControllerStats> {
    return this.#controllers.stats();
  }

  #webhook(webhook: AddedWebhook): this {
    this.#add({ webhook });
    return this;
  }
  #add(added: Added): void {
    this.#operation.life.assertOpen('add to the manager');
    if ('policy' in added) assertUniquePolicies(added.policy, addedPolicies(this.#added));
    if ('webhook' in added) this.#webhooks.add(added.webhook);
    if ('controller' in added) this[REPORT].addCheckOf(this.#controllers.add(added.controller));
    this.#added.push(added);
    this.#operation.add(added);
  }
}

/** Returns the options with settings and defaults. For an invalid flag or variable, the process prints the error without a stack trace. */
function resolvedOptions(options: ManagerOptions): ResolvedManagerOptions {
  try {
    return resolveManagerOptions(options);
  } catch (error) {
    new OwnedProcess(options.signals ?? []).failing(error);
    throw error;
  }
}
