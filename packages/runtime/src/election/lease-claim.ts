import { type Clock, microTime } from '@kubewright/api/clock';
import type { Logger } from '../log/logger.js';
import type { LeaseLock } from './lease-lock.js';
import { type LeaseRecord, sameRecord } from './lease-record.js';

/** The options of a `LeaseClaim`. */
export interface LeaseClaimOptions {
  readonly lock: LeaseLock;
  readonly identity: string;
  readonly leaseDurationMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * One candidate for a lease. Records the last observed state of the lease and when it was observed, and decides whether the candidate may
 * write the lease. The validity of a lease is measured only with the monotonic clock of this machine, from the observation of its last
 * change. The times in the lease are from other machines and are never compared with this clock, so that clock skew has no effect.
 */
export class LeaseClaim {
  readonly #options: LeaseClaimOptions;
  #observed: LeaseRecord | undefined;
  #observedAtMs = 0;
  #heldUntilMs = Number.NEGATIVE_INFINITY;
  #slowPaths = 0;

  constructor(options: LeaseClaimOptions) {
    this.#options = options;
  }

  /** The last observed holder. Empty if the lease had no holder. Undefined before the first observation. */
  get holder(): string | undefined {
    return this.#observed?.holderIdentity;
  }
  /**
   * The time until which no other candidate can take the lease, in milliseconds on the monotonic clock: the time at which the last write
   * was sent plus the lease duration. No other candidate measures an earlier expiry, even if the response was slow.
   */
  get heldUntilMs(): number {
    return this.#heldUntilMs;
  }
  /** The number of renewals for which the lease had to be read first, because the direct write failed or the election is coordinated. */
  get slowPaths(): number {
    return this.#slowPaths;
  }

  /**
   * Reads the lease. Takes the lease if it has no holder, has expired, or already belongs to this candidate. Creates a missing lease.
   * Resolves with true if this candidate holds the lease.
   */
  async acquire(signal: AbortSignal): Promise<boolean> {
    const current = await this.#read(signal);
    if (current === undefined) await this.#create(signal);
    else if (this.#isOwn(current)) await this.#write(this.#renewed(current), signal);
    else if (current.holderIdentity !== '' && this.#isValid(current)) return false;
    else await this.#write(this.#fresh(current.leaderTransitions + 1), signal);
    return true;
  }

  /**
   * Renews the lease that this candidate holds. Writes the known state without reading it first, and reads the lease only if the write
   * fails. Resolves with false if another candidate holds the lease or has held it in the meantime.
   */
  async renew(signal: AbortSignal): Promise<boolean> {
    const known = this.#observed;
    if (known !== undefined && this.#isOwn(known)) {
      try {
        await this.#write(this.#renewed(known), signal);
        return true;
      } catch (error) {
        if (signal.aborted) throw error;
        this.#options.logger.debug('cannot renew the lease at the known resourceVersion; getting the current lease', {
          error,
        });
      }
    }
    this.#slowPaths++;
    const current = await this.#read(signal);
    if (current === undefined) await this.#create(signal);
    else if (this.#isOwn(current)) await this.#write(this.#renewed(current), signal);
    else if (current.holderIdentity !== '' || current.leaderTransitions !== known?.leaderTransitions) return false;
    else await this.#write(this.#fresh(current.leaderTransitions + 1), signal);
    return true;
  }

  /**
   * Renews a lease that the server assigned to this candidate in a coordinated election. Never takes a lease. Does not renew a lease for
   * which the server prefers another candidate. Resolves with true if the lease was renewed.
   */
  async renewGranted(signal: AbortSignal): Promise<boolean> {
    const current = await this.#read(signal);
    if (current === undefined || !this.#isOwn(current) || !this.#isValid(current)) return false;
    if (current.preferredHolder !== undefined) return false;
    const { strategy } = current;
    this.#slowPaths++;
    await this.#write({ ...this.#renewed(current), ...(strategy && { strategy }) }, signal);
    return true;
  }

  /** Clears the holder of the lease if this candidate is the holder. Resolves with true if the lease was written. */
  async giveUp(signal: AbortSignal): Promise<boolean> {
    const current = await this.#read(signal);
    if (current === undefined || !this.#isOwn(current)) return false;
    const now = this.#now();
    const { leaderTransitions, strategy } = current;
    const empty: LeaseRecord = {
      holderIdentity: '',
      leaseDurationSeconds: 1,
      acquireTime: now,
      renewTime: now,
      leaderTransitions,
      ...(strategy && { strategy }),
    };
    await this.#options.lock.update(empty, signal);
    this.#heldUntilMs = Number.NEGATIVE_INFINITY;
    this.#observe(empty);
    return true;
  }

  async #read(signal: AbortSignal): Promise<LeaseRecord | undefined> {
    const current = await this.#options.lock.get(signal);
    if (current !== undefined && (this.#observed === undefined || !sameRecord(this.#observed, current))) {
      this.#observe(current);
    }
    return current;
  }
  async #create(signal: AbortSignal): Promise<void> {
    const record = this.#fresh(0);
    const sentAtMs = this.#options.clock.monotonicMs();
    await this.#options.lock.create(record, signal);
    signal.throwIfAborted();
    this.#hold(record, sentAtMs);
  }
  async #write(record: LeaseRecord, signal: AbortSignal): Promise<void> {
    const sentAtMs = this.#options.clock.monotonicMs();
    await this.#options.lock.update(record, signal);
    signal.throwIfAborted();
    this.#hold(record, sentAtMs);
  }
  #hold(record: LeaseRecord, sentAtMs: number): void {
    this.#heldUntilMs = sentAtMs + this.#options.leaseDurationMs;
    this.#observe(record);
  }
  #observe(record: LeaseRecord): void {
    this.#observed = record;
    this.#observedAtMs = this.#options.clock.monotonicMs();
  }

  #isOwn({ holderIdentity }: LeaseRecord): boolean {
    return holderIdentity === this.#options.identity;
  }
  /** Whether a lease is still valid, according to the duration that its holder has written. */
  #isValid({ leaseDurationSeconds }: LeaseRecord): boolean {
    return this.#options.clock.monotonicMs() < this.#observedAtMs + leaseDurationSeconds * 1000;
  }
  #fresh(leaderTransitions: number): LeaseRecord {
    const now = this.#now();
    const { identity: holderIdentity, leaseDurationMs } = this.#options;
    const leaseDurationSeconds = leaseDurationMs / 1000;
    return { holderIdentity, leaseDurationSeconds, acquireTime: now, renewTime: now, leaderTransitions };
  }
  #renewed({ acquireTime, leaderTransitions }: LeaseRecord): LeaseRecord {
    return { ...this.#fresh(leaderTransitions), ...(acquireTime && { acquireTime }) };
  }
  #now(): string {
    return microTime(this.#options.clock.now());
  }
}
