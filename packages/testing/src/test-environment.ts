import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import type { KindRef, KubeObject, ObjectKey } from '@kubewright/api';
import { type Clock, SystemClock } from '@kubewright/api/clock';
import { KubewrightError } from '@kubewright/api/errors';
import { generateCrds } from '@kubewright/api/crd';
import { kindOf, kindRefOf } from '@kubewright/api/metadata';
import type { ApiServer } from '@kubewright/apiserver';
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
  type Part,
  type Reconciler,
} from '@kubewright/runtime';
import { CachedClient, EventRecorders, InformerCache, Transport, SilentLogger } from '@kubewright/runtime/internal';
import { Activity } from './activity.js';
import { ConnectedServer } from './connected-server.js';
import type { ControlPlane } from './control-plane/control-plane.js';
import { kubeconfigOf } from './control-plane/kubeconfig.js';
import { readDefinitions } from './crd-manifests.js';
import { EmbeddedServer } from './embedded-server.js';
import { FakeClock } from './fake-clock.js';
import { initialObjects } from './initial-objects.js';
import type { InstallUsing } from './installed-definitions.js';
import { ObservedEvents } from './observed-events.js';
import { reconcileOnce } from './reconcile-once.js';
import type { Reconciled } from './reconciled.js';
import { HeldManagers } from './rights/held-managers.js';
import type { RightsReport } from './rights/rights-report.js';
import { settle } from './settling.js';
import { checkOptions, type InstalledKinds, type TestEnvironmentOptions } from './test-environment-options.js';
import type { TestServer } from './test-server.js';
import { whileTimePasses } from './while-time-passes.js';

/** The first retries of the back-off, those after a conflict among them, come within this time. */
const QUICK_RETRY_MS = 100;

/** How long an object may take to become as it is awaited. */
const PATIENCE = '30s';

/** Field manager of the writes of `client`. */
const NAME = 'kubewright-test';

/**
 * An API server for a test: one in this process, a real control plane on this machine, or the cluster of the current kubeconfig.
 *
 * @example
 * await using env = await TestEnvironment.start({ kinds: [Machine], objects: [machine], workloads: true });
 * await env.run(MachineController);
 * await env.until(machine, ({ status }) => status?.phase === 'Complete');
 */
export class TestEnvironment implements AsyncDisposable {
  /** The connection that code without a manager takes; its reads open informers as they come. */
  readonly cluster: Cluster;
  /** Live reads, all rights. */
  readonly client: Client;
  /** Records events, which the report of `reconcile` tells. */
  readonly events: EventRecorder;
  readonly #server: TestServer;
  readonly #options: TestEnvironmentOptions;
  readonly #observed: ObservedEvents;
  readonly #cache: InformerCache;
  readonly #held: HeldManagers;
  readonly #managers: Manager[] = [];
  readonly #made: KubeObject[] = [];
  readonly #activity = new Activity();
  readonly #closing: (() => Promise<void> | void)[] = [];
  #endSettling: () => void = () => undefined;

