import type { KubeObject } from '@kubewright/api';
import type { ListOptions } from '../../cache/store/list-options.js';

/** The options of every write. An omitted option has the value that was passed to `client.with`. */
export interface WriteOptions {
  /** The server validates the change and returns the resulting object, but does not store it. @default false */
  readonly dryRun?: boolean;
  /** The field manager. @default the name of the controller, or of the client outside of a controller */
  readonly fieldManager?: string;
  /**
   * How the server handles unknown and duplicate fields. Apply rejects these fields regardless of this option. @default the server's
   * default: 'Warn'
   */
  readonly fieldValidation?: 'Ignore' | 'Warn' | 'Strict';
}
/** The options of `client.create`. */
export interface CreateOptions extends WriteOptions {
  /** The object to set as controller reference. Also the source of the namespace if the object has none. @default none */
  readonly owner?: KubeObject;
}
/** The options of `client.patch`. */
export interface PatchOptions extends WriteOptions {
  /**
   * Rejects the patch with a conflict if the object has changed since it was read. If the edits of a draft change a list, the patch always
   * has this check, because a merge patch replaces the whole list. With true, throws VERSION_REQUIRED for an object without a
   * resourceVersion. @default false
   */
  readonly optimistic?: boolean;
}
/** The options of `client.createOrPatch`. `optimistic` applies to an existing object. */
export interface CreateOrPatchOptions extends PatchOptions {
  /**
   * The object to set as controller reference. Also the source of the namespace if the object has none. The owner adopts an existing object
   * that has no controller. @default none
   */
  readonly owner?: KubeObject;
}
/** The options of `client.patchStatus`. */
export interface PatchStatusOptions extends PatchOptions {
  /**
   * Whether to set `status.observedGeneration` if the kind has this field. Use false if the status reports that this generation failed.
   * @default true
   */
  readonly observed?: boolean;
}
/** The options of `client.delete`. */
export interface DeleteOptions extends Pick<WriteOptions, 'dryRun'> {
  /** The deletion policy for the dependents of the object. @default the kind's default: 'Background' for nearly all kinds */
  readonly propagation?: 'Background' | 'Foreground' | 'Orphan';
  /** Deletes only the object with this uid, not a later object of the same name. @default true if an object is passed */
  readonly sameUid?: boolean;
  /** Rejects the deletion with a conflict if the object has changed since it was read. @default false */
  readonly sameVersion?: boolean;
  /**
   * Throws an error for which `isNotFound` returns true if the object does not exist. Throws a conflict if a later object has the same
   * name. @default false
   */
  readonly mustExist?: boolean;
  /** @default the grace period of the object or its kind */
  readonly gracePeriodSeconds?: number;
}
/** The options of `client.delete` with a kind and a key. */
export type DeleteByKeyOptions = Omit<DeleteOptions, 'sameUid' | 'sameVersion'>;
/** The selection of `deleteAll`, and the options of the deletions. */
export type DeleteAllOptions<T> = Omit<ListOptions<T>, 'limit' | 'ownWrites' | 'signal'> &
  Pick<DeleteOptions, 'dryRun' | 'propagation' | 'gracePeriodSeconds'>;

/** The options of `client.apply`. */
export interface ApplyOptions extends WriteOptions {
  /** The object to set as controller reference. Also the source of the namespace if the object has none. @default none */
  readonly owner?: KubeObject;
  /**
   * Adopts an existing object that has no controller. If false, applying such an object throws an error for which `isNotOwned` returns
   * true. @default false
   */
  readonly adopt?: boolean;
  /** Takes ownership of fields from other field managers. @default true for objects with an owner, else false */
  readonly force?: boolean;
  /**
   * Rejects the apply with a conflict if the object has changed or was recreated since it was read. Throws VERSION_REQUIRED for an object
   * without a resourceVersion. @default false: the uid and the resourceVersion of the passed object are ignored
   */
  readonly optimistic?: boolean;
}
/** The options of `client.applyOwned`. */
export interface ApplyOwnedOptions {
  /** Same as in `ApplyOptions`. @default false */
  readonly adopt?: boolean;
  /** Applies a child only if the previous child is ready. `true` uses `isReady`; a function decides for each child. @default false */
  readonly inOrder?: boolean | ((child: KubeObject) => boolean);
  /** The name of a set of children. An owner can have several sets, and each call prunes only its own set. @default 'default' */
  readonly set?: string;
  /** Called for each child that was deleted. @default none */
  readonly onPruned?: (child: KubeObject) => void;
}

/**
 * The result of `applyOwned`: the children as the server returned them, in the order of the list. A child that was not applied because an
 * earlier child is not ready is undefined.
 */
export type Applied<Children extends readonly KubeObject[], Options> = {
  -readonly [I in keyof Children]: Options extends { readonly inOrder: true | ((child: never) => boolean) }
    ? Children[I] | undefined
    : Children[I];
};
