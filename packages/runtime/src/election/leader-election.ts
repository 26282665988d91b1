import type { KubeObject } from '@kubewright/api';
import type { Clock } from '@kubewright/api/clock';
import { isAlreadyExists, isConflict, KubewrightError } from '@kubewright/api/errors';
import type { Logger } from '../log/logger.js';
import { JITTER, type ResolvedLeaderElection } from './leader-election-options.js';
import { LeaseCandidate } from './lease-candidate.js';
import { LeaseClaim } from './lease-claim.js';
import { withinLeaseDeadline } from './lease-deadline.js';
import type { LeaseLock } from './lease-lock.js';
import { leaseRefusal } from './lease-refusal.js';
import { type ElectionTransport, ServedLeaseLock } from './served-lease-lock.js';
import { logFailure } from '../transport/sending/server-outage.js';

/**
 * The maximum share of the renew deadline that one attempt may take, so that there is time for another attempt. An attempt may always take
 * `SHORTEST_REQUEST_MS`.
 */
const REQUEST_SHARE = 0.5;
const SHORTEST_REQUEST_MS = 1000;

/** The dependencies of a leader election. */
export interface LeaderElectionUsing {
  readonly transport: ElectionTransport;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Returns a random number from 0 (inclusive) to 1 (exclusive), for the jitter. @default the random numbers of the clock */
  readonly random?: () => number;
  /** Reports events about the Lease when this process starts and stops leading, for example an `EventRecorder`. @default none */
  readonly events?: LeaseEvents | undefined;
}

/** Reports events about a Lease. `EventRecorder` implements this interface. */
export interface LeaseEvents {
  normal(lease: KubeObject, reason: string, message: string): void;
}

/** The state of a leader election, for metrics. */
export interface LeaderElectionStats {
  /** The name of the Lease. */
  readonly name: string;
  readonly isLeader: boolean;
  /** The number of renewals for which the Lease had to be read first. */
  readonly slowPaths: number;
}

/**
 * Takes part in a leader election: acquires a Lease, so that this process is the leader, and renews the Lease.
 *
 * A leader that cannot renew the Lease stops being the leader before another candidate can take the Lease. To ensure this, `isLeader`
 * becomes false before the Lease expires. The margin is at least half of the difference between `duration` and `renewDeadline`. It
 * compensates for clock drift between machines. If a process is suspended until the Lease expires, `isLeader` is false when the process
 * resumes. Requests that were already sent cannot be revoked. Therefore, call `assertLeader` before each leader-only operation.
 *
 * @example
 * await using election = new LeaderElection(resolveLeaderElection({ name: 'report', namespace: 'ops' }), using);
 * await election.acquire(signal);
 * await report(election);
 */
export class LeaderElection implements AsyncDisposable {
  /**
   * Resolves with a LEADERSHIP_LOST error if the Lease could not be renewed in time, or if another candidate has taken the Lease. Does not
   * resolve if `release` is called before that.
   */
  readonly lost: Promise<KubewrightError>;
  readonly #options: ResolvedLeaderElection;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #random: () => number;
  readonly #lock: LeaseLock;
  readonly #events: LeaseEvents | undefined;
  readonly #claim: LeaseClaim;
  readonly #candidate: LeaseCandidate | undefined;
  #candidacy: Promise<void> | undefined;
  readonly #stopping = new AbortController();
  readonly #listeners = new Set<(leader: string) => void>();
  #resolveLost: (error: KubewrightError) => void = () => undefined;
  #state: 'new' | 'acquiring' | 'leading' | 'lost' | 'released' = 'new';
  #work: Promise<void> | undefined;
  #releasing: Promise<void> | undefined;
  #reported: string | undefined;
  #refusal: string | undefined;

  constructor(
    options: ResolvedLeaderElection,
    { transport, clock, logger, random = clock.random.number, events }: LeaderElectionUsing,
  ) {
    this.#options = options;
    this.#clock = clock;
    this.#random = random;
    this.#events = events;
    this.#lock = options.lock ?? new ServedLeaseLock(transport, { ...options, labels: options.labels ?? {} });
    this.#logger = logger.with({ lease: this.#lock.name, identity: options.identity });
    const { identity, leaseDurationMs } = options;
    this.#claim = new LeaseClaim({ lock: this.#lock, identity, leaseDurationMs, clock, logger: this.#logger });
    this.#candidate = candidateOf(options, { transport, clock, logger: this.#logger });
    this.lost = new Promise((resolve) => {
      this.#resolveLost = resolve;
    });
  }

