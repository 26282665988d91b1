import { setImmediate as nextTurn } from 'node:timers/promises';
import { KubewrightError } from '@kubewright/api/errors';
import { isOfAbort } from './failures.js';

/** One that a group runs. */
export interface GroupMember {
  readonly name: string;
  /** Settles soon after the signal is aborted. */
  run(signal: AbortSignal): Promise<void>;
  /** Resolves when others may count on it. @default one turn of the event loop after it was begun */
  ready?(signal: AbortSignal): Promise<void>;
  /** Resolves if the member ignores its signal, so that other groups no longer wait for its end. @default they always do */
  stuck?(): Promise<void>;
}

/** A member that failed; `stopping` says that the group was told to stop before. */
export interface MemberFailure {
  readonly member: string;
  readonly error: unknown;
  readonly stopping: boolean;
}

/**
 * Members that start and stop together. They are begun at the same time and none waits for another; the group is ready when all are.
 * One that is added later is begun at once. What a member throws because its signal was aborted is no failure.
 */
export class RunnableGroup {
  readonly #onFailure: (failure: MemberFailure) => void;
  readonly #within: <R>(work: () => R) => R;
  readonly #waiting: GroupMember[] = [];
  readonly #running = new Map<GroupMember, Promise<void>>();
  readonly #preparing = new Set<Promise<void>>();
  readonly #stopping = new AbortController();
  #started = false;

  /** `within` calls the members, and aborts their signal. */
  constructor(onFailure: (failure: MemberFailure) => void, within: <R>(work: () => R) => R = (work) => work()) {
    this.#onFailure = onFailure;
    this.#within = within;
  }

  /** The members that have not ended, by name. */
  get running(): readonly string[] {
    return [...this.#running.keys()].map(({ name }) => name);
  }

  /** Runs the member with the others: at once if they run already. Throws STOPPED once the group was told to stop. */
  add(member: GroupMember): void {
    this.#assertOpen(`add ${member.name}`);
    if (this.#started) this.#begin(member);
    else this.#waiting.push(member);
  }

  /** Resolves when all members are ready, those that were added meanwhile too; rejects with the error of the first that fails. */
  async start(): Promise<void> {
    this.#assertOpen('start');
    this.#started = true;
    for (const member of this.#waiting.splice(0)) this.#begin(member);
    while (this.#preparing.size > 0) await Promise.all(this.#preparing);
  }

  /** Aborts all members, and resolves when each has ended or is stuck. A member that was not begun never will be. */
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
    throw new KubewrightError('STOPPED', `cannot ${attempted}: the manager stops`);
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
    const told = ready.catch((error: unknown) => {
      this.#tell(member, error);
      throw error;
    });
    const prepared = Promise.race([told, failed]);
    this.#preparing.add(prepared);
    const forget = (): void => void this.#preparing.delete(prepared);
    // Whoever waits in `start` sees the error as well; for a member that came later it was told.
    prepared.then(forget, forget);
  }

  #tell({ name }: GroupMember, error: unknown): void {
    const { signal } = this.#stopping;
    if (isOfAbort(error, signal)) return;
    this.#onFailure({ member: name, error, stopping: signal.aborted });
  }
}
