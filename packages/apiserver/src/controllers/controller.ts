import type { Steps } from '@kubewright/api/apply';
import type { Registry } from '../registry/registry.js';
import type { EventRecorder } from './event-recorder.js';
import type { ObjectIndex } from './object-index.js';
import type { FeedEvent } from './resource-feed.js';

/** The queue for the keys that a controller must reconcile. */
export interface KeyQueue {
  /** Adds a key. Does nothing if the key is already queued. */
  add(key: string): void;
  /** Adds a key after a delay. If the key is already scheduled, the earliest time counts. The key is not pending until then. */
  addAfter(key: string, delayMs: number): void;
}

/** The dependencies of a controller. */
export interface ControllerSetting {
  readonly registry: Registry;
  readonly index: ObjectIndex;
  readonly events: EventRecorder;
}

/**
 * Reconciles one kind of object, regardless of earlier events. A WorkLoop calls `sync` for one key at a time, and calls it again later if
 * it throws.
 */
export interface Controller {
  /** The name in a Kubernetes cluster: the name of the service account and of the loop. */
  readonly name: string;
  /** Observes a change and adds the keys that must be reconciled. */
  observe(event: FeedEvent, queue: KeyQueue): void;
  /**
   * Reconciles the object of the key. Work on many objects returns steps: between two steps, the server answers requests and other
   * controllers work, so each step reads the objects again.
   */
  sync(key: string, queue: KeyQueue): Steps<void> | void;
}
