import type { KubeObject } from '@kubewright/api';
import type { ListOptions } from '../../cache/store/list-options.js';

/** The options of every write. If an option is omitted, the setting that was passed to `client.with` applies. */
export interface WriteOptions {
  /**
   * Whether the write is a dry run. The server validates the change and returns the resulting object, but does not store the object.
   * @default false
   */
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
  /**
   * The owner to set as the controller reference. If the created object has no namespace, it gets the namespace of the owner. @default none
   */
  readonly owner?: KubeObject;
}
/** The options of `client.patch`. */
export interface PatchOptions extends WriteOptions {
  /**
   * Whether the patch fails with a conflict if the object has changed since it was read. Throws VERSION_REQUIRED for an object without a
   * resourceVersion. A patch function that changes a list always enables this check, because a merge patch replaces the whole list.
   * @default false
   */
  readonly optimistic?: boolean;
}
/** The options of `client.createOrPatch`. If the object does not exist, `optimistic` affects only the patch of the status. */
export interface CreateOrPatchOptions extends PatchOptions {
  /**
   * The owner to set as the controller reference. If the written object has no namespace, it gets the namespace of the owner. An existing
   * object without a controller is adopted. @default none
   */
  readonly owner?: KubeObject;
}
/** The options of `client.patchStatus`. */
export interface PatchStatusOptions extends PatchOptions {
  /**
   * Whether to set `status.observedGeneration` if the kind has this field. Use false if the status does not apply to the current
   * generation, for example after a failure. @default true
   */
  readonly observed?: boolean;
}
/** The options of `client.delete`. */
export interface DeleteOptions extends Pick<WriteOptions, 'dryRun'> {
  /** The policy for deleting the dependents of the object. @default the kind's default: 'Background' for nearly all kinds */
  readonly propagation?: 'Background' | 'Foreground' | 'Orphan';
  /**
   * Whether to delete only the object with the uid of the passed object, and not a recreated object of the same name. Has no effect if the
   * passed object has no uid. @default true if an object is passed
   */
  readonly sameUid?: boolean;
  /** Whether the deletion fails with a conflict if the object has changed since it was read. @default false */
  readonly sameVersion?: boolean;
  /**
   * Whether a deletion of a missing object throws an error for which `isNotFound` returns true. Also throws a conflict if an object with
   * another uid has the same name. @default false
   */
  readonly mustExist?: boolean;
  /** The time for graceful termination in seconds; 0 deletes the object immediately. @default the grace period of the object or its kind */
  readonly gracePeriodSeconds?: number;
}
/** The options of `client.delete` with a kind and a key. */
export type DeleteByKeyOptions = Omit<DeleteOptions, 'sameUid' | 'sameVersion'>;
/** The options of `client.deleteAll`: the selection of the objects, and the options of their deletion. */
export type DeleteAllOptions<T> = Omit<ListOptions<T>, 'limit' | 'ownWrites' | 'signal'> &
  Pick<DeleteOptions, 'dryRun' | 'propagation' | 'gracePeriodSeconds'>;

/** The options of `client.apply`. */
export interface ApplyOptions extends WriteOptions {
  /**
   * The owner to set as the controller reference. If the applied object has no namespace, it gets the namespace of the owner. @default none
   */
  readonly owner?: KubeObject;
  /**
   * Whether to adopt an existing object that has no controller. If false, applying such an object throws an error for which `isNotOwned`
   * returns true. @default false
   */
  readonly adopt?: boolean;
  /**
   * Whether to take ownership of fields from other field managers. If false, a field of another manager causes a conflict. @default true
   * for objects with an owner, else false
   */
  readonly force?: boolean;
  /**
   * Whether the apply fails with a conflict if the object was changed or recreated since it was read. Throws VERSION_REQUIRED for an object
   * without a resourceVersion. @default false: the uid and the resourceVersion of the passed object are ignored
   */
  readonly optimistic?: boolean;
}
/** The options of `client.applyOwned`. */
export interface ApplyOwnedOptions {
  /** Whether to adopt existing objects that have no controller, as in `ApplyOptions`. @default false */
  readonly adopt?: boolean;
  /**
   * Whether to apply a child only if the previous child is ready. The call does not wait: after a child that is not ready, it applies no
   * further children and prunes nothing. `true` uses `isReady`. A function returns whether the passed child is ready. @default false
   */
  readonly inOrder?: boolean | ((child: KubeObject) => boolean);
  /**
   * The name of a set of children. Use a different name for each call of `applyOwned` with the same owner in one reconcile. Each call
   * prunes only its own set. @default 'default'
   */
  readonly set?: string;
  /** Called with each child that was pruned. @default none */
  readonly onPruned?: (child: KubeObject) => void;
}

/**
 * The result of `applyOwned`: the children as the server returned them, in the order of the list. With `inOrder`, children after a child
 * that is not ready are not applied and are undefined.
 */
export type Applied<Children extends readonly KubeObject[], Options> = {
  -readonly [I in keyof Children]: Options extends { readonly inOrder: true | ((child: never) => boolean) }
    ? Children[I] | undefined
    : Children[I];
};
