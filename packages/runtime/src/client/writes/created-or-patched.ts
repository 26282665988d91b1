/** The result of `createOrPatch`. */
export interface CreatedOrPatched<T> {
  /** The resulting object. */
  readonly object: T;
  /**
   * What was written: 'created' for a new object, 'updated' for the object without its status, 'updatedStatusOnly' for the status,
   * 'updatedStatus' for both, and 'unchanged' for nothing.
   */
  readonly outcome: 'unchanged' | 'created' | 'updated' | 'updatedStatus' | 'updatedStatusOnly';
}