  private constructor(server: TestServer, options: TestEnvironmentOptions) {
    this.#server = server;
    this.#options = options;
    const clock = new SystemClock();
    const logger = new SilentLogger();
    const observers = [{ request: (request: ObservedRequest) => this.#held.administrator.request?.(request) }];
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
      // Where others have roles, too, those of two runs must not have the same names.
      prefix: options.server === 'existing' ? `operator-${randomUUID().slice(0, 8)}` : 'operator',
      onRefused: this.#activity.note,
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
      server.onActivity(this.#activity.note),
      cache.onProgress(this.#activity.note),
      () => recorders.close(),
      () => cache.close(),
      () => transport.close(),
    );
    const { clock: given } = options;
    if (given instanceof FakeClock) this.#endSettling = given.onAdvance(() => this.settled());
  }

  /**
   * Starts a server, or connects to one, installs the kinds and makes the objects. Rejects with NOT_SUPPORTED for what the chosen
   * server cannot do, with NO_CONTROL_PLANE where there are no programs of one, with INVALID_OPTION for an object that cannot be
   * there at the beginning, and with what the server says against an object.
   */
  static async start(options: TestEnvironmentOptions = {}): Promise<TestEnvironment> {
    checkOptions(options);
    const server = await serverOf(options);
    const environment = new TestEnvironment(server, options);
    try {
      await environment.install(options);
      for await (const made of initialObjects(options.objects ?? [], environment.client)) environment.#made.push(made);
    } catch (error) {
      await environment[Symbol.asyncDispose]();
      throw error;
    }
    return environment;
  }

  /** The embedded server, for what a test wants to do to it. Throws NOT_SUPPORTED where it is another one. */
  get server(): ApiServer {
    const { embedded } = this.#server;
    if (embedded !== undefined) return embedded;
    throw new KubewrightError(
      'NOT_SUPPORTED',
      "reach into the server of a test environment: that is for server 'embedded'; this one is only connected to",
    );
  }

  /** The control plane, for what a test wants to do to it. Throws NOT_SUPPORTED where the server is another one. */
  get controlPlane(): ControlPlane {
    const { controlPlane } = this.#server;
    if (controlPlane !== undefined) return controlPlane;
    throw new KubewrightError(
      'NOT_SUPPORTED',
      "reach into the control plane of a test environment: that is for server 'control-plane'; this one is another",
    );
  }

  /** Where the server is and how its administrator is let in, for clients of your own. */
  get connection(): Connection {
    return this.#server.connection;
  }

  /** Writes a kubeconfig of the administrator, for kubectl and others, so that only the owner of the file can read it. */
  async writeKubeconfig(path: string): Promise<void> {
    await writeFile(path, kubeconfigOf(this.connection), { mode: 0o600 });
  }

  /**
   * Installs more kinds, of classes and of manifests, or newer forms of those that are there; resolves when they are served.
   * Rejects with NO_MANIFEST and INVALID_MANIFEST.
   */
  async install(kinds: InstalledKinds): Promise<void> {
    await this.#server.install(await definitionsOf(kinds), this.#installing);
  }

  /** Takes kinds away, with their objects; resolves when they are gone. Rejects as `install` does. */
  async uninstall(kinds: InstalledKinds): Promise<void> {
    await this.#server.uninstall(await definitionsOf(kinds), this.#installing);
  }

  /**
   * Makes a manager of this server, with these options, no flags or variables, and no endpoints that are not asked for; it stops with the
   * environment. What it does is recorded for `rights`; with `rbac: 'derived'` it may do no more than it declares before it starts.
   */
  readonly manager = (
    options: ManagerOptions = {},
    { rbac = this.#options.rbac ?? 'admin' }: Pick<TestEnvironmentOptions, 'rbac'> = {},
  ): Manager => {
    const manager = this.#held.manager(
      {
        clock: this.#clock,
        logger: this.#options.logger ?? new SilentLogger(),
        signals: false,
        settings: false,
        ...options,
      },
      { held: rbac === 'derived' },
    );
    manager.onActivity(this.#activity.note);
    this.#managers.push(manager);
    return manager;
  };

  /**
   * Makes a manager with these controllers and starts it; it stops with the environment. It has the rights that follow from their
   * declarations and no others, as it would in a cluster, unless the environment was started with `rbac: 'admin'`. When one is missing,
   * `settled`, `until`, `gone` or, at the latest, the end of the environment rejects with MISSING_RIGHT, which says what to write.
   */
  async run(...controllers: readonly (Constructor<Part> | Part)[]): Promise<Manager> {
    const { rbac = this.#options.server === 'existing' ? 'admin' : 'derived' } = this.#options;
    const manager = this.manager({}, { rbac }).add(...controllers);
    await this.#held.grant(manager);
    await manager.start();
    return manager;
  }

  /**
   * What the managers that were made here needed until now, held against the roles that follow from their declarations: what they used,
   * what is missing in the roles, and what the roles give for nothing.
   *
   * @example assert.deepEqual(env.rights().missing, []);
   */
  rights(): RightsReport {
    return this.#held.report();
  }

  /**
   * Resolves when no queue, cache or workload has anything left to do at this moment of the clock; on the real clock, quick retries
   * count as that too. Of an existing cluster only what the managers do is known, not what its own controllers have left. Throws
   * NOT_SETTLED after 30 s, and MISSING_RIGHT.
   */
  settled(): Promise<void> {
    return settle({ activity: this.#activity, prod: () => this.#server.prod(), left: () => this.#left() });
  }

  /** The object as it is now; throws what `isNotFound` knows when it is absent. */
  read<T extends KubeObject>(object: T): Promise<T> {
    return this.client.live.get(this.#kindOf(object), object.metadata);
  }

  /**
   * Waits for the object to be as it should, whoever makes it so, and resolves with it as it is then. Rejects with NOT_REACHED
   * after 30 s, telling how it was last, and with MISSING_RIGHT.
   *
   * ```ts
   * await env.until(vm, ({ status }) => status?.phase === 'Complete');
   * await env.until(Deployment, { namespace: 'default', name: 'web' }, ({ spec }) => spec.replicas === 3);
   * ```
   */
  until<T extends KubeObject>(object: T, isSo: (now: T) => boolean): Promise<T>;
  /** The same for one that others make, by its kind and key. */
  until<T extends KubeObject>(kind: KindRef<T>, key: ObjectKey, isSo: (now: T) => boolean): Promise<T>;
  until<T extends KubeObject>(
    ...given: [object: T, isSo: (now: T) => boolean] | [kind: KindRef<T>, key: ObjectKey, isSo: (now: T) => boolean]
  ): Promise<T> {
    if (given.length === 3) return this.#until(...given);
    const [object, isSo] = given;
    return this.#until(this.#kindOf(object), object.metadata, isSo);
  }

  /** Waits for this very object to be gone; another one of its name does not count, unless it has no uid. Rejects as `until` does. */
  async gone(object: KubeObject): Promise<void> {
    await using informer = await this.#informerOf(this.#kindOf(object), object.metadata);
    await this.#held.unlessRefused((signal) => informer.gone(object, { timeout: PATIENCE, signal }));
  }

  /** Runs the reconciler once on the object as it is now, as its controller would, and reports what it did. */
  reconcile<T extends KubeObject>(reconciler: Reconciler<T>, object: T): Promise<Reconciled<T>> {
    return reconcileOnce(
      reconciler,
      { object, kind: this.#kindOf(object) },
      { client: this.client, events: this.#observed, clock: this.#clock },
    );
  }

  /**
   * Stops the managers and the server; what needs time to stop gets it, on a fake clock as well. An existing server goes on, without the
   * kinds that were new to it and their objects. Rejects with MISSING_RIGHT where that was not told before.
   */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#endSettling();
    await whileTimePasses(this.#options.clock, Promise.all(this.#managers.map((manager) => manager.stop())));
    try {
      // Those in a server of its own go with it.
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

  /** On a clock that goes by itself, a conflict or a failure that is tried again at once is not yet at rest. */
  get #retriesWithinMs(): number {
    return this.#options.clock === undefined ? QUICK_RETRY_MS : 0;
  }
  get #installing(): InstallUsing {
    return { client: this.client, cache: this.#cache };
  }
  get #clock(): Clock {
    return this.#options.clock ?? new SystemClock();
  }

  async #left(): Promise<readonly string[]> {
    this.#held.check();
    const behind = await this.#server.behind({ managers: this.#managers, cache: this.#cache });
    return [
      ...this.#server.pending(),
      ...this.#managers.flatMap((manager) => manager.pending({ retriesWithinMs: this.#retriesWithinMs })),
      ...behind.map((kind) => `changes of ${kind}`),
    ];
  }

  async #until<T extends KubeObject>(kind: KindRef<T>, key: ObjectKey, isSo: (now: T) => boolean): Promise<T> {
    await using informer = await this.#informerOf(kind, key);
    return await this.#held.unlessRefused((signal) => informer.until(key, isSo, { timeout: PATIENCE, signal }));
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

/** Those of classes, whose versions become one, and after them those of manifests. */
async function definitionsOf({ kinds = [], crds = [] }: InstalledKinds): Promise<readonly KubeObject[]> {
  return [...generateCrds(kinds).definitions, ...(await readDefinitions(crds))];
}

function serverOf(options: TestEnvironmentOptions): Promise<TestServer> {
  switch (options.server) {
    case 'existing':
      return ConnectedServer.existing();
    case 'control-plane':
      return ConnectedServer.controlPlane(options);
    default:
      return EmbeddedServer.start(options);
  }
}
