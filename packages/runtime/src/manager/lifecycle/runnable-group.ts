import { setImmediate as nextTurn } from 'node:timers/promises';
import { KubewrightError } from '@kubewright/api/errors';
import { isOfAbort } from './failures.js';

/** A component in a runnable group. */
export interface GroupMember {
  readonly name: string;
  /** Runs the component. Must settle soon after the signal is aborted. */
  run(signal: AbortSignal): Promise<void>;
  /** Resolves when components that depend on this member can start. @default one turn of the event loop after the member starts */
  ready?(signal: AbortSignal): Promise<void>;
  /**
   * Resolves if the member ignores its aborted signal, so that the stop of other groups need not wait for it. @default other groups always
   * wait
   */
  stuck?(): Promise<void>;
}

/** The failure of a member. `stopping` is true if the group was already stopping. */
export interface MemberFailure {
  readonly member: string;
  readonly error: unknown;
  readonly stopping: boolean;
}

/**
 * A group of members that start and stop together. All members start at the same time and do not wait for each other. The group is ready
 * when all members are ready. A member that is added later starts immediately. Errors that the abort of the signal causes are not failures.
 */
export class RunnableGroup {
  readonly #onFailure: (failure: MemberFailure) => void;
  readonly #within: <R>(work: () => R) => R;
  readonly #waiting: GroupMember[] = [];
  readonly #running = new Map<GroupMember, Promise<void>>();
  readonly #preparing = new Set<Promise<void>>();
  readonly #stopping = new AbortController();
  #started = false;

  /** `within` wraps each call of a member and the abort of the signal. */
  constructor(onFailure: (failure: MemberFailure) => void, within: <R>(work: () => R) => R = (work) => work()) {
    this.#onFailure = onFailure;
    this.#within = within;
  }

  /** The names of the members that have not ended. */
  get running(): readonly string[] {
    return [...this.#running.keys()].map(({ name }) => name);
  }

  /** Adds a member. If the group already runs, starts the member immediately. Throws STOPPED if the group is stopping or has stopped. */
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

  /** Aborts the signal of all members. Resolves when each member has ended or is stuck. Members that were not started are removed. */
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
    const ended = run.catch((error: unknown) => this.#logFailure(member, error));
    this.#running.set(member, ended);
    void ended.then(() => this.#running.delete(member));
    const ready = this.#within(async () => member.ready?.(signal) ?? nextTurn());
    const reported = ready.catch((error: unknown) => {
      this.#logFailure(member, error);
      throw error;
    });
    const prepared = Promise.race([reported, failed]);
    this.#preparing.add(prepared);
    const forget = (): void => void this.#preparing.delete(prepared);
    // Prevents an unhandled rejection. The error is passed to `onFailure`, and `start` rejects with it.
    prepared.then(forget, forget);
  }

  #logFailure({ name }: GroupMember, error: unknown): void {
    const { signal } = this.#stopping;
    if (isOfAbort(error, signal)) return;
    this.#onFailure({ member: name, error, stopping: signal.aborted });
  }
}
