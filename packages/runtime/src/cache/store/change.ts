/**
 * A change of an object. `object` is the newest known state. `initial` means that the object is in the first list. `stale` means that the
 * deletion event was missed, so that the object may have changed before its deletion.
 */
export type Change<T> =
  | { readonly type: 'added'; readonly object: T; readonly initial: boolean }
  | { readonly type: 'modified'; readonly object: T; readonly old: T }
  | { readonly type: 'deleted'; readonly object: T; readonly stale: boolean };
