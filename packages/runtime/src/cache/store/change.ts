/** A change of an object. `object` is the newest known state. */
export type Change<T> =
  | { readonly type: 'added'; readonly object: T; readonly initial: boolean }
  | { readonly type: 'modified'; readonly object: T; readonly old: T }
  | { readonly type: 'deleted'; readonly object: T; readonly stale: boolean };
