import type { Hook } from './hook.js';

/**
 * The hooks of the manager's lifecycle. Each hook point occurs at most once. The manager waits for every hook before it continues. A hook
 * that throws stops the manager with HOOK_FAILED, which names the hook. If the manager is already stopping, the stop continues and reports
 * the error at the end.
 *
 * @example
 * new Manager({ hooks: { beforeStart: () => migrate(), stopped: () => database.close() } });
 */
export interface ManagerHooks {
  /** Called before any component runs or listens. */
  readonly beforeStart?: Hook;
  /** Called when all components run, except for leader-only components that wait for the election. `start` resolves afterwards. */
  readonly started?: Hook;
  /**
   * Called when this replica is the leader and its leader-only components have started. Without leader election, called during the start,
   * before `started`.
   */
  readonly elected?: Hook;
  /** Called when this replica lost the leadership involuntarily. The leader-only components have received the abort signal. */
  readonly lost?: Hook;
  /** Called when the manager begins to stop, before it stops the components. The grace period has begun. */
  readonly stopping?: Hook;
  /** Called when all components have ended or were abandoned. The connection is closed. */
  readonly stopped?: Hook;
}
/** The name of a hook. */
export type HookName = keyof ManagerHooks;
export const HOOK_NAMES = ['beforeStart', 'started', 'elected', 'lost', 'stopping', 'stopped'] as const;

export function isHookName(name: string): name is HookName {
  return HOOK_NAMES.some((known) => known === name);
}
