import { type Clock, microTime } from '@kubewright/api/clock';
import type { Logger } from '../log/logger.js';
import type { LeaseLock } from './lease-lock.js';
import { type LeaseRecord, sameRecord } from './lease-record.js';

/** What a claim stands on. */
export interface LeaseClaimOptions {
  readonly lock: LeaseLock;
  readonly identity: string;
  readonly leaseDurationMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * One candidate's claim to a lease: what it last saw of the record, when, and the rules by which it may write it. How long a lease
 * is valid is counted on this machine's monotonic clock alone, from the moment at which the record was seen to change; the times in
 * the record, which other machines wrote, are never compared with it. So clocks may be set apart by any amount.
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

  /** Who held it when it was last seen; empty for nobody, undefined before it was seen. */
  get holder(): string | undefined {
    return this.#observed?.holderIdentity;
  }
  /**
   * Until when, on the monotonic clock, nobody else may take what was last written here. Counted from before the write was sent, so
   * that it ends before the time of any other candidate does, however long the answer took.
   */
  get heldUntilMs(): number {
    return this.#heldUntilMs;
  }
  /** How often an own lease was renewed by reading it first, since the write without reading failed. */
  get slowPaths(): number {
    return this.#slowPaths;
  }

  /**
   * Takes the lease when nobody holds it, its time is over, or it is ours from before. Resolves with whether it is ours now. It is
   * read first.
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
   * Renews the lease that was taken. Resolves with whether it is still ours: false when somebody else holds or held it since. What is
   * known to be the next record is written without a look; only where that fails it is read first.
   */
  async renew(signal: AbortSignal): Promise<boolean> {
    const known = this.#observed;
    if (known !== undefined && this.#isOwn(known)) {
      try {
        await this.#write(this.#renewed(known), signal);
        return true;
      } catch (error) {
        if (signal.aborted) throw error;
        this.#options.logger.debug('the lease could not be renewed as it was known; reading it', { error });
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
   * Renews a lease that the server gave to this candidate, as coordinated election has it: never takes one, and does not renew one
   * whose term the server has ended by naming whom it prefers.
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

  /** Empties the holder, if it is this one in the record as it is now; resolves with whether anything was written. */
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
  /** Whether the time of whoever holds it is not over, by the duration that they wrote. */
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
