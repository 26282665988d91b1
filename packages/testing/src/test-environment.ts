import { writeFile } from 'node:fs/promises';
import type { KindRef, KubeObject, ObjectKey } from '@kubewright/api';
import { type Clock, SystemClock } from '@kubewright/api/clock';
import { KubewrightError } from '@kubewright/api/errors';
import { kindOf, kindRefOf } from '@kubewright/api/metadata';
import type { ApiServer, SimulatedPods } from '@kubewright/apiserver';
import {
  type Client,
  type Cluster,
  ClusterConnection,
  type Connection,
  type Constructor,
  Discovery,
  type EventRecorder,
  type Informer,
  type Manager,
  type ManagerOptions,
  type ObservedRequest,
  type Component,
  type Reconciler,
} from '@kubewright/runtime';
import { CachedClient, EventRecorders, InformerCache, Transport, SilentLogger } from '@kubewright/runtime/internal';
import { ConnectedServer, type ControlPlaneLoan } from './connected-server.js';
import { definitionsOf, serverOf, withTrace } from './environment-server.js';
import type { ControlPlane } from './control-plane/control-plane.js';
import { kubeconfigOf } from './control-plane/kubeconfig.js';
import { readWebhookConfigurations, type WebhookConfiguration } from './installed-manifests.js';
import { FakeClock } from './fake-clock.js';
import { initialObjects } from './initial-objects.js';
import type { InstallUsing } from './installed-definitions.js';
import { ObservedEvents } from './observed-events.js';
import { reconcileOnce } from './reconcile-once.js';
import type { Reconciled } from './reconciled.js';
import { HeldManagers } from './permissions/held-managers.js';
import type { PermissionsReport } from './permissions/permissions-report.js';
import { Quiescence } from './quiescence/quiescence.js';
import { checkOptions, type InstalledKinds, type TestEnvironmentOptions } from './test-environment-options.js';
import type { TestServer } from './test-server.js';
import type { Trace } from './trace/trace.js';
import type { TraceEntry } from './trace/trace-entry.js';
import { RegisteredPolicies } from './policies/registered-policies.js';
import { RegisteredWebhooks, type RegisteredWebhooksUsing } from './webhooks/registered-webhooks.js';
import { whileTimePasses } from './while-time-passes.js';

/** The time limit for an object to reach the expected state. */
const TIME_LIMIT = '30s';

/** The field manager of the writes of `client`. */
const NAME = 'kubewright-test';

let startOn: (
  server: TestServer,
  options: TestEnvironmentOptions,
  trace: Trace | undefined,
) => Promise<TestEnvironment>;

/**
 * An API server for a test: a server in this process, a real control plane on this machine, or the cluster of the current kubeconfig.
 *
 * @example
 * await using env = await TestEnvironment.start({ kinds: [Machine], objects: [machine], workloads: true });
 * await env.run(MachineController);
 * await env.until(machine, ({ status }) => status?.phase === 'Complete');
 */
export class TestEnvironment implements AsyncDisposable {
  /** The connection for code without a manager. Reads start informers on demand. */
  readonly cluster: Cluster;
  /** A client with live reads and all permissions. */
  readonly client: Client;
  /** The event recorder for reconcilers. The report of `reconcile` contains the events that are recorded during the reconcile. */
  readonly events: EventRecorder;
  readonly #server: TestServer;
  readonly #options: TestEnvironmentOptions;
  readonly #observed: ObservedEvents;
  readonly #cache: InformerCache;
  readonly #held: HeldManagers;
  readonly #registrations: (RegisteredWebhooks | RegisteredPolicies)[] = [];
  /** The webhook configurations of the manifests. Undefined without manifests. */
  #configurations: readonly WebhookConfiguration[] | undefined;
  readonly #made: KubeObject[] = [];
  readonly #quiescence: Quiescence;
  readonly #trace: Trace | undefined;
  readonly #closing: (() => Promise<void> | void)[] = [];
  #endSettling: () => void = () => undefined;

