import type { KubeObject, ObjectKey } from '@kubewright/api';
import { Clock, durationMs, SystemClock } from '@kubewright/api/clock';
import { isAborted, KubewrightError } from '@kubewright/api/errors';
import { compareResourceVersions } from '@kubewright/api/resource-version';
import { Cache } from '../cache/cache.js';
import { CachedClient } from '../client/cached-client.js';
import { Client } from '../client/client.js';
import type { DeclaredKind } from '../client/client-backend.js';
import type { ControllerDependencies } from '../controller/controller-dependencies.js';
import type { ControllerOptions } from '../controller/controller-options.js';
import type { ControllerRunner } from '../controller/controller-runner.js';
import type { ControllerStats } from '../controller/controller-stats.js';
import type { Reconciler } from '../controller/reconciler.js';
import { ownedKinds } from '../controller/resolved-options.js';
import { EventRecorder } from '../events/event-recorder.js';
import { LateLogger } from '../log/late-logger.js';
import { Logger } from '../log/logger.js';
import { PinoLogger } from '../log/pino-logger.js';
import { Metrics } from '../metrics/metrics.js';
import { BackendCache, ClusterBackend, type ConnectedBackend } from './cluster-backend.js';
import { ControllerOpening } from './controller-opening.js';
import { declaredKinds, joinedKinds } from './declared-kinds.js';
import { EventRecorders } from './event-recorders.js';
import type { ManagerOptions } from './manager-options.js';
import { type AddedController, type AddedRunnable, addedPart, type Part, plainController } from './part.js';
import type { Readiness } from './readiness.js';
import type { Runnable } from './runnable.js';
import { type Constructor, type Provider, ServiceContainer, type ServiceKey } from './service-container.js';
import { onStopSignal } from './stop-signals.js';

const NAME = 'kubewright-manager';
/** Longest interval of Node, for the one that keeps the process alive. */
const KEEP_ALIVE_MS = 2 ** 31 - 1;

/** Where a manager is in its life; it goes through the states in this order and may leave out some. */
type State = 'new' | 'starting' | 'running' | 'stopping' | 'stopped';

/** Runs controllers. */
export class Manager implements AsyncDisposable {
  readonly client: Client;
  readonly cache: Cache;
  readonly events: EventRecorder;
  /** What is measured of it. */
  readonly metrics = new Metrics();
  /** Settles when the manager has stopped, by signal, `stop` or failure. */
  readonly stopped: Promise<void>;
  readonly #options: ManagerOptions;
  readonly #clock: Clock;
  readonly #logger = new LateLogger();
  readonly #backend: ClusterBackend;
  readonly #recorders: EventRecorders;
  readonly #opening: ControllerOpening;
  /** What `client` may read; grows with each controller. */
  readonly #declared: DeclaredKind[] = [];
  readonly #controllers: AddedController[] = [];
  readonly #runnables: AddedRunnable[] = [];
  readonly #provisions: ((container: ServiceContainer) => void)[] = [];
  readonly #runners = new Map<AddedController, ControllerRunner>();
  readonly #listeners = new Set<() => void>();
  readonly #stopping = new AbortController();
  readonly #running = new Set<Promise<void>>();
  #state: State = 'new';
  #ending: Promise<void> | undefined;
  #endSignals: () => void = () => undefined;
  #keepAlive: NodeJS.Timeout | undefined;
  #settleStopped: { readonly resolve: () => void; readonly reject: (error: unknown) => void } | undefined;