  /**
   * Waits without a time limit until this process gets the Lease, and then starts to renew it. Rejects with the reason of the signal.
   * Rejects with ELECTION_ENDED if `acquire` was called before, or if `release` is called.
   */
  acquire(signal: AbortSignal): Promise<void> {
    if (this.#state !== 'new') {
      const message = `cannot acquire ${this.#lock.name}: this election was already started or has ended; create a new election`;
      return Promise.reject(new KubewrightError('ELECTION_ENDED', message));
    }
    this.#state = 'acquiring';
    const acquired = this.#acquire(AbortSignal.any([signal, this.#stopping.signal]));
    this.#work = acquired.catch(() => {
      // The caller of `acquire` receives the error. `release` only waits for the end.
    });
    return acquired;
  }

  /**
   * Whether this process is the leader at this moment. Becomes false before the Lease expires, by at least half of the difference between
   * `duration` and `renewDeadline`. The time is measured with the monotonic clock.
   */
  get isLeader(): boolean {
    return this.#state === 'leading' && this.#clock.monotonicMs() < this.#leadsUntilMs;
  }
  /** Throws LEADERSHIP_LOST if `isLeader` is false. Sends no request. */
  assertLeader(): void {
    if (this.isLeader) return;
    throw new KubewrightError(
      'LEADERSHIP_LOST',
      `this process does not hold ${this.#lock.name}: leader-only operations are not allowed`,
    );
  }
  /** The identity of the leader that was observed last. Undefined if there is none, or if the Lease was not read yet. */
  get leader(): string | undefined {
    return this.#claim.holder || undefined;
  }
  /**
   * Adds a listener that is called with the identity of each new leader, including this process. Returns a function that removes the
   * listener.
   */
  onLeader(listener: (leader: string) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /**
   * Returns why this process is unhealthy, or undefined. A process is unhealthy if it was the leader, could not renew the Lease, and still
   * runs longer than `healthTolerance` after the Lease expired.
   */
  check(): string | undefined {
    if (this.#state !== 'leading' && this.#state !== 'lost') return undefined;
    const overMs = this.#clock.monotonicMs() - this.#claim.heldUntilMs;
    if (overMs <= this.#options.healthToleranceMs) return undefined;
    return `${this.#lock.name} was not renewed and expired ${Math.round(overMs / 1000)} s ago`;
  }
  /**
   * Why the server rejects this candidate, with the fix: the credentials are not valid, or a permission or the namespace is missing.
   * Undefined if the last attempt succeeded or failed for another reason, for example because another candidate is the leader.
   */
  get refusal(): string | undefined {
    return this.#refusal;
  }
  stats(): LeaderElectionStats {
    return { name: this.#options.name, isLeader: this.isLeader, slowPaths: this.#claim.slowPaths };
  }

  /**
   * Stops the election and the renewals. Then clears the holder of the Lease if `releaseOnStop` is true and this process is still the
   * holder. The time limit for clearing the holder is the renew deadline.
   *
   * Call this method when no leader-only work is running. If such work is still running, pass `empty: false`, so that other candidates wait
   * until the Lease expires. After a loss of the Lease, writes nothing.
   */
  release({ empty = true }: { readonly empty?: boolean } = {}): Promise<void> {
    this.#releasing ??= this.#release(empty);
    return this.#releasing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.release();
  }

  async #acquire(signal: AbortSignal): Promise<void> {
    this.#logger.info('attempting to acquire the lease');
    this.#candidacy = this.#candidate?.run(this.#stopping.signal);
    while (!(await this.#tryToAcquire(signal))) {
      await this.#clock.sleep(`${this.#options.retryPeriodMs * (1 + this.#random() * JITTER)}ms`, signal);
    }
    signal.throwIfAborted();
    this.#state = 'leading';
    this.#logger.info('acquired the lease; this process is the leader');
    this.#record('became leader');
    this.#work = this.#keepRenewing();
  }
  async #tryToAcquire(signal: AbortSignal): Promise<boolean> {
    try {
      const held = await withinLeaseDeadline({ clock: this.#clock, ms: this.#requestMs, signal }, (within) =>
        this.#options.coordinated === undefined ? this.#claim.acquire(within) : this.#claim.renewGranted(within),
      );
      this.#report();
      this.#logRefusal(undefined);
      return held && this.#clock.monotonicMs() < this.#leadsUntilMs;
    } catch (error) {
      signal.throwIfAborted();
      this.#report();
      this.#logRefusal(error);
      return false;
    }
  }
  /**
   * Logs once that the server rejects this candidate, and once that the server allows the candidate again. Logs each transient error,
   * except a conflict with another candidate.
   */
  #logRefusal(error: unknown): void {
    const before = this.#refusal;
    this.#refusal = leaseRefusal(this.#lock.name, error);
    const isRace = isConflict(error) || isAlreadyExists(error);
    if (this.#refusal !== undefined) {
      if (this.#refusal !== before) this.#logger.error(`${this.#refusal}; trying again`, { error });
    } else if (error !== undefined && !isRace) {
      const message = 'cannot acquire the lease; trying again';
      logFailure(this.#logger, error, { level: 'warn', message, fields: { error } });
    } else if (before !== undefined) {
      this.#logger.info('the server allows this process to acquire the lease again');
    }
  }

  async #keepRenewing(): Promise<void> {
    const { signal } = this.#stopping;
    try {
      do await this.#clock.sleep(`${this.#options.retryPeriodMs}ms`, signal);
      while (await this.#renewInTime(signal));
    } catch (error) {
      if (!signal.aborted) this.#lose('the renewal failed', error);
    }
  }
  /**
   * Retries the renewal of the Lease until a renewal succeeds. Resolves with false if the Lease is lost. The time limit of the renewal can
   * be shorter than the renew deadline, because the response to the last renewal may have been slow.
   */
  async #renewInTime(signal: AbortSignal): Promise<boolean> {
    const { renewDeadlineMs, retryPeriodMs } = this.#options;
    const untilMs = Math.min(this.#clock.monotonicMs() + renewDeadlineMs, this.#leadsUntilMs);
    let cause: unknown;
    for (;;) {
      const leftMs = untilMs - this.#clock.monotonicMs();
      if (leftMs <= 0) return this.#lose('the lease could not be renewed in time', cause);
      try {
        const held = await withinLeaseDeadline(
          { clock: this.#clock, ms: Math.min(leftMs, this.#requestMs), signal },
          (within) =>
            this.#options.coordinated === undefined ? this.#claim.renew(within) : this.#claim.renewGranted(within),
        );
        this.#report();
        if (!held) return this.#lose(this.#holderOf(), cause);
        return this.isLeader || this.#lose('the lease expired before the server responded to the renewal', cause);
      } catch (error) {
        signal.throwIfAborted();
        cause = error;
        const message = 'cannot renew the lease; trying again';
        logFailure(this.#logger, error, { level: 'warn', message, fields: { error } });
      }
      const restMs = untilMs - this.#clock.monotonicMs();
      if (restMs > 0) await this.#clock.sleep(`${Math.min(retryPeriodMs, restMs)}ms`, signal);
    }
  }
  #holderOf(): string {
    if (this.leader === this.#options.identity) return 'the server ended the term of the leader';
    return `the holder is now ${this.leader ?? '(none)'}`;
  }
  #lose(why: string, cause: unknown): false {
    this.#state = 'lost';
    const error = new KubewrightError(
      'LEADERSHIP_LOST',
      `lost leadership of ${this.#lock.name}: ${why}`,
      cause === undefined ? undefined : { cause },
    );
    this.#logger.error('no longer leading', { error });
    this.#record('stopped leading');
    this.#resolveLost(error);
    return false;
  }

  async #release(empty: boolean): Promise<void> {
    if (this.#state === 'leading') this.#record('stopped leading');
    const mayHold = this.#state === 'leading' || this.#state === 'acquiring';
    this.#state = this.#state === 'lost' ? 'lost' : 'released';
    this.#stopping.abort(new KubewrightError('ELECTION_ENDED', `the election for ${this.#lock.name} has ended`));
    await this.#work;
    await this.#candidacy;
    if (!mayHold || !empty || !this.#options.releaseOnStop) return;
    try {
      const deadline = { clock: this.#clock, ms: this.#options.renewDeadlineMs };
      if (await withinLeaseDeadline(deadline, (within) => this.#giveUp(within)))
        this.#logger.info('released the lease');
    } catch (error) {
      this.#logger.warn('cannot release the lease; the next leader must wait until the lease expires', { error });
    }
  }
  async #giveUp(signal: AbortSignal): Promise<boolean> {
    for (;;) {
      try {
        return await this.#claim.giveUp(signal);
      } catch (error) {
        if (!isConflict(error)) throw error;
      }
    }
  }

  /**
   * The time at which this process stops being the leader if the Lease is not renewed. This is some time before another candidate can take
   * the Lease.
   */
  get #leadsUntilMs(): number {
    const { leaseDurationMs, renewDeadlineMs } = this.#options;
    return this.#claim.heldUntilMs - (leaseDurationMs - renewDeadlineMs) / 2;
  }
  get #requestMs(): number {
    return Math.max(SHORTEST_REQUEST_MS, this.#options.renewDeadlineMs * REQUEST_SHARE);
  }
  #record(what: string): void {
    const { object } = this.#lock;
    if (object !== undefined) this.#events?.normal(object, 'LeaderElection', `${this.#options.identity} ${what}`);
  }
  #report(): void {
    const { leader } = this;
    if (leader === this.#reported) return;
    this.#reported = leader;
    if (leader === undefined) return;
    for (const listener of this.#listeners) {
      try {
        listener(leader);
      } catch (error) {
        this.#logger.error('a listener for new leaders failed', { error });
      }
    }
  }
}

/** Returns the candidate for coordinated leader election. Returns undefined if the API server does not select the leader. */
function candidateOf(
  { coordinated, identity, namespace, name, retryPeriodMs }: ResolvedLeaderElection,
  using: { readonly transport: ElectionTransport; readonly clock: Clock; readonly logger: Logger },
): LeaseCandidate | undefined {
  if (coordinated === undefined) return undefined;
  return new LeaseCandidate(
    { ...coordinated, name: identity, namespace, leaseName: name, pollMs: retryPeriodMs },
    using,
  );
}
