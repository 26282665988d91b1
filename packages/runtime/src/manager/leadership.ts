import type { Clock } from '@kubewright/api/clock';
import { KubewrightError } from '@kubewright/api/errors';
import { LeaderElection } from '../election/leader-election.js';
import { type LeaderElectionOptions, resolveLeaderElection } from '../election/leader-election-options.js';
import { podNamespace } from '../election/pod-namespace.js';
import type { ElectionTransport } from '../election/served-lease-lock.js';
import type { EventRecorder } from '../events/event-recorder.js';
import type { Logger } from '../log/logger.js';
import type { Metrics } from '../metrics/metrics.js';
import { bothFences, currentFence, type WriteFence } from '../transport/write-fence.js';

/** What leads, and what is told of it. */
export interface LeadershipUsing {
  readonly transport: ElectionTransport;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Where it is recorded who leads. */
  readonly events: EventRecorder;
  /** Called at most once: another may lead by now. */
  readonly onLost: (error: KubewrightError) => void;
}

/** Whether, and since when, this replica leads. Without an election it leads as soon as it may. */
export class Leadership {
  /** Resolves when what runs on the leader was started; rejects with STOPPED when the manager stops before. */
  readonly elected: Promise<void>;
  readonly #options: LeaderElectionOptions | string | undefined;
  #election: LeaderElection | undefined;
  #endMetrics: () => void = () => undefined;
  #leading = false;
  #lost = false;
  /** That of the work which started the manager. */
  #outerFence: WriteFence | undefined;
  #leaderFence: WriteFence | undefined;
  #settle: { readonly resolve: () => void; readonly reject: (error: unknown) => void } | undefined;

  /** Throws INVALID_LEADER_ELECTION, except for a namespace that is missing. Undefined for no election. */
  constructor(options: LeaderElectionOptions | string | undefined) {
    this.#options = options;
    // Whether this is a Pod, which has a namespace, is found out when it matters.
    if (options !== undefined) resolveLeaderElection(options, { podNamespace: 'default' });
    this.elected = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    // Whoever does not wait for it need not handle that it does not come.
    this.elected.catch(() => undefined);
  }

  /** Whether this replica leads at this moment. */
  get isLeader(): boolean {
    return this.#leading && !this.#lost && (this.#election?.isLeader ?? true);
  }
  /** Throws LEADERSHIP_LOST when another replica may lead at this moment. Without an election none does. */
  assertLeader(): void {
    this.#election?.assertLeader();
  }
  /**
   * Returns the fence for writes of one sort of work: for what only the leader does, one that throws LEADERSHIP_LOST as soon as another
   * replica may lead; for what every replica does, that of the work which started the manager, if any.
   */
  fenceOf({ leaderOnly }: { readonly leaderOnly: boolean }): WriteFence | undefined {
    return leaderOnly && this.contends ? this.#leaderFence : this.#outerFence;
  }
  /** Whether it led, and does so no longer against its will. */
  get lost(): boolean {
    return this.#lost;
  }
  /** The identity of who leads, as far as it is known here; undefined without an election. */
  get leader(): string | undefined {
    return this.#election?.leader;
  }
  /** Why this process should be started again: it led, could not renew, and yet goes on. */
  check(): string | undefined {
    return this.#election?.check();
  }

  /** Why this replica cannot be elected, with the cure; undefined when it can, and without an election. */
  get refusal(): string | undefined {
    return this.#election?.refusal;
  }

  /** Makes ready to contend. Rejects with INVALID_LEADER_ELECTION where no namespace is known. */
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
  /** Whether there are others to contend with. */
  get contends(): boolean {
    return this.#election !== undefined;
  }
  /** Resolves when this replica may lead. Rejects with the reason of the signal. */
  async acquire(signal: AbortSignal): Promise<void> {
    await this.#election?.acquire(signal);
  }
  /** What runs on the leader was started. */
  begun(): void {
    this.#leading = true;
    this.#settle?.resolve();
  }
  /**
   * Contends and renews no more. The Lease is given up only where `idle` says that nothing runs that only the leader may do; otherwise it
   * ends with its time.
   */
  async end({ idle }: { readonly idle: boolean }): Promise<void> {
    await this.#election?.release({ empty: idle });
    this.#endMetrics();
    this.#leading = false;
    this.#settle?.reject(new KubewrightError('STOPPED', 'the manager stopped before it was elected'));
  }
}
