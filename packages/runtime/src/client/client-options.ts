import type { KubeObject } from '@kubewright/api';

export interface PatchOptions {
  /** Refuse with a conflict when the object changed since it was read. Always so when the patch touches an atomic list. @default false */
  readonly optimistic?: boolean;
}
export interface DeleteOptions {
  readonly propagation?: 'Background' | 'Foreground' | 'Orphan';
  /** Only this very object, not a later one of the same name. @default true when an object is passed */
  readonly sameUid?: boolean;
  readonly gracePeriodSeconds?: number;
}
export interface ApplyOptions {
  /** Becomes the controller reference, and gives its namespace to an object that names none. */
  readonly owner?: KubeObject;
  /** Take over an object of that name which nobody controls. Without it, applying one is an error that `isNotOwned` knows. @default false */
  readonly adopt?: boolean;
  /** Take fields over from other writers. @default true for objects with an owner, else false */
  readonly force?: boolean;
}
export interface ApplyOwnedOptions {
  /** As in `ApplyOptions`. @default false */
  readonly adopt?: boolean;
  /** Apply the next child only when the one before `isReady`. @default false */
  readonly inOrder?: boolean;
  /** Names one of several sets of children of the same owner; each prunes its own. @default 'default' */
  readonly set?: string;
  /** Called for each child that was removed. */
  readonly onPruned?: (child: KubeObject) => void;
}

/** What `applyOwned` returns: the children as the server has them, in the order in which they were wanted. */
export type Applied<Children extends readonly KubeObject[], Options> = {
  -readonly [I in keyof Children]: Options extends { readonly inOrder: true } ? Children[I] | undefined : Children[I];
};
