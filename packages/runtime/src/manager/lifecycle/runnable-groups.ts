import { type WriteFence, withFence } from '../../transport/request/write-fence.js';
import { type GroupMember, type MemberFailure, RunnableGroup } from './runnable-group.js';

/**
 * The groups in which a manager runs its components, in start order:
 * - `servers`: endpoints on every replica; they answer probes and scrapes from the beginning
 * - `caches`: other clusters, and the kinds of controllers
 * - `others`: components with `leaderOnly: false`
 * - `warmUp`: warm-ups that prepare a standby replica
 * - `leader`: all other components, on the leader only
 */
export type GroupName = 'servers' | 'caches' | 'others' | 'warmUp' | 'leader';

/** A group member with its group. */
export interface Placed {
  readonly group: GroupName;
  readonly member: GroupMember;
}

/** The groups that stop together, in stop order, which is the reverse of the start order. */
const STOP_ORDER: readonly (readonly GroupName[])[] = [['leader', 'warmUp'], ['others'], ['caches'], ['servers']];

/** All runnable groups of a manager. */
export class RunnableGroups {
  readonly #groups: Readonly<Record<GroupName, RunnableGroup>>;

  /** `fenceOf` returns the fence for the writes of a group. The group calls `fenceOf` whenever it calls a member and when it stops. */
  constructor(
    onFailure: (failure: MemberFailure) => void,
    fenceOf: (work: { readonly leaderOnly: boolean }) => WriteFence | undefined = () => undefined,
  ) {
    const group = (leaderOnly = false): RunnableGroup =>
      new RunnableGroup(onFailure, (work) => withFence(fenceOf({ leaderOnly }), work));
    this.#groups = { servers: group(), caches: group(), others: group(), warmUp: group(), leader: group(true) };
  }

  /** Runs the member with its group, or at once if the group already runs. Throws STOPPED once the group stops. */
  add({ group, member }: Placed): void {
    this.#groups[group].add(member);
  }
  /** Starts a group. Resolves when the group is ready. */
  start(group: GroupName): Promise<void> {
    return this.#groups[group].start();
  }
  /** Stops one group. The other groups continue to run. */
  stop(group: GroupName, reason: unknown): Promise<void> {
    return this.#groups[group].stop(reason);
  }
  /**
   * Stops all groups in stop order. Each group stops after the groups that started later have ended; a stuck member does not delay other
   * groups. Resolves when all members have ended. Never rejects.
   */
  async stopInOrder(reason: unknown): Promise<void> {
    for (const names of STOP_ORDER) await Promise.all(names.map((name) => this.#groups[name].stop(reason)));
    await Promise.all(Object.values(this.#groups).map((group) => group.ended()));
  }
  /** Aborts all groups at once without waiting. */
  abandon(reason: unknown): void {
    for (const group of Object.values(this.#groups)) void group.stop(reason);
  }
  /** The members that have not ended, by name. */
  get running(): readonly string[] {
    return Object.values(this.#groups).flatMap(({ running }) => running);
  }
}
