import type { KubeObject } from '@kubewright/api';
import type { ListOptions } from '../cache/list-options.js';

/** What every write takes. What is left out is as `client.with` said. */
export interface WriteOptions {
  /** The server does everything but keep the change: it checks it, and answers what would be. @default false */
  readonly dryRun?: boolean;
  /** Name of the writer in managed fields. @default the name of the controller, or of the client outside of one */
  readonly fieldManager?: string;
  /**
   * What the server does about fields that it does not know, and about those that are given twice. Apply refuses them whatever is
   * said here. @default that of the server: 'Warn'
   */
  readonly fieldValidation?: 'Ignore' | 'Warn' | 'Strict';
}
/** What `client.create` takes. */
export interface CreateOptions extends WriteOptions {
  /** Becomes the controller reference, and gives its namespace to an object that names none. @default none */
  readonly owner?: KubeObject;
}
/** What `client.patch` takes. */
export interface PatchOptions extends WriteOptions {
  /**
   * Refuse with a conflict when the object changed since it was read. Always so when a draft edits an atomic list. Throws
   * VERSION_REQUIRED for an object without a version. @default false
   */
  readonly optimistic?: boolean;
}
/** `optimistic` is about an object that is there. */
export interface CreateOrPatchOptions extends PatchOptions {
  /**
   * Becomes the controller reference, and gives its namespace to an object that names none. An object of that name which nobody
   * controls becomes the owner's. @default none
   */
  readonly owner?: KubeObject;
}
/** What `client.patchStatus` takes. */
export interface PatchStatusOptions extends PatchOptions {
  /** Whether `status.observedGeneration` is set, where the kind has one: false where the status tells that this generation failed. @default true */
  readonly observed?: boolean;
}
/** What `client.delete` takes. */
export interface DeleteOptions extends Pick<WriteOptions, 'dryRun'> {
  /** What becomes of the objects that it owns. @default that of the kind: 'Background' for nearly all */
  readonly propagation?: 'Background' | 'Foreground' | 'Orphan';
  /** Only this very object, not a later one of the same name. @default true when an object is passed */
  readonly sameUid?: boolean;
  /** Only while it is as it was read; else a conflict. @default false */
  readonly sameVersion?: boolean;
  /** Throw what `isNotFound` knows when it is gone already, and a conflict when there is a later one of the same name. @default false */
  readonly mustExist?: boolean;
  /** @default that of the object or its kind */
  readonly gracePeriodSeconds?: number;
}
/** How `client.delete` deletes an object of a kind by its name. */
export type DeleteByKeyOptions = Omit<DeleteOptions, 'sameUid' | 'sameVersion'>;
/** Which objects `deleteAll` deletes, and how. */
export type DeleteAllOptions<T> = Omit<ListOptions<T>, 'limit' | 'ownWrites' | 'signal'> &
  Pick<DeleteOptions, 'dryRun' | 'propagation' | 'gracePeriodSeconds'>;

/** What `client.apply` takes. */
export interface ApplyOptions extends WriteOptions {
  /** Becomes the controller reference, and gives its namespace to an object that names none. @default none */
  readonly owner?: KubeObject;
  /** Take over an object of that name which nobody controls. Without it, applying one is an error that `isNotOwned` knows. @default false */
  readonly adopt?: boolean;
  /** Take fields over from other writers. @default true for objects with an owner, else false */
  readonly force?: boolean;
  /**
   * Refuse with a conflict when the object changed since it was read, or is no longer that object. Throws VERSION_REQUIRED for one
   * without a version. @default false: uid and version of what is applied do not count
   */
  readonly optimistic?: boolean;
}
/** What `client.applyOwned` takes. */
export interface ApplyOwnedOptions {
  /** As in `ApplyOptions`. @default false */
  readonly adopt?: boolean;
  /**
   * Applies a child only when the child before it is ready: `true` for `isReady`, or a function that decides. @default false
   */
  readonly inOrder?: boolean | ((child: KubeObject) => boolean);
  /** Names one of several sets of children of the same owner; each prunes its own. @default 'default' */
  readonly set?: string;
  /** Called for each child that was removed. @default none */
  readonly onPruned?: (child: KubeObject) => void;
}

/** What `applyOwned` returns: the children as the server has them, in the order of the list; undefined for a child that waits for another. */
export type Applied<Children extends readonly KubeObject[], Options> = {
  -readonly [I in keyof Children]: Options extends { readonly inOrder: true | ((child: never) => boolean) }
    ? Children[I] | undefined
    : Children[I];
};
