import { KubewrightError, messageOf } from '@kubewright/api/errors';
import type { Manager } from './manager.js';

/** The argument of a hook. */
export interface HookContext {
  /** The manager that calls the hook. */
  readonly manager: Manager;
  /** Aborted when the manager stops. */
  readonly signal: AbortSignal;
  /** The error, if any, for `lost`, `stopping` and `stopped`. */
  readonly error?: unknown;
}
/** A callback of the manager's lifecycle. The manager waits for the returned promise. */
export type Hook = (context: HookContext) => void | Promise<void>;

/**
 * The hooks of the manager's lifecycle. Each hook point occurs at most once. The manager waits for every hook before it continues. A hook
 * that throws stops the manager with HOOK_FAILED, which names the hook. If the manager is already stopping, the stop continues and reports
 * the error at the end.
 *
 * @example
 * new Manager({ hooks: { beforeStart: () => migrate(), stopped: () => database.close() } });
 */
export interface ManagerHooks {
  /** Called before anything runs or listens. */
  readonly beforeStart?: Hook;
  /** Called when everything runs that needs no election; without leader election, when everything runs. `start` resolves afterwards. */
  readonly started?: Hook;
  /**
   * Called when this replica is the leader and its leader-only components have started. Without leader election, called during the start,
   * before `started`.
   */
  readonly elected?: Hook;
  /** Called when this replica lost the leadership involuntarily. The leader-only components have received the abort signal. */
  readonly lost?: Hook;
  /** Called when the manager begins to stop, while everything still runs. The grace period has begun. */
  readonly stopping?: Hook;
  /** Called when everything has ended or was abandoned. The connection is closed. */
  readonly stopped?: Hook;
}
/** The name of a hook. */
export type HookName = keyof ManagerHooks;
export const HOOK_NAMES = ['beforeStart', 'started', 'elected', 'lost', 'stopping', 'stopped'] as const;

export function isHookName(name: string): name is HookName {
  return HOOK_NAMES.some((known) => known === name);
}

/** The hooks of a manager, in the order in which they were added. */
export class HookList {
  readonly #hooks: { readonly name: HookName; readonly hook: Hook }[] = [];

  constructor(hooks: ManagerHooks = {}) {
    for (const [name, hook] of Object.entries(hooks)) this.add(name as HookName, hook as Hook);
  }

  /** Adds a hook. Returns a function that removes the hook. Throws INVALID_MANAGER for an unknown name. */
  add(name: HookName, hook: Hook): () => void {
    if (!isHookName(name)) {
      const message = `unknown manager hook '${String(name)}': use one of ${HOOK_NAMES.join(', ')}`;
      throw new KubewrightError('INVALID_MANAGER', message);
    }
    const entry = { name, hook };
    this.#hooks.push(entry);
    return () => {
      const at = this.#hooks.indexOf(entry);
      if (at !== -1) this.#hooks.splice(at, 1);
    };
  }
  /** Calls all hooks of this name in sequence. Rejects with HOOK_FAILED at the first hook that throws. */
  async run(name: HookName, context: HookContext): Promise<void> {
    for (const { hook } of this.#hooks.filter((each) => each.name === name)) {
      try {
        await hook(context);
      } catch (error) {
        const message = messageOf(error);
        throw new KubewrightError('HOOK_FAILED', `hook '${name}' of the manager failed: ${message}`, {
          cause: error,
        });
      }
    }
  }
}
