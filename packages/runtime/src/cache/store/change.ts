/**
 * A change of an object. `object` is the newest known state. `initial` means that the object is in the first list. `stale` means that there
 * was no deletion event: the event was missed, or the cache no longer selects the object. The object may have changed after the state
 * `object`.
 */
export type Change<T> =
  | { readonly type: 'added'; readonly object: T; readonly initial: boolean }
  | { readonly type: 'modified'; readonly object: T; readonly old: T }
  | { readonly type: 'deleted'; readonly object: T; readonly stale: boolean };
