import { KubewrightError, messageOf } from '@kubewright/api/errors';
import type { Manager } from './manager.js';

/** What a hook is told. */
export interface HookContext {
  /** The manager whose life it is. */
  readonly manager: Manager;
  /** Aborted when the manager stops. */
  readonly signal: AbortSignal;
  /** What went wrong, for `lost`, `stopping` and `stopped` where something did. */
  readonly error?: unknown;
}
/** Called at a turning point, and waited for. */
export type Hook = (context: HookContext) => void | Promise<void>;

/**
 * The turning points of a manager's life, each at most once. Every hook is waited for before the manager goes on. One that throws
 * ends the manager with HOOK_FAILED, which names it; while the manager stops anyway, it goes on stopping and tells the error at the end.
 *
 * @example
 * new Manager({ hooks: { beforeStart: () => migrate(), stopped: () => database.close() } });
 */
export interface ManagerHooks {
  /** Nothing runs yet, and nothing listens. */
  readonly beforeStart?: Hook;
  /** All runs that need not be elected; without leader election all. `start` resolves after it. */
  readonly started?: Hook;
  /** This replica leads, and what runs on the leader does. Without leader election soon after the start. */
  readonly elected?: Hook;
  /** This replica no longer leads, though it wants to; what runs on the leader was told to end. */
  readonly lost?: Hook;
  /** The manager begins to stop; all still runs. The grace period has begun. */
  readonly stopping?: Hook;
  /** All has ended, or was left behind. The connection is closed. */
  readonly stopped?: Hook;
}
/** The name of a turning point in a manager's life. */
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

  /** Returns what takes it away again. Throws INVALID_MANAGER for a name that is none. */
  add(name: HookName, hook: Hook): () => void {
    if (!isHookName(name)) {
      const message = `there is no hook '${String(name)}' of a manager: write one of ${HOOK_NAMES.join(', ')}`;
      throw new KubewrightError('INVALID_MANAGER', message);
    }
    const entry = { name, hook };
    this.#hooks.push(entry);
    return () => {
      const at = this.#hooks.indexOf(entry);
      if (at !== -1) this.#hooks.splice(at, 1);
    };
  }
  /** Calls all of this name, one after the other. Rejects with HOOK_FAILED at the first that throws. */
  async run(name: HookName, context: HookContext): Promise<void> {
    for (const { hook } of this.#hooks.filter((each) => each.name === name)) {
      try {
        await hook(context);
      } catch (error) {
        const message = messageOf(error);
        throw new KubewrightError('HOOK_FAILED', `the hook '${name}' of the manager failed: ${message}`, {
          cause: error,
        });
      }
    }
  }
}
