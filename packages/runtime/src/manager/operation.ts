import { KubewrightError } from '@kubewright/api/errors';
import type { ObservedRun } from '../controller/runs/observed-run.js';
import type { Metrics } from '../metrics/metrics.js';
import { withFence } from '../transport/request/write-fence.js';
import type { ConnectedBackend } from './cluster/cluster-backend.js';
import type { ManagerCluster } from './cluster/manager-cluster.js';
import type { Added } from './components/component.js';
import type { ManagedControllers } from './controllers/managed-controllers.js';
import type { ManagerServers } from './endpoints/manager-servers.js';
import { addressesOf } from './webhooks/endpoint-addresses.js';
import type { HookList } from './hooks/hook-list.js';
import type { HookName } from './hooks/manager-hooks.js';
import type { Provider, ServiceContainer, ServiceKey } from './injection/service-container.js';
import type { Failures } from './lifecycle/failures.js';
import { endsWithin } from './lifecycle/grace-period.js';
import { Leadership } from './lifecycle/leadership.js';
import { Lifecycle } from './lifecycle/lifecycle.js';
import { OwnedProcess } from './lifecycle/owned-process.js';
import type { MemberFailure } from './lifecycle/runnable-group.js';
import { RunnableGroups } from './lifecycle/runnable-groups.js';
import type { AppliedSettings } from './settings/applied-settings.js';
import type { ResolvedManagerOptions } from './settings/resolved-manager-options.js';
import type { ManagerWebhooks } from './webhooks/manager-webhooks.js';
import { Assembly } from './assembly.js';
import type { ManagerLog } from './manager-log.js';

/** The components of a manager that an operation uses. */
export interface OperationUsing {
  readonly options: ResolvedManagerOptions;
  readonly log: ManagerLog;
  readonly metrics: Metrics;
  readonly settings: AppliedSettings;
  readonly cluster: ManagerCluster;
  readonly controllers: ManagedControllers;
  readonly servers: ManagerServers;
  readonly webhooks: ManagerWebhooks;
  readonly hooks: HookList;
  /** Called each time the state of the manager, an informer or a controller may have changed. */
  readonly onActivity: () => void;
  /** Called at the start and at the end of each reconcile. */
  readonly onRun: (run: ObservedRun) => void;
}

/**
 * Runs a manager from its start to its stop. Starts the groups of components, starts the leader-only group after the election, and stops
 * all groups. Also stops the manager when the process receives a stop signal, such as SIGTERM.
 */
export class Operation {
  /** Starts and stops the manager, and tracks its state. */
  readonly life: Lifecycle;
  /** Tracks whether this replica is the leader. */
  readonly leadership: Leadership;
  /** The functions that register the services of the program in the container. */
  readonly provisions: ((container: ServiceContainer) => void)[] = [];
  readonly #using: OperationUsing;
  readonly #process: OwnedProcess;
  readonly #groups: RunnableGroups;
  /** The components that were added before the assembly was created. */
  readonly #waiting: Added[] = [];
  #assembly: Assembly | undefined;
  #begun = false;
  #ending = false;

  /** Creates an operation without starting it. Throws INVALID_LEADER_ELECTION. */
  constructor(using: OperationUsing) {
    const { leaderElection, signals } = using.options;
    this.#using = using;
    this.leadership = new Leadership(leaderElection);
    this.#process = new OwnedProcess(signals);
    this.#groups = new RunnableGroups(
      (failure) => this.#onFailure(failure),
      (work) => this.leadership.fenceOf(work),
    );
    for (const endpoint of using.servers.served) this.add({ endpoint });
    this.life = new Lifecycle({
      begin: (signal) => this.#begin(signal),
      end: (reason, failures) => this.#end(reason, failures),
      changed: () => using.onActivity(),
    });
    this.life.stopped.catch((error: unknown) => this.#process.failing(error));
  }

