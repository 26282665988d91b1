import type { Draft, KindRef, KubeObject, ObjectKey, StatusOf } from '@kubewright/api';
import type { ListOptions } from '../cache/list-options.js';
import type { Applied, ApplyOptions, ApplyOwnedOptions, DeleteOptions, PatchOptions } from './client-options.js';
import type { Reader } from './reader.js';

/**
 * Reads from the cache and writes to the API server. A write is seen by the next read of the same client. Each controller gets
 * its own, bound to its field manager and to the kinds that it declared: reading another kind is an error that says what to declare.
 */
export abstract class Client implements Reader {
  abstract get<T extends KubeObject>(kind: KindRef<T>, key: ObjectKey): Promise<T>;
  abstract find<T extends KubeObject>(kind: KindRef<T>, key: ObjectKey): Promise<T | undefined>;
  abstract list<T extends KubeObject>(kind: KindRef<T>, options?: ListOptions<NoInfer<T>>): Promise<readonly T[]>;
  /** The objects of a kind that `owner` controls, from the owner index that every kind in `owns` has. */
  abstract listOwned<T extends KubeObject>(owner: KubeObject, kind: KindRef<T>): Promise<readonly T[]>;
  /** The same reads from the API server. Any kind, no informer; one request each. */
  abstract readonly live: Reader;

  /** Sends the object as it is. Throws what `isAlreadyExists` knows. */
  abstract create<T extends KubeObject>(object: T, options?: { readonly owner?: KubeObject }): Promise<T>;
  /** Sends the smallest patch that makes the edits, or nothing when there are none. Status is not touched. */
  abstract patch<T extends KubeObject>(object: T, edit: (draft: Draft<T>) => void, options?: PatchOptions): Promise<T>;
  /**
   * The same for the status. `observedGeneration`, on the status and in conditions, and transition times are filled in. An
   * object replaces the fields that it names.
   */
  abstract patchStatus<T extends KubeObject>(
    object: T,
    edit: Partial<StatusOf<T>> | ((status: Draft<StatusOf<T>>) => void),
  ): Promise<T>;
  /** Replaces the whole object; a conflict when it changed since it was read. */
  abstract update<T extends KubeObject>(object: T | Draft<T>): Promise<T>;
  /** Server-side apply. Returns the object with its status. Sends nothing when the cache shows that nothing would change. */
  abstract apply<T extends KubeObject>(object: T, options?: ApplyOptions): Promise<T>;
  /**
   * Applies every child, and when all went well removes what this controller applied for `owner` before and is no longer in the
   * list. So pass the whole list, in one call: a second call for the same owner and set in one reconcile is an error.
   */
  abstract applyOwned<const C extends readonly KubeObject[], const O extends ApplyOwnedOptions = ApplyOwnedOptions>(
    owner: KubeObject,
    children: C,
    options?: O,
  ): Promise<Applied<C, O>>;
  /** Not an error when it is gone already. */
  abstract delete(object: KubeObject, options?: DeleteOptions): Promise<void>;
  abstract deleteAll<T extends KubeObject>(
    kind: KindRef<T>,
    options?: ListOptions<NoInfer<T>> & DeleteOptions,
  ): Promise<void>;
}