  static {
    startOn = (server, options, trace) => TestEnvironment.#startOn(server, options, trace);
  }

  private constructor(server: TestServer, options: TestEnvironmentOptions, trace: Trace | undefined) {
    this.#trace = trace;
    if (server.embedded !== undefined) trace?.follow(server.embedded);
    this.#server = server;
    this.#options = options;
    const clock = this.#passingClock;
    const logger = new SilentLogger();
    this.#quiescence = new Quiescence({
      server,
      clock: options.clock,
      cache: () => cache,
      check: () => this.#held.check(),
      trace,
      others: () => this.#others(),
    });
    const observers = [
      { request: (request: ObservedRequest) => this.#held.administrator.request?.(request) },
      this.#quiescence.own(clock),
    ];
    const transport = new Transport(server.connection, { clock, logger, observers });
    const discovery = new Discovery(transport);
    const cache = new InformerCache({ transport, discovery, clock, logger });
    const recorders = new EventRecorders({ transport: async () => transport, clock, logger });
    const using = {
      backend: { transport, discovery, cache },
      clock: this.#clock,
      logger,
      fieldManager: NAME,
      kinds: options.kinds ?? [],
    };
    this.#cache = cache;
    this.#held = new HeldManagers({
      connection: server.connection,
      client: new CachedClient({ ...using, reads: 'live' }),
      transport,
      clock,
      kinds: options.kinds ?? [],
      learnsLater: server.embedded === undefined,
      // In a shared cluster, the role names of two runs must differ.
      prefix: options.server === 'existing' ? `operator-${clock.random.uuid().slice(0, 8)}` : 'operator',
      onRefused: this.#quiescence.activity.note,
    });
    this.#observed = new ObservedEvents(recorders.of(NAME));
    this.events = this.#observed;
    this.client = new CachedClient({ ...using, reads: 'live' });
    this.cluster = {
      client: new CachedClient(using),
      cache,
      events: this.events,
      connection: new ClusterConnection(async () => server.connection),
      discovery,
      [Symbol.asyncDispose]: () => cache.close(),
    };
    this.#closing.push(
      server.onActivity(this.#quiescence.activity.note),
      cache.onProgress(this.#quiescence.activity.note),
      () => recorders.close(),
      () => cache.close(),
      () => transport.close(),
      () => this.#quiescence.close(),
    );
    const { clock: given } = options;
    if (given instanceof FakeClock)
      this.#endSettling = given.onAdvance((hasFired) => this.#quiescence.settled(hasFired));
  }

  /**
   * Starts or connects to a server, installs the kinds and creates the objects. Rejects with NOT_SUPPORTED if the selected server does not
   * support an option, with INVALID_OPTION if an initial object is not valid, with the error of the server if it rejects an object, and as
   * `install` does. Server 'control-plane' also rejects with NO_CONTROL_PLANE, INVALID_VERSION, COMPONENT_ENDED and NOT_READY, and server
   * 'existing' with INVALID_KUBECONFIG and NO_CLUSTER.
   */
  static async start(options: TestEnvironmentOptions = {}): Promise<TestEnvironment> {
    checkOptions(options);
    const { trace, traced } = withTrace(options);
    return TestEnvironment.#startOn(await serverOf(traced), options, trace);
  }

  static async #startOn(
    server: TestServer,
    options: TestEnvironmentOptions,
    trace: Trace | undefined,
  ): Promise<TestEnvironment> {
    const environment = new TestEnvironment(server, options, trace);
    try {
      await environment.install(options);
      if (options.webhooks) environment.#configurations = await readWebhookConfigurations(options.webhooks);
      for await (const made of initialObjects(options.objects ?? [], environment.client)) environment.#made.push(made);
    } catch (error) {
      await environment[Symbol.asyncDispose]();
      throw error;
    }
    return environment;
  }

  /** The embedded server, for direct access from tests. Throws NOT_SUPPORTED for other servers. */
  get server(): ApiServer {
    const { embedded } = this.#server;
    if (embedded !== undefined) return embedded;
    throw new KubewrightError(
      'NOT_SUPPORTED',
      "cannot access the server of the test environment: only server 'embedded' supports direct access",
    );
  }

  /** The simulated Pods of the option `workloads`, whose behavior a test can change. Throws NOT_SUPPORTED for other servers. */
  get pods(): SimulatedPods {
    return this.server.pods;
  }

  /** The control plane, for direct access from tests. Throws NOT_SUPPORTED for other servers. */
  get controlPlane(): ControlPlane {
    const { controlPlane } = this.#server;
    if (controlPlane !== undefined) return controlPlane;
    throw new KubewrightError(
      'NOT_SUPPORTED',
      "cannot access the control plane of the test environment: the environment does not use server 'control-plane'",
    );
  }

  /**
   * The requests, changes and reconciles since the start, in the order in which they were recorded. Empty if the option `trace` is not set.
   * The entries contain no uids and no real times. `traceText` returns the trace as text.
   */
  get trace(): readonly TraceEntry[] {
    return this.#trace?.entries ?? [];
  }

  /** The connection of the administrator, for additional clients. */
  get connection(): Connection {
    return this.#server.connection;
  }

  /** Writes a kubeconfig of the administrator, for tools such as kubectl. Only the owner of the file can read the file. */
  async writeKubeconfig(path: string): Promise<void> {
    await writeFile(path, kubeconfigOf(this.connection), { mode: 0o600 });
  }

  /**
   * Installs additional kinds from classes and manifests, or updates installed kinds. Resolves when the kinds are served. Rejects with
   * NO_MANIFEST if a path does not exist or contains no definition, with INVALID_MANIFEST if a manifest is not valid, with INVALID_KIND if
   * a class is not valid, and with NOT_ESTABLISHED if the kinds are not served after 30 s.
   */
  async install(kinds: InstalledKinds): Promise<void> {
    await this.#server.install(await definitionsOf(kinds), this.#installing);
  }

  /**
   * Removes kinds and their objects. Resolves when the objects are deleted and the kinds are no longer served. Rejects as `install` does.
   */
  async uninstall(kinds: InstalledKinds): Promise<void> {
    await this.#server.uninstall(await definitionsOf(kinds), this.#installing);
  }

  /**
   * Creates a manager for this server with the given options. The manager ignores flags and variables, serves only the endpoints that the
   * options request, and stops with the environment. The manager serves its webhooks on a free port of 127.0.0.1. The environment records
   * the requests of the manager for `permissions`. Before the caches of the manager start, the environment registers the webhooks and the
   * policies of the manager on the server, except in an existing cluster. With `rbac: 'derived'`, the manager has only the permissions that
   * it declares before its start.
   */
  readonly manager = (
    options: ManagerOptions = {},
    { rbac = this.#options.rbac ?? 'admin' }: Pick<TestEnvironmentOptions, 'rbac'> = {},
  ): Manager => {
    const logger = this.#options.logger ?? new SilentLogger();
    const { clock = this.#clock, observers = [] } = options;
    const manager: Manager = this.#quiescence.manager(clock, (ledger) =>
      this.#held.manager(
        {
          logger,
          signals: false,
          settings: false,
          ...options,
          clock,
          observers: [...observers, ledger],
          ...this.#webhooks(options, () => manager),
        },
        { held: rbac === 'derived' },
      ),
    );
    this.#enforcePolicies(manager);
    return manager;
  };

  /**
   * Creates a manager with these controllers and starts the manager. The manager stops with the environment. If `rbac` is 'derived', the
   * manager has only the permissions that are derived from its declarations, as in a cluster. This is the default, except for an existing
   * cluster. If a permission is missing, `settled`, `until`, `untilDeleted` or, at the latest, the end of the environment rejects with
   * MISSING_PERMISSION, which names the declaration to add.
   */
  async run(...controllers: readonly (Constructor<Component> | Component)[]): Promise<Manager> {
    const { rbac = this.#options.server === 'existing' ? 'admin' : 'derived' } = this.#options;
    const manager = this.manager({}, { rbac }).add(...controllers);
    await this.#held.grant(manager);
    await manager.start();
    return manager;
  }

  /**
   * Returns a comparison of the requests of this environment's managers with the roles that are derived from their declarations: the used,
   * missing and unused permissions.
   *
   * @example assert.deepEqual(env.permissions().missing, []);
   */
  permissions(): PermissionsReport {
    return this.#held.report();
  }

  /**
   * Resolves when nothing happens until the clock advances: no queue, cache, request or workload has work at the current time. Work that
   * waits for a `FakeClock` does not count, such as a retry, a delayed request or a reconcile that sleeps. On the real clock, retries
   * within 100 ms count. In an existing cluster, the work of the cluster's own controllers is not known.
   *
   * Rejects with NOT_SETTLED if an object is reconciled again and again, or after 30 s without progress, for example while a reconcile
   * waits for another server. The load of the machine does not change the result. Rejects with MISSING_PERMISSION if a permission is
   * missing.
   */
  settled(): Promise<void> {
    return this.#quiescence.settled();
  }

  /** Returns the current object. Rejects with an error that `isNotFound` recognizes if the object does not exist. */
  read<T extends KubeObject>(object: T): Promise<T> {
    return this.client.live.get(this.#kindOf(object), object.metadata);
  }

  /**
   * Waits until the object satisfies the condition, and resolves with the object. After 30 s, rejects with WAIT_TIMEOUT, which contains the
   * last state of the object. Rejects with MISSING_PERMISSION if a permission is missing.
   *
   * ```ts
   * await env.until(vm, ({ status }) => status?.phase === 'Complete');
   * await env.until(Deployment, { namespace: 'default', name: 'web' }, ({ spec }) => spec.replicas === 3);
   * ```
   */
  until<T extends KubeObject>(object: T, isSo: (now: T) => boolean): Promise<T>;
  /** Waits for an object by its kind and key, such as an object that a controller creates. */
  until<T extends KubeObject>(kind: KindRef<T>, key: ObjectKey, isSo: (now: T) => boolean): Promise<T>;
  until<T extends KubeObject>(
    ...given: [object: T, isSo: (now: T) => boolean] | [kind: KindRef<T>, key: ObjectKey, isSo: (now: T) => boolean]
  ): Promise<T> {
    if (given.length === 3) return this.#until(...given);
    const [object, isSo] = given;
    return this.#until(this.#kindOf(object), object.metadata, isSo);
  }

  /**
   * Waits until this object is deleted. If the given object has a uid, the object also counts as deleted when an object of the same name
   * has another uid. Rejects as `until` does.
   */
  async untilDeleted(object: KubeObject): Promise<void> {
    await using informer = await this.#informerOf(this.#kindOf(object), object.metadata);
    await this.#held.unlessRefused((signal) => informer.untilDeleted(object, { timeout: TIME_LIMIT, signal }));
  }

  /** Runs the reconciler once on the current object, as its controller would, and returns a report. */
  reconcile<T extends KubeObject>(reconciler: Reconciler<T>, object: T): Promise<Reconciled<T>> {
    return reconcileOnce(
      reconciler,
      { object, kind: this.#kindOf(object) },
      { client: this.client, events: this.#observed, clock: this.#clock },
    );
  }

  /**
   * Stops the managers and the server. Advances a fake clock while the managers stop. An existing cluster keeps running; the environment
   * removes the objects and the kinds that it created. Rejects with MISSING_PERMISSION if a permission is missing and no earlier call
   * rejected with this error.
   */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#endSettling();
    await whileTimePasses(this.#options.clock, Promise.all(this.#quiescence.managers.map((manager) => manager.stop())));
    try {
      // All other servers are deleted with their objects.
      const staying = this.#options.server === 'existing' ? this.#made.splice(0) : [];
      for (const object of staying.toReversed()) await this.client.delete(object);
      if (this.#options.server === 'existing') await this.#held.revoke();
      await this.#server.leave(this.#installing);
    } finally {
      for (const close of this.#closing.splice(0)) await close();
      await this.#server.stop();
    }
    this.#held.check();
  }

  /**
   * Returns the option `webhooks` of a manager, with a server that the environment registers. Returns no option if the caller disables
   * webhooks or passes a server or certificates, and for an existing cluster, which cannot call a server on this machine.
   */
  #webhooks({ webhooks = {} }: ManagerOptions, manager: () => Manager): Pick<ManagerOptions, 'webhooks'> {
    const isGiven = webhooks === false || webhooks.server !== undefined || webhooks.certificates !== undefined;
    if (isGiven || this.#options.server === 'existing') return {};
    const server = new RegisteredWebhooks({
      ...this.#registering(),
      configurations: this.#configurations,
      manager,
    });
    this.#registrations.push(server);
    return { webhooks: { ...webhooks, server } };
  }
  /**
   * Registers the policies of a manager while the manager runs. Does nothing in an existing cluster, where the policies would affect other
   * users.
   */
  #enforcePolicies(manager: Manager): void {
    if (this.#options.server === 'existing') return;
    const policies = new RegisteredPolicies(this.#registering());
    this.#registrations.push(policies);
    manager.on('beforeStart', () => policies.register(manager.describe().policies));
    manager.on('stopped', () => policies.unregister());
  }
  /** Returns the dependencies of a registration of webhooks or policies, with a new random name. */
  #registering(): Pick<RegisteredWebhooksUsing, 'client' | 'clock' | 'logger' | 'name'> {
    const clock = this.#passingClock;
    const name = `kubewright-test-${clock.random.uuid().slice(0, 8)}`;
    return { client: this.client, clock, logger: new SilentLogger(), name };
  }
  get #installing(): InstallUsing {
    return { client: this.client, cache: this.#cache };
  }
  get #clock(): Clock {
    return this.#options.clock ?? new SystemClock();
  }
  /** A clock that advances by itself, with the random values of the environment's clock. */
  get #passingClock(): Clock {
    return new SystemClock({ random: this.#clock.random });
  }

  #others(): readonly string[] {
    return this.#registrations.some(({ isPending }) => isPending) ? ['registration of webhooks or policies'] : [];
  }

  async #until<T extends KubeObject>(kind: KindRef<T>, key: ObjectKey, isSo: (now: T) => boolean): Promise<T> {
    await using informer = await this.#informerOf(kind, key);
    return await this.#held.unlessRefused((signal) => informer.until(key, isSo, { timeout: TIME_LIMIT, signal }));
  }
  #informerOf<T extends KubeObject>(kind: KindRef<T>, { namespace }: ObjectKey): Promise<Informer<T>> {
    return this.cluster.cache.informer(kind, namespace === undefined ? {} : { namespace });
  }
  #kindOf<T extends KubeObject>(object: T): KindRef<T> {
    const isKind = (kind: KindRef): boolean =>
      kindOf(kind).kind === object.kind && kindOf(kind).apiVersion === object.apiVersion;
    return (this.#options.kinds?.find(isKind) as KindRef<T> | undefined) ?? kindRefOf(object);
  }
}

/**
 * Starts a test environment with server 'control-plane' on a control plane of another owner, which `borrow` returns. At the end, the
 * environment releases the control plane, and does not delete the objects in the control plane. `controlPlane` of the environment throws
 * NOT_SUPPORTED. Rejects as `TestEnvironment.start` does.
 */
export async function startEnvironmentOnLoan(
  borrow: () => Promise<ControlPlaneLoan>,
  options: TestEnvironmentOptions,
): Promise<TestEnvironment> {
  const given = { ...options, server: 'control-plane' } as const;
  checkOptions(given);
  const { trace, traced } = withTrace(given);
  return startOn(await ConnectedServer.onLoan(await borrow(), traced), given, trace);
}
