import type { KubeObject, ObjectKey } from '@kubewright/api';
import type { Duration } from '@kubewright/api/clock';
import type { Informer, InformerStatistics } from './cache.js';
import type { Change } from './change.js';
import type { ReadObjects } from './delivered-states.js';
import type { Index, IndexMatch } from './index-declaration.js';
import type { Deletion } from './overlay.js';
import type { ReflectorStatus } from './reflector-status.js';

/** Gets the changes of an informer. What it throws is logged and does not keep the change from others. */
export interface ChangeHandler<T extends KubeObject> {
  /** Called after the store has the change, in the order of the changes; first once for each object that is there. */
  onChange(change: Change<T>): void;
  /** Called once, when every object of the first list was handed to `onChange`. */
  onSynced?(): void;
}

/** How a handler gets the changes. */
export interface HandlerOptions {
  /** It gets every object again after so long, whatever others get. @default as the options of the cache say */
  readonly resync?: Duration | false | undefined;
}

/** A handler that was added. */
export interface HandlerRegistration {
  /** The handler gets nothing more, not even what was waiting for it. Does nothing the second time. */
  remove(): void;
  /** Resolves when the objects of the first list were handed over. Rejects when the handler is removed or the informer closed before. */
  readonly synced: Promise<void>;
}

/** An informer which several parts of a program hold at once; each disposes of its own, the last one stops the watch. */
export interface SharedInformer<T extends KubeObject> extends Informer<T>, InformerStatistics {
  readonly size: number;
  /** Whether `synced` resolves at once. */
  readonly hasSynced: boolean;
  /** A handler that is added late sees every object as added, then every change: none missing, none twice. Throws INFORMER_CLOSED. */
  addHandler(handler: ChangeHandler<T>, options?: HandlerOptions): HandlerRegistration;
  /** Adds an index over the objects that are there and come. The same one again is one index; another of that name is INDEX_EXISTS. */
  addIndex(index: Index<T>): void;
  /** Takes an index out, for whoever shares the informer. Does nothing for one that is not there. */
  removeIndex(index: Index<T>): void;
  /** The objects that an index, or all of several, holds under a value. Throws UNKNOWN_INDEX. */
  byIndex(match: IndexMatch<T> | readonly IndexMatch<T>[]): readonly T[];
  /** The newest version the store stands for; empty before the first list. The oldest one where namespaces are watched apart. */
  readonly resourceVersion: string;
  /** Whether its watches have delivered every change up to this version; true without watches. */
  hasPassed(resourceVersion: string): boolean;
  /** Changes that some handler was not given yet. */
  readonly waiting: number;
  /** Cached reads of the kind that the API server had to answer, for views of the whole informer. */
  readonly liveReads: number;
  /** Whether a list from the server shows something that the store does not have. Asks the server each time, for whole lists. */
  isBehind(): Promise<boolean>;
  /** How its reflector fares; the worst one where namespaces are watched apart. */
  readonly status: ReflectorStatus;
  /** Calls back on every change of the status. Returns what ends it. */
  onStatus(listener: (status: ReflectorStatus) => void): () => void;
  /**
   * Reads give this object at once, until the watch has caught up with it; or no longer give it, where it is gone by what was written.
   * Ignored when the store knows better already.
   */
  wrote(object: T): void;
  /** Reads no longer give the object, until the watch has caught up. Ignored when they give another one of its key already. */
  deleted(key: ObjectKey, deletion?: Deletion): void;
  /** Whether the watch has come as far as this object: whoever learns of changes by it has heard of this version, or of its end. */
  hasSeen(object: KubeObject): boolean;
  /**
   * Returns undefined if reads of these objects already return the states that events of the other store of the kind have delivered,
   * or later ones. Otherwise resolves with true as soon as they do, and with false if only the API server knows these states.
   */
  caughtUp(objects: ReadObjects, signal?: AbortSignal): Promise<boolean> | undefined;
  /**
   * Selects the objects of these keys instead of those before, if the informer was acquired with `byKeys`; does nothing otherwise.
   * `synced` waits for the first call.
   */
  selectKeys(keys: readonly ObjectKey[]): void;
  /** Whether the objects of this namespace are in it. */
  covers(namespace: string | undefined): boolean;
}
