/** The result of `createOrPatch`. */
export interface CreatedOrPatched<T> {
  /** The object as the server returned it. */
  readonly object: T;
  /**
   * What was written: 'created' for a new object, 'updated' for the object without its status, 'updatedStatusOnly' for only the status,
   * 'updatedStatus' for the object and its status, and 'unchanged' if no write was needed.
   */
  readonly outcome: 'unchanged' | 'created' | 'updated' | 'updatedStatus' | 'updatedStatusOnly';
}
