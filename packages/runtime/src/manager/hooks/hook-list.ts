import { KubewrightError, messageOf, valueText } from '@kubewright/api/errors';
import type { Hook, HookContext, HookManager } from './hook.js';
import { HOOK_NAMES, type HookName, isHookName, type ManagerHooks } from './manager-hooks.js';

/** The hooks of a manager, in the order in which they were added. */
export class HookList {
  readonly #manager: HookManager;
  readonly #hooks: { readonly name: HookName; readonly hook: Hook }[] = [];

  constructor(manager: HookManager, hooks: ManagerHooks = {}) {
    this.#manager = manager;
    for (const [name, hook] of Object.entries(hooks)) this.add(name as HookName, hook as Hook);
  }

  /** All hooks, in the order in which they were added. */
  get all(): readonly { readonly name: HookName; readonly hook: Hook }[] {
    return this.#hooks;
  }
  /** Adds a hook. Returns a function that removes the hook. Throws INVALID_MANAGER for an unknown name. */
  add(name: HookName, hook: Hook): () => void {
    if (!isHookName(name)) {
      const message = `unknown manager hook ${valueText(name)}: use one of ${HOOK_NAMES.join(', ')}`;
      throw new KubewrightError('INVALID_MANAGER', message);
    }
    const entry = { name, hook };
    this.#hooks.push(entry);
    return () => {
      const at = this.#hooks.indexOf(entry);
      if (at !== -1) this.#hooks.splice(at, 1);
    };
  }
  /** Calls all hooks with this name in sequence. If a hook throws, calls no further hook and rejects with HOOK_FAILED. */
  async run(name: HookName, context: Omit<HookContext, 'manager'>): Promise<void> {
    for (const { hook } of this.#hooks.filter((each) => each.name === name)) {
      try {
        await hook({ manager: this.#manager, ...context });
      } catch (error) {
        const message = messageOf(error);
        throw new KubewrightError('HOOK_FAILED', `hook '${name}' of the manager failed: ${message}`, {
          cause: error,
        });
      }
    }
  }
}
