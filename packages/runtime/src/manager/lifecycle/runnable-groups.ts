import { type WriteFence, withFence } from '../../transport/request/write-fence.js';
import { type GroupMember, type MemberFailure, RunnableGroup } from './runnable-group.js';

/**
 * The groups in which a manager runs its components, in start order:
 * - `servers`: endpoints on every replica, so that probes and scrapes are answered during the start
 * - `webhooks`: the webhook server, before the caches, because a list can require a conversion by this server
 * - `caches`: other clusters, and the kinds of controllers
 * - `others`: runnables and controllers with `leaderOnly: false`
 * - `warmUp`: warm-ups of runnables on every replica, before the election
 * - `leader`: all other components, on the leader only
 */
export type GroupName = 'servers' | 'webhooks' | 'caches' | 'others' | 'warmUp' | 'leader';

/** A member and the group in which it runs. */
export interface Placed {
  readonly group: GroupName;
  readonly member: GroupMember;
}

/** The order in which groups stop, which is the reverse of the start order. Groups in the same entry stop together. */
const STOP_ORDER: readonly (readonly GroupName[])[] = [
  ['leader', 'warmUp'],
  ['others'],
  ['caches'],
  ['webhooks'],
  ['servers'],
];

/** All runnable groups of a manager. */
export class RunnableGroups {
  readonly #groups: Readonly<Record<GroupName, RunnableGroup>>;

  /**
   * `fenceOf` returns the function that checks each write in a group. The groups call `fenceOf` before each call of a member, and when a
   * group stops.
   */
  constructor(
    onFailure: (failure: MemberFailure) => void,
    fenceOf: (work: { readonly leaderOnly: boolean }) => WriteFence | undefined = () => undefined,
  ) {
    const group = (leaderOnly = false): RunnableGroup =>
      new RunnableGroup(onFailure, (work) => withFence(fenceOf({ leaderOnly }), work));
    this.#groups = {
      servers: group(),
      webhooks: group(),
      caches: group(),
      others: group(),
      warmUp: group(),
      leader: group(true),
    };
  }

  /**
   * Adds a member to its group. If the group already runs, starts the member immediately. Throws STOPPED if the group is stopping or has
   * stopped.
   */
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
   * Stops all groups in `STOP_ORDER`. A group stops only after the groups before it have ended, without waiting for stuck members. Resolves
   * when all members have ended. Never rejects.
   */
  async stopInOrder(reason: unknown): Promise<void> {
    for (const names of STOP_ORDER) await Promise.all(names.map((name) => this.#groups[name].stop(reason)));
    await Promise.all(Object.values(this.#groups).map((group) => group.ended()));
  }
  /** Aborts the signals of all groups. Does not wait for the members. */
  abandon(reason: unknown): void {
    for (const group of Object.values(this.#groups)) void group.stop(reason);
  }
  /** The names of the members that have not ended. */
  get running(): readonly string[] {
    return Object.values(this.#groups).flatMap(({ running }) => running);
  }
}
