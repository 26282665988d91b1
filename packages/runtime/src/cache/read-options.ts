/** How something is read from the cache. */
export interface ReadOptions {
  /** Whether our own writes are seen before the watch has brought them. `false` reads what the watch alone has brought. @default true */
  readonly ownWrites?: boolean | undefined;
  /** Ends the wait for the first objects of a kind, or the request of a live read. @default none */
  readonly signal?: AbortSignal | undefined;
}
