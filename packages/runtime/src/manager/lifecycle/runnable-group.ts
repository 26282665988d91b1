import { setImmediate as nextTurn } from 'node:timers/promises';
import { KubewrightError } from '@kubewright/api/errors';
import { isOfAbort } from './failures.js';

/** A member of a runnable group. */
export interface GroupMember {
  readonly name: string;
  /** Settles soon after the signal is aborted. */
  run(signal: AbortSignal): Promise<void>;
  /** Resolves when the member is ready for its dependents. @default one turn of the event loop after the member starts */
  ready?(signal: AbortSignal): Promise<void>;
  /** Resolves if the member ignores its signal, so that other groups no longer wait for its end. @default other groups always wait */
  stuck?(): Promise<void>;
}

/** A failed member. `stopping` is true if the group was already stopping. */
export interface MemberFailure {
  readonly member: string;
  readonly error: unknown;
  readonly stopping: boolean;
}

/**
 * Members that start and stop together. All members start at the same time and do not wait for each other. The group is ready when all
 * members are ready. A member that is added later starts at once. An error that only reports the aborted signal is not a failure.
 */
export class RunnableGroup {
  readonly #onFailure: (failure: MemberFailure) => void;
  readonly #within: <R>(work: () => R) => R;
  readonly #waiting: GroupMember[] = [];
  readonly #running = new Map<GroupMember, Promise<void>>();
  readonly #preparing = new Set<Promise<void>>();
  readonly #stopping = new AbortController();
  #started = false;

  /** `within` wraps the calls of the members and the abort of their signal. */
  constructor(onFailure: (failure: MemberFailure) => void, within: <R>(work: () => R) => R = (work) => work()) {
    this.#onFailure = onFailure;
    this.#within = within;
  }

  /** The members that have not ended, by name. */
  get running(): readonly string[] {
    return [...this.#running.keys()].map(({ name }) => name);
  }

  /** Runs the member with the group, or at once if the group already runs. Throws STOPPED once the group stops. */
  add(member: GroupMember): void {
    this.#assertOpen(`add ${member.name}`);
    if (this.#started) this.#begin(member);
    else this.#waiting.push(member);
  }

  /**
   * Starts the group. Resolves when all members are ready, including members that are added during the start. Rejects with the error of the
   * first member that fails.
   */
  async start(): Promise<void> {
    this.#assertOpen('start');
    this.#started = true;
    for (const member of this.#waiting.splice(0)) this.#begin(member);
    while (this.#preparing.size > 0) await Promise.all(this.#preparing);
  }

  /** Aborts all members. Resolves when each member has ended or is stuck. Members that have not started are dropped. */
  async stop(reason: unknown): Promise<void> {
    this.#within(() => this.#stopping.abort(reason));
    this.#waiting.length = 0;
    const ends = [...this.#running].map(([member, ended]) => Promise.race([ended, member.stuck?.() ?? ended]));
    await Promise.all(ends);
  }
  /** Resolves when all members have ended. */
  async ended(): Promise<void> {
    await Promise.all(this.#running.values());
  }

  #assertOpen(attempted: string): void {
    if (!this.#stopping.signal.aborted) return;
    throw new KubewrightError('STOPPED', `cannot ${attempted}: the manager is stopping`);
  }

  #begin(member: GroupMember): void {
    const { signal } = this.#stopping;
    const run = this.#within(async () => member.run(signal));
    const failed = new Promise<never>((_, reject) => {
      run.catch((error: unknown) => {
        if (!isOfAbort(error, signal)) reject(error);
      });
    });
    const ended = run.catch((error: unknown) => this.#tell(member, error));
    this.#running.set(member, ended);
    void ended.then(() => this.#running.delete(member));
    const ready = this.#within(async () => member.ready?.(signal) ?? nextTurn());
    const reported = ready.catch((error: unknown) => {
      this.#tell(member, error);
      throw error;
    });
    const prepared = Promise.race([reported, failed]);
    this.#preparing.add(prepared);
    const forget = (): void => void this.#preparing.delete(prepared);
    // Prevents an unhandled rejection of `prepared`. `onFailure` has received the error, and `start` rejects with the error.
    prepared.then(forget, forget);
  }

  #tell({ name }: GroupMember, error: unknown): void {
    const { signal } = this.#stopping;
    if (isOfAbort(error, signal)) return;
    this.#onFailure({ member: name, error, stopping: signal.aborted });
  }
}
