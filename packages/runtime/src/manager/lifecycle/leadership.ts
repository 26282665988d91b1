import type { Clock } from '@kubewright/api/clock';
import { KubewrightError } from '@kubewright/api/errors';
import { LeaderElection } from '../../election/leader-election.js';
import { type LeaderElectionOptions, resolveLeaderElection } from '../../election/leader-election-options.js';
import { podNamespace } from '../../election/pod-namespace.js';
import type { ElectionTransport } from '../../election/served-lease-lock.js';
import type { EventRecorder } from '../../events/event-recorder.js';
import type { Logger } from '../../log/logger.js';
import type { Metrics } from '../../metrics/metrics.js';
import { bothFences, currentFence, type WriteFence } from '../../transport/request/write-fence.js';

/** The dependencies of `Leadership`. */
export interface LeadershipUsing {
  readonly transport: ElectionTransport;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Reports events when the leadership of this replica starts and ends. */
  readonly events: EventRecorder;
  /** Called at most once, when another replica may have become the leader. */
  readonly onLost: (error: KubewrightError) => void;
}

/**
 * Tracks whether this replica is the leader. Without an election, the replica is the leader when its leader-only components have started.
 */
export class Leadership {
  /**
   * Resolves when this replica is the leader and the leader-only components have started. Rejects with STOPPED if the manager stops first.
   */
  readonly elected: Promise<void>;
  readonly #options: LeaderElectionOptions | string | undefined;
  #election: LeaderElection | undefined;
  #endMetrics: () => void = () => undefined;
  #leading = false;
  #lost = false;
  /**
   * The write fence that was active when `Manager.start` was called. Undefined if no fence was active. Applies to all writes of the
   * manager.
   */
  #outerFence: WriteFence | undefined;
  #leaderFence: WriteFence | undefined;
  #settle: { readonly resolve: () => void; readonly reject: (error: unknown) => void } | undefined;

  /**
   * Validates the options. Undefined disables the election. Throws INVALID_LEADER_ELECTION. A missing namespace is reported later, by
   * `prepare`.
   */
  constructor(options: LeaderElectionOptions | string | undefined) {
    this.#options = options;
    // Uses a placeholder namespace. `prepare` finds the real namespace if the process runs in a Pod.
    if (options !== undefined) resolveLeaderElection(options, { podNamespace: 'default' });
    this.elected = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    // Prevents an unhandled rejection if no caller waits for the election.
    this.elected.catch(() => undefined);
  }

  /** Whether this replica is currently the leader. */
  get isLeader(): boolean {
    return this.#leading && !this.#lost && (this.#election?.isLeader ?? true);
  }
  /** Throws LEADERSHIP_LOST if another replica may be the leader. Does nothing without an election. */
  assertLeader(): void {
    this.#election?.assertLeader();
  }
  /**
   * Returns the fence that checks each write of leader-only work or of other work. With leader election, the fence for leader-only work
   * throws LEADERSHIP_LOST if another replica may be the leader. In addition, all writes are checked by the fence that was active when
   * `Manager.start` was called. Returns undefined if no fence applies.
   */
  fenceOf({ leaderOnly }: { readonly leaderOnly: boolean }): WriteFence | undefined {
    return leaderOnly && this.contends ? this.#leaderFence : this.#outerFence;
  }
  /** Whether this replica was the leader and could not keep the Lease. */
  get lost(): boolean {
    return this.#lost;
  }
  /** The identity of the last known leader. Undefined without an election. */
  get leader(): string | undefined {
    return this.#election?.leader;
  }
  /**
   * Returns why this process must be restarted, or undefined. A restart is necessary if the process was the leader, could not renew the
   * Lease, and still runs longer than `healthTolerance` after the Lease expired.
   */
  check(): string | undefined {
    return this.#election?.check();
  }

  /** Why this replica cannot become the leader, with the fix. Undefined if the replica can be elected, or if there is no election. */
  get refusal(): string | undefined {
    return this.#election?.refusal;
  }

  /** Creates the election. Rejects with INVALID_LEADER_ELECTION if the namespace of the Lease is not known. */
  async prepare({ onLost, metrics, ...using }: LeadershipUsing): Promise<void> {
    this.#outerFence = currentFence();
    if (this.#options === undefined) return;
    this.#leaderFence = bothFences(this.#outerFence, () => this.assertLeader());
    const election = new LeaderElection(
      resolveLeaderElection(this.#options, { podNamespace: await podNamespace(), random: using.clock.random }),
      using,
    );
    this.#election = election;
    this.#endMetrics = metrics.followElection(() => election.stats());
    void election.lost.then((error) => {
      this.#lost = true;
      onLost(error);
    });
  }
  /** Whether this manager takes part in a leader election. False before `prepare`. */
  get contends(): boolean {
    return this.#election !== undefined;
  }
  /**
   * Resolves when this replica becomes the leader, or immediately without an election. Rejects with the error of the election, and with the
   * reason of the signal.
   */
  async acquire(signal: AbortSignal): Promise<void> {
    await this.#election?.acquire(signal);
  }
  /** Resolves `elected`. From now on, `isLeader` can return true. Call this method when the leader-only components have started. */
  begun(): void {
    this.#leading = true;
    this.#settle?.resolve();
  }
  /**
   * Stops the election and the renewal of the Lease. Rejects `elected` with STOPPED if it is still pending. If `idle` is true, which means
   * that all work has ended, and `releaseOnStop` is true, releases the Lease. Otherwise, other replicas must wait until the Lease expires.
   */
  async end({ idle }: { readonly idle: boolean }): Promise<void> {
    await this.#election?.release({ empty: idle });
    this.#endMetrics();
    this.#leading = false;
    this.#settle?.reject(new KubewrightError('STOPPED', 'the manager stopped before this replica was elected'));
  }
}
