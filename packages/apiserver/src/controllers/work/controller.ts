import type { Steps } from '@kubewright/api/apply';
import type { SimulatedPods } from '../simulation/simulated-pods.js';
import type { Registry } from '../../registry/registry.js';
import type { EventRecorder } from './event-recorder.js';
import type { ObjectIndex } from './object-index.js';
import type { FeedEvent } from './resource-feed.js';
import type { Trust } from './trust.js';

/** The queue for the keys that a controller must reconcile. */
export interface KeyQueue {
  /** Adds a key. Does nothing if the key is already queued. */
  add(key: string): void;
  /**
   * Adds a key after a delay in milliseconds. If the key is already scheduled, the earlier of the two times applies. `WorkLoop.pending`
   * does not return the key before that time.
   */
  addAfter(key: string, delayMs: number): void;
}

/** The dependencies of a controller. */
export interface ControllerSetting {
  readonly registry: Registry;
  readonly index: ObjectIndex;
  readonly events: EventRecorder;
  readonly simulated: SimulatedPods;
  /** The issuer of tokens and certificates. Undefined in a registry without a server. */
  readonly trust?: Trust;
}

/**
 * A controller of the server. A WorkLoop calls `sync` for each queued key. If `sync` throws, the WorkLoop calls `sync` for the same key
 * again later.
 */
export interface Controller {
  /** The name of the controller in Kubernetes, which is also the name of its service account and of its work loop. */
  readonly name: string;
  /**
   * The maximum number of keys whose work has started and is not finished. If this number is greater than 1, the controller works on other
   * keys while the work on a key waits, for example for a webhook. @default 1
   */
  readonly concurrency?: number;
  /**
   * Called once, before the first change. The controller can keep the queue, and add keys later for reasons other than a change of an
   * object.
   */
  start?(queue: KeyQueue): void;
  /** Observes a change and adds the keys that must be reconciled. */
  observe(event: FeedEvent, queue: KeyQueue): void;
  /**
   * Reconciles the object of the key. A controller that works on many objects returns steps. Between two steps, the server answers requests
   * and other controllers run, so each step must read the objects again.
   */
  sync(key: string, queue: KeyQueue): Steps<void> | void;
}
