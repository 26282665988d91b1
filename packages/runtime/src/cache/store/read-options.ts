/** The options of a read. */
export interface ReadOptions {
  /**
   * Whether the read returns own writes that the watch has not delivered yet. If false, returns only states that the watch has delivered.
   * @default true
   */
  readonly ownWrites?: boolean | undefined;
  /** Aborts the read: the wait for the first list of a kind, or the request of a live read. @default none */
  readonly signal?: AbortSignal | undefined;
}
