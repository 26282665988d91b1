import type { KubeObject, ObjectKey } from '@kubewright/api';
import type { Duration } from '@kubewright/api/clock';
import type { Informer, InformerStatistics } from './informer.js';
import type { Change } from '../store/change.js';
import type { ReadObjects } from './delivered-states.js';
import type { Index, IndexMatch } from '../store/index-declaration.js';
import type { Deletion } from '../store/overlay.js';
import type { ReflectorStatus } from '../reflector/reflector-status.js';

/** Receives the changes of an informer. If the handler throws, the informer logs the error, and other handlers still receive the change. */
export interface ChangeHandler<T extends KubeObject> {
  /**
   * Called for each existing object, and then for each change, in the order of the changes. The store applies a change before this call.
   */
  onChange(change: Change<T>): void;
  /** Called once, after `onChange` was called for every object of the first list. */
  onSynced?(): void;
}

/** Options of a handler. */
export interface HandlerOptions {
  /** The interval at which the handler receives every object again, independently of other handlers. @default the setting of the cache */
  readonly resync?: Duration | false | undefined;
}

/** A registered handler. */
export interface HandlerRegistration {
  /** Removes the handler, including its pending changes. Further calls have no effect. */
  remove(): void;
  /**
   * Resolves after the handler has received the objects of the first list. Rejects if the handler is removed or the informer is closed
   * before.
   */
  readonly synced: Promise<void>;
}

/** An informer with several holders. Each holder disposes of its own handle. The watch stops when the last handle is disposed of. */
export interface SharedInformer<T extends KubeObject> extends Informer<T>, InformerStatistics {
  readonly size: number;
  /** Whether `synced` resolves immediately. */
  readonly hasSynced: boolean;
  /** Adds a handler. The handler receives every existing object as added, and then every change exactly once. Throws INFORMER_CLOSED. */
  addHandler(handler: ChangeHandler<T>, options?: HandlerOptions): HandlerRegistration;
  /**
   * Adds an index of the existing and all later objects. Adding the same index again has no effect. Throws INDEX_EXISTS for another index
   * with the same name.
   */
  addIndex(index: Index<T>): void;
  /** Removes an index for all holders of the informer. Has no effect if the index does not exist. */
  removeIndex(index: Index<T>): void;
  /** Returns the objects that match an index value, or all of several index values. Throws UNKNOWN_INDEX. */
  byIndex(match: IndexMatch<T> | readonly IndexMatch<T>[]): readonly T[];
  /** The newest version of the store; empty before the first list. With several watches, the oldest of their versions. */
  readonly resourceVersion: string;
  /** Returns whether the watches have delivered every change up to this version; true without watches. */
  hasPassed(resourceVersion: string): boolean;
  /** The number of changes that handlers have not received yet. */
  readonly waiting: number;
  /** The number of cached reads of the kind that the API server answered. Counted only for views of the whole informer. */
  readonly liveReads: number;
  /** Returns whether the store lacks a state that the server lists. Each call requests complete lists from the server. */
  isBehind(): Promise<boolean>;
  /** The status of the reflector. With several reflectors, the worst status. */
  readonly status: ReflectorStatus;
  /** Calls the listener on every change of the status. Returns a function that removes the listener. */
  onStatus(listener: (status: ReflectorStatus) => void): () => void;
  /**
   * Records an own write. Reads return this object until the watch has caught up with the write. If the write removed the object, reads do
   * not return it any more. Ignored if the store already has a state that is at least as new.
   */
  wrote(object: T): void;
  /** Records an own deletion. Reads do not return the object any more. Ignored if reads already return another object with the same key. */
  deleted(key: ObjectKey, deletion?: Deletion): void;
  /** Returns whether the watches have delivered this version of the object, a later version, or its deletion. */
  hasSeen(object: KubeObject): boolean;
  /**
   * Returns undefined if reads of these objects already return the states that the other store of the kind has delivered, or later states.
   * Otherwise resolves with true when reads return these states. Resolves with false if only the API server knows these states.
   */
  caughtUp(objects: ReadObjects, signal?: AbortSignal): Promise<boolean> | undefined;
  /** Replaces the selected keys, if the informer was acquired with `byKeys`; otherwise has no effect. `synced` waits for the first call. */
  selectKeys(keys: readonly ObjectKey[]): void;
  /** Returns whether the informer contains the objects of this namespace. */
  covers(namespace: string | undefined): boolean;
}