  constructor(options: ManagerOptions = {}) {
    this.#options = options;
    this.#clock = options.clock ?? new SystemClock();
    if (options.logger !== undefined) this.#logger.to(options.logger);
    const using = { clock: this.#clock, logger: this.#logger, metrics: this.metrics };
    this.#backend = new ClusterBackend(options, using);
    this.#opening = new ControllerOpening(using);
    this.#recorders = new EventRecorders({ ...using, transport: async () => (await this.#connected()).transport });
    this.client = new CachedClient({
      ...using,
      backend: () => this.#connected(),
      fieldManager: NAME,
      ...(options.implicitInformers !== true && { declared: this.#declared }),
    });
    this.cache = new BackendCache(this.#backend);
    this.events = this.#recorders.of(NAME);
    this.stopped = new Promise((resolve, reject) => {
      this.#settleStopped = { resolve, reject };
    });
    // The failure is also that of `start`, or was logged: who does not wait for the end need not handle it.
    this.stopped.catch(() => undefined);
  }

  /** Adds decorated classes, which the container makes, or instances of them. Throws NOT_A_PART, INVALID_CONTROLLER and CANNOT_INJECT. */
  add(...parts: readonly (Constructor<Part> | Part)[]): this {
    for (const part of parts) {
      const added = addedPart(part);
      if ('controller' in added) this.#addController(added.controller);
      else {
        this.#assertNew('add');
        this.#runnables.push(added.runnable);
      }
    }
    return this;
  }
  /** The same without decorators: what `@Controller` says, and the reconciler. */
  control<T extends KubeObject>(
    options: ControllerOptions<T>,
    reconciler: Reconciler<T> | Reconciler<T>['reconcile'],
  ): this {
    this.#addController(plainController(options, reconciler));
    return this;
  }
  /** Asks for a reconcile, for events that come from elsewhere. Throws UNKNOWN_CONTROLLER and NOT_STARTED. */
  enqueue(controller: Constructor, key: ObjectKey): void {
    const added = this.#controllers.find(({ target }) => target === controller);
    if (added === undefined) {
      throw new KubewrightError(
        'UNKNOWN_CONTROLLER',
        `cannot enqueue: ${controller.name} was not added to this manager`,
      );
    }
    const runner = this.#runners.get(added);
    if (runner === undefined) {
      throw new KubewrightError('NOT_STARTED', `cannot enqueue for ${controller.name}: the manager does not run`);
    }
    runner.enqueue(key);
  }
  /** Gives the container what stands for a token or an abstract class. What is made is made once. */
  provide<T>(token: ServiceKey<T>, provider: Provider<T>): this {
    this.#assertNew('provide');
    this.#provisions.push((container) => container.provide(token, provider));
    return this;
  }

  /**
   * Resolves when caches are synced and workers run. What the server refuses meanwhile (a kind that it does not serve, a right that is
   * not there) is logged as one error with its cure and asked for again, with back-off; `readiness` tells of it. Rejects with
   * NOT_SYNCED after the `syncTimeout`, and at once for what waiting does not change (NOT_PROVIDED, INVALID_KUBECONFIG, …); the
   * manager has stopped then.
   */
  async start(): Promise<void> {
    this.#assertNew('start');
    this.#state = 'starting';
    const { signals } = this.#options;
    this.#keepAlive = setInterval(() => undefined, KEEP_ALIVE_MS);
    if (signals !== false) {
      this.#endSignals = onStopSignal(signals ?? ['SIGINT', 'SIGTERM'], (signal) => {
        this.#logger.info('stopping', { signal });
        void this.stop();
      });
    }
    try {
      await this.#start();
    } catch (error) {
      await this.#stop(error);
      throw error;
    }
  }

  /** Begins nothing more, aborts what runs, waits for it as long as the grace period, and closes the connection. */
  stop(): Promise<void> {
    return this.#stop(undefined);
  }
  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  /**
   * What is left to do at this moment of the clock, by name: kinds that are not synced, keys that wait or are reconciled, and
   * what failed and is tried again within so many milliseconds. Empty when idle.
   */
  pending({ retriesWithinMs = 0 }: { readonly retriesWithinMs?: number } = {}): readonly string[] {
    if (this.#state === 'starting') return ['start of the manager'];
    return [...this.#runners.values()].flatMap((runner) => runner.pending(retriesWithinMs));
  }
  /** Calls back whenever `pending` or `caughtUp` may have changed. Returns what ends it. */
  onActivity(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
  /** The kinds of which not everything up to this version of the server was seen, by name. Empty when all was. */
  async caughtUp(resourceVersion: string): Promise<readonly string[]> {
    if (this.#state !== 'running') return [];
    const { cache } = await this.#connected();
    const behind = cache.informers().filter((informer) => {
      const seen = informer.resourceVersion;
      return informer.waiting > 0 || seen === '' || compareResourceVersions(seen, resourceVersion) < 0;
    });
    return behind.map(({ kind }) => kind);
  }
  /**
   * The kinds of which the server lists something that was not seen yet, by name. For servers of which no version is known that
   * stands for everything: asks for a list of each kind that is watched.
   */
  async behind(): Promise<readonly string[]> {
    if (this.#state !== 'running') return [];
    const { cache } = await this.#connected();
    return cache.behind();
  }
  /** Whether the manager does its work: it runs, and the objects of all that its controllers declare can be had. */
  readiness(): Readiness {
    if (this.#state === 'new') return { ready: false, reasons: ['the manager was not started'] };
    if (this.#state === 'stopping' || this.#state === 'stopped') {
      return { ready: false, reasons: ['the manager has stopped, or is about to'] };
    }
    const reasons = [...this.#opening.problems, ...[...this.#runners.values()].flatMap((runner) => runner.unready())];
    if (reasons.length === 0 && this.#state === 'starting') reasons.push('the manager is starting');
    return { ready: reasons.length === 0, reasons };
  }
  /** What each controller has done, by its name. */
  stats(): ReadonlyMap<string, ControllerStats> {
    return new Map([...this.#runners.values()].map((runner) => [runner.options.name, runner.stats()]));
  }

  #connected(): Promise<ConnectedBackend> {
    return this.#backend.connected();
  }
  #assertNew(action: string): void {
    if (this.#state === 'new') return;
    throw new KubewrightError(
      'ALREADY_STARTED',
      `cannot ${action}: the manager was started already; a manager runs once`,
    );
  }
  #addController(added: AddedController): void {
    this.#assertNew('add a controller');
    const { name } = added.options;
    if (this.#controllers.some(({ options }) => options.name === name)) {
      throw new KubewrightError(
        'DUPLICATE_CONTROLLER',
        `there are two controllers '${name}': give one of them another name`,
      );
    }
    this.#controllers.push(added);
    const joined = joinedKinds([...this.#declared, ...declaredKinds(added.options)]);
    this.#declared.splice(0, this.#declared.length, ...joined);
  }

  async #start(): Promise<void> {
    if (this.#options.logger === undefined) this.#logger.to(await PinoLogger.create());
    if (this.#options.leaderElection !== undefined) {
      this.#logger.warn('leader election is not part of this version; running as the only replica');
    }
    const backend = await this.#connected();
    backend.cache.onProgress(() => this.#notify());
    const container = await this.#container();
    await this.#withinSyncTimeout(async (signal) => {
      for (const added of this.#controllers) {
        const dependencies = this.#dependencies(added, container, backend);
        this.#runners.set(added, await this.#opening.open(added.options, { dependencies, signal }));
      }
      await Promise.all([...this.#runners.values()].map((runner) => runner.synced(signal)));
    });
    this.#stopping.signal.throwIfAborted();
    for (const runner of this.#runners.values()) runner.start();
    for (const added of this.#runnables) this.#run(added, container);
    this.#state = 'running';
    this.#logger.info('started', { controllers: this.#controllers.map(({ options }) => options.name) });
    this.#notify();
  }

  /** Does what may have to wait for the server, until the timeout or the end of the manager. */
  async #withinSyncTimeout(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const { syncTimeout = '2m' } = this.#options;
    if (syncTimeout === false) return work(this.#stopping.signal);
    const deadline = new AbortController();
    const timer = this.#clock.schedule(durationMs(syncTimeout), () => {
      const reasons = this.readiness().reasons.join('; ');
      deadline.abort(new KubewrightError('NOT_SYNCED', `cannot start: not ready after ${syncTimeout}: ${reasons}`));
    });
    try {
      await work(AbortSignal.any([deadline.signal, this.#stopping.signal]));
    } finally {
      timer.cancel();
    }
  }

  async #container(): Promise<ServiceContainer> {
    const container = await ServiceContainer.create();
    container.provide(Client, { value: this.client });
    container.provide(Cache, { value: this.cache });
    container.provide(EventRecorder, { value: this.events });
    container.provide(Clock, { value: this.#clock });
    container.provide(Logger, { value: this.#logger });
    for (const provision of this.#provisions) provision(container);
    return container;
  }

  #dependencies(
    { options, reconciler }: AddedController,
    container: ServiceContainer,
    backend: ConnectedBackend,
  ): ControllerDependencies {
    const { name } = options;
    const implicit = this.#options.implicitInformers === true;
    const client = new CachedClient({
      backend,
      clock: this.#clock,
      logger: this.#logger,
      fieldManager: name,
      owns: ownedKinds(options),
      ...(!implicit && { declared: declaredKinds(options) }),
    });
    const own = container.child();
    own.provide(Client, { value: client });
    own.provide(EventRecorder, { value: this.#recorders.of(name) });
    own.provide(Logger, { value: this.#logger.with({ controller: name }) });
    return {
      reconciler: typeof reconciler === 'function' ? own.make(reconciler) : reconciler,
      watcher: backend.cache,
      reader: client,
      conditions: client,
      patch: (object, operations) => this.#backend.patch(object, operations, name),
      isNamespaced: async (kind) => (await backend.discovery.resolve(kind)).namespaced,
      events: this.#recorders.of(name),
      clock: this.#clock,
      logger: this.#logger,
      metrics: this.metrics,
      onActivity: () => this.#notify(),
      onFatal: (error) => void this.#stop(error),
      random: Math.random,
    };
  }

  #run({ name, runnable }: AddedRunnable, container: ServiceContainer): void {
    const made: Runnable = typeof runnable === 'function' ? container.make(runnable) : runnable;
    const { signal } = this.#stopping;
    const run = async (): Promise<void> => {
      try {
        await made.run(signal);
      } catch (error) {
        if (signal.aborted || isAborted(error)) return;
        this.#logger.error('a runnable failed; stopping', { runnable: name, error });
        void this.#stop(error);
      }
    };
    const running = run();
    this.#running.add(running);
    void running.then(() => this.#running.delete(running));
  }

  #stop(error: unknown): Promise<void> {
    this.#ending ??= this.#end(error);
    return this.#ending;
  }
  async #end(error: unknown): Promise<void> {
    this.#state = 'stopping';
    this.#endSignals();
    this.#stopping.abort(new KubewrightError('STOPPED', 'the manager stops'));
    const runners = [...this.#runners.values()].map((runner) => runner.stop());
    await this.#withinGrace(Promise.allSettled([...runners, ...this.#running]));
    await this.#recorders.close();
    await this.#backend.close();
    this.#runners.clear();
    clearInterval(this.#keepAlive);
    this.#state = 'stopped';
    this.#notify();
    if (error === undefined) this.#settleStopped?.resolve();
    else this.#settleStopped?.reject(error);
  }
  async #withinGrace(work: Promise<unknown>): Promise<void> {
    const graceMs = durationMs(this.#options.gracePeriod ?? '30s');
    await new Promise<void>((resolve) => {
      const timer = this.#clock.schedule(graceMs, () => {
        this.#logger.warn('the grace period is over; what still runs is left behind');
        resolve();
      });
      void work.then(() => {
        timer.cancel();
        resolve();
      });
    });
  }
  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}
