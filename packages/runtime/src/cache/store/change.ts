/**
 * A change of an object. `object` is the newest known state. `initial` means that the object is in the first list. `stale` means that the
 * cache received no deletion event: the watch missed the event, or the cache no longer selects the object. `object` can then be older than
 * the last state of the object.
 */
export type Change<T> =
  | { readonly type: 'added'; readonly object: T; readonly initial: boolean }
  | { readonly type: 'modified'; readonly object: T; readonly old: T }
  | { readonly type: 'deleted'; readonly object: T; readonly stale: boolean };
