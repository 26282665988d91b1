import { type WriteFence, withFence } from '../transport/write-fence.js';
import { type GroupMember, type MemberFailure, RunnableGroup } from './runnable-group.js';

/**
 * The groups in which a manager runs its parts, in the order in which they start:
 * - `servers`: endpoints, so that probes and scrapes are answered from the beginning, on every replica
 * - `caches`: other clusters, and the kinds of controllers
 * - `others`: what says `leaderOnly: false`
 * - `warmUp`: what prepares a standby replica
 * - `leader`: all the rest, on the elected replica only
 */
export type GroupName = 'servers' | 'caches' | 'others' | 'warmUp' | 'leader';

/** What a part has to do in one of the groups. */
export interface Placed {
  readonly group: GroupName;
  readonly member: GroupMember;
}

/** The groups that stop together, in the order in which they do: against that in which they start. */
const STOP_ORDER: readonly (readonly GroupName[])[] = [['leader', 'warmUp'], ['others'], ['caches'], ['servers']];

/** All groups of a manager. */
export class RunnableGroups {
  readonly #groups: Readonly<Record<GroupName, RunnableGroup>>;

  /** `fenceOf` returns what the writes of a group pass, once the first group starts. */
  constructor(
    onFailure: (failure: MemberFailure) => void,
    fenceOf: (work: { readonly leaderOnly: boolean }) => WriteFence | undefined = () => undefined,
  ) {
    const group = (leaderOnly = false): RunnableGroup =>
      new RunnableGroup(onFailure, (work) => withFence(fenceOf({ leaderOnly }), work));
    this.#groups = { servers: group(), caches: group(), others: group(), warmUp: group(), leader: group(true) };
  }

  /** Runs it with its group: at once if that runs already. Throws STOPPED once the groups were told to stop. */
  add({ group, member }: Placed): void {
    this.#groups[group].add(member);
  }
  /** Resolves when the group is ready. */
  start(group: GroupName): Promise<void> {
    return this.#groups[group].start();
  }
  /** Stops one group before its time. */
  stop(group: GroupName, reason: unknown): Promise<void> {
    return this.#groups[group].stop(reason);
  }
  /**
   * Stops all groups, each when those that started after it have ended; a member that is stuck holds back no other group. Resolves when all
   * members have ended, and never rejects.
   */
  async stopInOrder(reason: unknown): Promise<void> {
    for (const names of STOP_ORDER) await Promise.all(names.map((name) => this.#groups[name].stop(reason)));
    await Promise.all(Object.values(this.#groups).map((group) => group.ended()));
  }
  /** Tells all to stop at once, and waits for none. */
  abandon(reason: unknown): void {
    for (const group of Object.values(this.#groups)) void group.stop(reason);
  }
  /** What has not ended, by name. */
  get running(): readonly string[] {
    return Object.values(this.#groups).flatMap(({ running }) => running);
  }
}
