import type { Clock } from '@kubewright/api/clock';
import { KubewrightError } from '@kubewright/api/errors';
import type { Logger } from '../log/logger.js';
import type { Metrics } from '../metrics/metrics.js';
import { withFence } from '../transport/request/write-fence.js';
import type { ConnectedBackend } from './cluster/cluster-backend.js';
import type { Failures } from './failures.js';
import { endsWithin } from './grace-period.js';
import type { Leadership } from './leadership.js';
import type { ManagerCluster } from './manager-cluster.js';
import type { HookList, HookName } from './manager-hooks.js';
import type { OwnedProcess } from './owned-process.js';
import type { PartPlacing } from './component-placing.js';
import type { Added } from './component.js';
import type { MemberFailure } from './runnable-group.js';
import { RunnableGroups } from './runnable-groups.js';

/** The dependencies of an operation. */
export interface OperationUsing {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly cluster: ManagerCluster;
  readonly leadership: Leadership;
  readonly hooks: HookList;
  readonly process: OwnedProcess;
  /** Undefined for no limit. */
  readonly gracePeriodMs: number | undefined;
  /** Returns the `PartPlacing` for the connection. */
  readonly placing: (connected: ConnectedBackend) => Promise<PartPlacing>;
  /** Called with an error that must stop the manager. */
  readonly fail: (error: unknown) => void;
}

/** Runs the components of a manager: starts them group by group, starts the leader-only group after the election, and stops all groups. */
export class Operation {
  readonly #using: OperationUsing;
  readonly #groups: RunnableGroups;
  /** Components that were added before `begin` created the placing. */
  readonly #waiting: Added[] = [];
  #placing: PartPlacing | undefined;
  #begun = false;
  #ending = false;

  constructor(using: OperationUsing) {
    this.#using = using;
    const { leadership } = using;
    this.#groups = new RunnableGroups(
      (failure) => this.#onFailure(failure),
      (work) => leadership.fenceOf(work),
    );
  }

  /** Runs the component with its group, or at once if the group already runs. Throws NOT_PROVIDED, CANNOT_INJECT and STOPPED. */
  add(added: Added): void {
    if (this.#placing === undefined) this.#waiting.push(added);
    else for (const placed of this.#placing.placed(added)) this.#groups.add(placed);
  }

  /** Starts the groups. Resolves when all groups run that need no election; without an election, when all groups run. */
  async begin(signal: AbortSignal): Promise<void> {
    const { cluster, leadership, clock, logger, metrics, placing } = this.#using;
    await this.#callHooks('beforeStart', signal);
    const connected = await cluster.connected();
    const onLost = (error: KubewrightError): void => this.#onLost(error);
    const events = cluster.recorders.of('leader-election');
    await leadership.prepare({ transport: connected.transport, clock, logger, metrics, events, onLost });
    this.#placing = await placing(connected);
    signal.throwIfAborted();
    for (const added of this.#waiting.splice(0)) this.add(added);
    for (const group of ['servers', 'caches'] as const) await this.#groups.start(group);
    // The controllers have declared their kinds.
    connected.cache.expect([]);
    await this.#groups.start('others');
    // The start does not wait for warm-ups. `#onFailure` receives their errors.
    this.#groups.start('warmUp').catch(() => undefined);
    if (leadership.contends) void this.#contend(signal);
    else await this.#lead(signal);
    await this.#callHooks('started', signal);
    this.#begun = true;
  }

  /**
   * Stops all groups, waits up to the grace period, and closes the leader election, the event recorders and the connection, in this order.
   */
  async end(reason: KubewrightError, failures: Failures): Promise<void> {
    this.#ending = true;
    const { leadership, cluster, clock, process, logger } = this.#using;
    // Another replica may already be the leader, so the manager must not wait.
    const gracePeriodMs = leadership.lost ? 0 : this.#using.gracePeriodMs;
    const ended = await endsWithin(this.#endGroups(reason, failures), clock, gracePeriodMs);
    const left = this.#groups.running;
    this.#groups.abandon(reason);
    if (!ended && gracePeriodMs !== 0) {
      const error = graceOver(gracePeriodMs, left);
      logger.error('the grace period has ended', { error });
      failures.add(error);
    }
    await leadership.end({ idle: left.length === 0 });
    await cluster.recorders.close();
    await cluster.backend.close();
    await this.#callEndHooks('stopped', failures);
    process.end({ failed: failures.combined !== undefined, leftBehind: !ended });
  }

  async #contend(signal: AbortSignal): Promise<void> {
    try {
      await this.#using.leadership.acquire(signal);
      await this.#lead(signal);
    } catch (error) {
      if (signal.aborted) return;
      this.#using.logger.error('a leader-only component failed; stopping', { error });
      this.#using.fail(error);
    }
  }
  async #lead(signal: AbortSignal): Promise<void> {
    const { leadership } = this.#using;
    await this.#groups.start('leader');
    leadership.begun();
    await withFence(leadership.fenceOf({ leaderOnly: true }), () => this.#callHooks('elected', signal));
  }
  #onLost(error: KubewrightError): void {
    this.#using.process.leadershipLost();
    void this.#groups.stop('leader', error);
    this.#using.fail(error);
  }
  #onFailure({ member, error, stopping }: MemberFailure): void {
    const { logger, fail } = this.#using;
    if (stopping || this.#ending) {
      logger.error(`${member} failed while the manager was stopping`, { error });
      return;
    }
    // Before that, `start` reports the error.
    if (this.#begun) logger.error(`${member} failed; stopping`, { error });
    fail(error);
  }

  async #endGroups(reason: KubewrightError, failures: Failures): Promise<void> {
    if (this.#using.leadership.lost) await this.#callEndHooks('lost', failures);
    await this.#callEndHooks('stopping', failures);
    await this.#groups.stopInOrder(reason);
  }
  async #callHooks(name: HookName, signal: AbortSignal): Promise<void> {
    await this.#using.hooks.run(name, { signal });
  }
  /** Calls hooks during the stop. A failed hook does not prevent the stop of the other components. */
  async #callEndHooks(name: HookName, failures: Failures): Promise<void> {
    const { hooks, logger } = this.#using;
    try {
      await hooks.run(name, { signal: AbortSignal.abort(), ...failures.combined });
    } catch (error) {
      logger.error(`hook '${name}' failed while the manager was stopping`, { error });
      failures.add(error);
    }
  }
}

function graceOver(gracePeriodMs: number | undefined, left: readonly string[]): KubewrightError {
  const seconds = (gracePeriodMs ?? 0) / 1000;
  return new KubewrightError(
    'GRACE_PERIOD_OVER',
    `the manager is stopping, and the following did not return within ${seconds} s: ${left.join(', ')}; return soon after the signal is aborted, or set a longer gracePeriod`,
  );
}
