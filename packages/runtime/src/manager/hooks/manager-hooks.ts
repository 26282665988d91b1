import type { ObjectKey } from '@kubewright/api';
import { KubewrightError, messageOf } from '@kubewright/api/errors';
import type { Cache } from '../../cache/cache.js';
import type { Client } from '../../client/client.js';
import type { EventRecorder } from '../../events/event-recorder.js';
import type { ClusterConnection } from '../cluster/cluster-connection.js';
import type { Component } from '../components/component.js';
import type { ControllerHandle } from '../controllers/managed-controller.js';
import type { Constructor } from '../injection/service-container.js';

/** The members of `Manager` that hooks use. */
export interface HookManager {
  readonly client: Client;
  readonly cache: Cache;
  readonly events: EventRecorder;
  readonly connection: ClusterConnection;
  /** Whether this replica is currently the leader. */
  readonly isLeader: boolean;
  /** The identity of the last known leader. Undefined without leader election. */
  readonly leader: string | undefined;
  /** Adds components. A running manager starts them at once. */
  add(...parts: readonly (Constructor<Component> | Component)[]): HookManager;
  /** Enqueues a reconcile. Throws UNKNOWN_CONTROLLER, NOT_STARTED and INVALID_KEY. */
  enqueue(controller: Constructor, key: ObjectKey): void;
  /** Returns the controller of a class or a name. Throws UNKNOWN_CONTROLLER. */
  controller(of: Constructor | string): ControllerHandle;
  /** Stops the manager. A hook must not wait for the promise, because the stop waits for the hook. */
  stop(): Promise<void>;
}

/** The argument of a hook. */
export interface HookContext {
  /** The manager that calls the hook. */
  readonly manager: HookManager;
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

/** The hooks of a manager, in the order in which they were added. */
export class HookList {
  readonly #manager: HookManager;
  readonly #hooks: { readonly name: HookName; readonly hook: Hook }[] = [];

  constructor(manager: HookManager, hooks: ManagerHooks = {}) {
    this.#manager = manager;
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
