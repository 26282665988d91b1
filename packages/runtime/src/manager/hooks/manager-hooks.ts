import type { Hook } from './hook.js';

/**
 * The hooks of a manager. Each hook is called at most once, and the manager waits for the hook before it continues. If a hook throws, the
 * manager stops with HOOK_FAILED; the message names the hook. If the manager is already stopping, it continues to stop and reports the
 * error at the end.
 *
 * @example
 * new Manager({ hooks: { beforeStart: () => migrate(), stopped: () => database.close() } });
 */
export interface ManagerHooks {
  /** Called before any component runs or listens. */
  readonly beforeStart?: Hook;
  /** Called when all components are running, except leader-only components that wait for the election. `start` resolves after this hook. */
  readonly started?: Hook;
  /**
   * Called when this replica is the leader and its leader-only components have started. Without leader election, called during the start,
   * before `started`.
   */
  readonly elected?: Hook;
  /** Called when this replica could not keep its Lease. The signals of the leader-only components are already aborted. */
  readonly lost?: Hook;
  /** Called when the manager starts to stop, before it stops the components. The grace period includes the time of this hook. */
  readonly stopping?: Hook;
  /** Called when all components have ended or the grace period is over. The connection is already closed. */
  readonly stopped?: Hook;
}
/** The name of a hook. */
export type HookName = keyof ManagerHooks;
export const HOOK_NAMES = ['beforeStart', 'started', 'elected', 'lost', 'stopping', 'stopped'] as const;

export function isHookName(name: string): name is HookName {
  return HOOK_NAMES.some((known) => known === name);
}
