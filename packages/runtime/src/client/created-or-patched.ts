/** The result of `createOrPatch`. */
export interface CreatedOrPatched<T> {
  /** The resulting object. */
  readonly object: T;
  /** 'updatedStatus' if more than the status was written, 'updatedStatusOnly' otherwise. */
  readonly outcome: 'unchanged' | 'created' | 'updated' | 'updatedStatus' | 'updatedStatusOnly';
}
