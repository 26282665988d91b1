import type { Steps } from '@kubewright/api/apply';
import type { Registry } from '../registry/registry.js';
import type { EventRecorder } from './event-recorder.js';
import type { ObjectIndex } from './object-index.js';
import type { FeedEvent } from './resource-feed.js';

/** Where a controller puts the keys of what it has to look at. */
export interface KeyQueue {
  /** Adds a key; nothing happens when it waits already. */
  add(key: string): void;
  /** Adds a key when its time has come; the earliest time asked for counts. Until then it is not pending. */
  addAfter(key: string, delayMs: number): void;
}

/** What a controller works with. */
export interface ControllerSetting {
  readonly registry: Registry;
  readonly index: ObjectIndex;
  readonly events: EventRecorder;
}

/**
 * Brings one kind of object to its desired state, whatever happened before. Its work is done by a WorkLoop, one key at a
 * time; a `sync` that throws is called again later.
 */
export interface Controller {
  /** Its name in a real cluster: that of its service account and of its loop. */
  readonly name: string;
  /** Takes note of a change and says which keys are to be looked at. */
  observe(event: FeedEvent, queue: KeyQueue): void;
  /**
   * Brings what the key names to its desired state. Work on many objects returns steps: between two steps, the server answers requests and other
   * controllers work, so each step reads the objects again.
   */
  sync(key: string, queue: KeyQueue): Steps<void> | void;
}