  /** Registers the implementation of a service in the container. Throws ALREADY_STARTED. */
  provide<T>(token: ServiceKey<T>, provider: Provider<T>): void {
    this.life.assertNew('provide');
    this.provisions.push((container) => container.provide(token, provider));
  }
  /**
   * Adds a component to its group. If the group already runs, starts the component immediately. Throws NOT_PROVIDED, CANNOT_INJECT and
   * STOPPED.
   */
  add(added: Added): void {
    if (this.#assembly === undefined) this.#waiting.push(added);
    else for (const placed of this.#assembly.placed(added)) this.#groups.add(placed);
  }
  /** Starts the manager. See `Manager.start`. */
  async start(): Promise<void> {
    this.#process.maskCrashes();
    this.#process.onStopSignal((signal) => {
      this.#using.log.logger.info('stopping', { signal });
      void this.life.stop();
    });
    try {
      await this.life.start();
    } catch (error) {
      // A stop because of a signal during the start is not an error.
      if (this.#process.signalled && !this.life.failed) return;
      this.#process.failing(error);
      throw error;
    }
  }
  /** Creates the assembly, which constructs the components. */
  assemble(connected: ConnectedBackend): Promise<Assembly> {
    const { options, cluster, controllers, webhooks, log, metrics, onActivity, onRun } = this.#using;
    return Assembly.create(
      {
        options,
        provisions: this.provisions,
        cluster,
        controllers,
        webhooks,
        logger: log.logger,
        metrics,
        onActivity,
        onRun,
        fenceOf: (work) => this.leadership.fenceOf(work),
        onFatal: (error) => this.life.fail(error),
      },
      connected,
    );
  }

  async #begin(signal: AbortSignal): Promise<void> {
    const { log, settings, controllers, servers, webhooks } = this.#using;
    await log.open();
    log.listen();
    settings.log(log.logger, controllers.names);
    await this.#startGroups(signal);
    const endpoints = addressesOf(servers, webhooks);
    log.logger.info('started', {
      controllers: controllers.names,
      ...(Object.keys(endpoints).length > 0 && { endpoints }),
    });
  }
  /**
   * Starts the groups of components. Resolves when all groups are ready, except the group `warmUp` and, with leader election, the group
   * `leader`.
   */
  async #startGroups(signal: AbortSignal): Promise<void> {
    const { cluster, log, metrics, options } = this.#using;
    await this.#callHooks('beforeStart', signal);
    const connected = await cluster.connected();
    await this.leadership.prepare({
      transport: connected.transport,
      clock: options.clock,
      logger: log.logger,
      metrics,
      events: cluster.recorders.of('leader-election'),
      onLost: (error) => this.#onLost(error),
    });
    this.#assembly = await this.assemble(connected);
    signal.throwIfAborted();
    for (const added of this.#waiting.splice(0)) this.add(added);
    for (const group of ['servers', 'webhooks', 'caches'] as const) await this.#groups.start(group);
    // All controllers have started their informers, so the cache need not expect further declarations.
    connected.cache.expect([]);
    await this.#groups.start('others');
    // The start does not wait for warm-ups. Their errors are passed to `#onFailure`.
    this.#groups.start('warmUp').catch(() => undefined);
    if (this.leadership.contends) void this.#contend(signal);
    else await this.#lead(signal);
    await this.#callHooks('started', signal);
    this.#begun = true;
  }
  async #contend(signal: AbortSignal): Promise<void> {
    try {
      await this.leadership.acquire(signal);
      await this.#lead(signal);
    } catch (error) {
      if (signal.aborted) return;
      this.#using.log.logger.error('the leader election or a leader-only component failed; stopping the manager', {
        error,
      });
      this.life.fail(error);
    }
  }
  async #lead(signal: AbortSignal): Promise<void> {
    await this.#groups.start('leader');
    this.leadership.begun();
    await withFence(this.leadership.fenceOf({ leaderOnly: true }), () => this.#callHooks('elected', signal));
  }

  #onLost(error: KubewrightError): void {
    this.#process.leadershipLost();
    void this.#groups.stop('leader', error);
    this.life.fail(error);
  }
  #onFailure({ member, error, stopping }: MemberFailure): void {
    const { logger } = this.#using.log;
    if (stopping || this.#ending) {
      logger.error(`${member} failed while the manager was stopping`, { error });
      return;
    }
    // During the start, `start` rejects with the error, so that the error need not be logged.
    if (this.#begun) logger.error(`${member} failed; stopping the manager`, { error });
    this.life.fail(error);
  }

  /**
   * Stops all groups, and waits for their end up to the grace period. Then closes the leader election, the event recorders and the
   * connection, in this order.
   */
  async #end(reason: KubewrightError, failures: Failures): Promise<void> {
    const { cluster, log, options } = this.#using;
    this.#process.ignoreSignals();
    log.close();
    this.#ending = true;
    // If the leadership is lost, the manager must not wait, because another replica may already be the leader.
    const gracePeriodMs = this.leadership.lost ? 0 : options.gracePeriodMs;
    const ended = await endsWithin(this.#endGroups(reason, failures), options.clock, gracePeriodMs);
    const left = this.#groups.running;
    this.#groups.abandon(reason);
    if (!ended && gracePeriodMs !== 0) {
      const error = graceOver(gracePeriodMs, left);
      log.logger.error('the grace period has ended', { error });
      failures.add(error);
    }
    await this.leadership.end({ idle: left.length === 0 });
    await cluster.recorders.close();
    await cluster.backend.close();
    await this.#callEndHooks('stopped', failures);
    this.#process.end({ failed: failures.combined !== undefined, leftovers: !ended });
  }
  async #endGroups(reason: KubewrightError, failures: Failures): Promise<void> {
    if (this.leadership.lost) await this.#callEndHooks('lost', failures);
    await this.#callEndHooks('stopping', failures);
    await this.#groups.stopInOrder(reason);
  }
  async #callHooks(name: HookName, signal: AbortSignal): Promise<void> {
    await this.#using.hooks.run(name, { signal });
  }
  /** Calls hooks during the stop. If a hook throws, logs the error and continues the stop. */
  async #callEndHooks(name: HookName, failures: Failures): Promise<void> {
    const { hooks, log } = this.#using;
    try {
      await hooks.run(name, { signal: AbortSignal.abort(), ...failures.combined });
    } catch (error) {
      log.logger.error(`hook '${name}' failed while the manager was stopping`, { error });
      failures.add(error);
    }
  }
}

function graceOver(gracePeriodMs: number | undefined, left: readonly string[]): KubewrightError {
  const seconds = (gracePeriodMs ?? 0) / 1000;
  return new KubewrightError(
    'GRACE_PERIOD_EXCEEDED',
    `the manager is stopping, and the following did not return within ${seconds} s: ${left.join(', ')}; return soon after the signal is aborted, or set a longer gracePeriod`,
  );
}
