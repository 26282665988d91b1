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
  /** Records the start and the end of this replica's leadership. */
  readonly events: EventRecorder;
  /** Called at most once, when another replica may be the leader. */
  readonly onLost: (error: KubewrightError) => void;
}

/** The leadership of this replica. Without an election, the replica is the leader as soon as its leader-only components have started. */
export class Leadership {
  /** Resolves when the leader-only components have started. Rejects with STOPPED if the manager stops first. */
  readonly elected: Promise<void>;
  readonly #options: LeaderElectionOptions | string | undefined;
  #election: LeaderElection | undefined;
  #endMetrics: () => void = () => undefined;
  #leading = false;
  #lost = false;
  /** The fence of the task that started the manager. */
  #outerFence: WriteFence | undefined;
  #leaderFence: WriteFence | undefined;
  #settle: { readonly resolve: () => void; readonly reject: (error: unknown) => void } | undefined;

  /** Validates the options; undefined disables the election. Throws INVALID_LEADER_ELECTION, except for a missing namespace. */
  constructor(options: LeaderElectionOptions | string | undefined) {
    this.#options = options;
    // `prepare` checks whether this process runs in a Pod, which has a namespace.
    if (options !== undefined) resolveLeaderElection(options, { podNamespace: 'default' });
    this.elected = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    // Callers that do not wait for the election do not have to handle its rejection.
    this.elected.catch(() => undefined);
  }

  /** Whether this replica is currently the leader. */
  get isLeader(): boolean {
    return this.#leading && !this.#lost && (this.#election?.isLeader ?? true);
  }
  /** Throws LEADERSHIP_LOST if another replica may be the leader. Never throws without an election. */
  assertLeader(): void {
    this.#election?.assertLeader();
  }
  /**
   * Returns the fence for writes. The fence of leader-only work throws LEADERSHIP_LOST as soon as another replica may be the leader. Other
   * work uses the fence of the task that started the manager, if any.
   */
  fenceOf({ leaderOnly }: { readonly leaderOnly: boolean }): WriteFence | undefined {
    return leaderOnly && this.contends ? this.#leaderFence : this.#outerFence;
  }
  /** Whether this replica was the leader and lost the Lease involuntarily. */
  get lost(): boolean {
    return this.#lost;
  }
  /** The identity of the last known leader. Undefined without an election. */
  get leader(): string | undefined {
    return this.#election?.leader;
  }
  /**
   * Returns the reason to restart this process: the process was the leader, did not renew the Lease, and still runs when `healthTolerance`
   * has passed after the end of its lease. Returns undefined otherwise.
   */
  check(): string | undefined {
    return this.#election?.check();
  }

  /** The reason why this replica cannot be elected, with the fix. Undefined if the replica can be elected, and without an election. */
  get refusal(): string | undefined {
    return this.#election?.refusal;
  }

  /** Prepares the election. Rejects with INVALID_LEADER_ELECTION if the namespace is unknown. */
  async prepare({ onLost, metrics, ...using }: LeadershipUsing): Promise<void> {
    this.#outerFence = currentFence();
    if (this.#options === undefined) return;
    this.#leaderFence = bothFences(this.#outerFence, () => this.assertLeader());
    const election = new LeaderElection(
      resolveLeaderElection(this.#options, { podNamespace: await podNamespace() }),
      using,
    );
    this.#election = election;
    this.#endMetrics = metrics.followElection(() => election.stats());
    void election.lost.then((error) => {
      this.#lost = true;
      onLost(error);
    });
  }
  /** Whether there is a leader election. */
  get contends(): boolean {
    return this.#election !== undefined;
  }
  /**
   * Resolves when this replica becomes the leader, or at once without an election. Rejects with the error of the election, and with the
   * reason of the signal when the signal is aborted.
   */
  async acquire(signal: AbortSignal): Promise<void> {
    await this.#election?.acquire(signal);
  }
  /** Resolves `elected`. Called when the leader-only components have started. */
  begun(): void {
    this.#leading = true;
    this.#settle?.resolve();
  }
  /**
   * Stops contending and renewing. Releases the Lease only if `idle` is true, that is, no leader-only work is running. Otherwise the Lease
   * expires.
   */
  async end({ idle }: { readonly idle: boolean }): Promise<void> {
    await this.#election?.release({ empty: idle });
    this.#endMetrics();
    this.#leading = false;
    this.#settle?.reject(new KubewrightError('STOPPED', 'the manager stopped before it was elected'));
  }
}
