/** What `createOrPatch` did. */
export interface CreatedOrPatched<T> {
  /** The object as it is now. */
  readonly object: T;
  /** 'updatedStatus' when more than the status was written, too. */
  readonly outcome: 'unchanged' | 'created' | 'updated' | 'updatedStatus' | 'updatedStatusOnly';
}
