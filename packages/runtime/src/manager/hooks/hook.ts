import type { ObjectKey } from '@kubewright/api';
import type { Cache } from '../../cache/cache.js';
import type { Client } from '../../client/client.js';
import type { EventRecorder } from '../../events/event-recorder.js';
import type { ClusterConnection } from '../cluster/cluster-connection.js';
import type { Component } from '../components/component.js';
import type { ControllerHandle } from '../controllers/managed-controller.js';
import type { Constructor } from '../injection/service-container.js';

/** The members of `Manager` that hooks can use. */
export interface HookManager {
  readonly client: Client;
  readonly cache: Cache;
  readonly events: EventRecorder;
  readonly connection: ClusterConnection;
  /** Whether this replica is currently the leader. */
  readonly isLeader: boolean;
  /** The identity of the last known leader. Undefined without leader election. */
  readonly leader: string | undefined;
  /** Adds components. If the manager already runs, starts the components immediately. */
  add(...parts: readonly (Constructor<Component> | Component)[]): HookManager;
  /** Queues a reconcile. Throws UNKNOWN_CONTROLLER, NOT_STARTED and INVALID_KEY. */
  enqueue(controller: Constructor, key: ObjectKey): void;
  /** Returns the controller with this class or name. Throws UNKNOWN_CONTROLLER. */
  controller(of: Constructor | string): ControllerHandle;
  /** Stops the manager. A hook must not await the returned promise, because the stop waits for the hook. */
  stop(): Promise<void>;
}

/** The argument of a hook. */
export interface HookContext {
  /** The manager that calls the hook. */
  readonly manager: HookManager;
  /** Aborted when the manager stops. */
  readonly signal: AbortSignal;
  /** The error that stops the manager. Only for the hooks `lost`, `stopping` and `stopped`; undefined if there is no error. */
  readonly error?: unknown;
}
/** A function that the manager calls at one point of its lifecycle. The manager waits for the returned promise. */
export type Hook = (context: HookContext) => void | Promise<void>;
