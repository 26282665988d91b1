import type { ApiObject } from '../objects/api-object.js';

/** The object to update: as the store contains the object, and in the version of the request. */
export interface Current {
  readonly stored: ApiObject;
  /** The stored object in the version of the request. */
  readonly live: ApiObject;
}

/** A complete and validated update that is not written yet. */
export interface PreparedUpdate {
  /** Whether the object and the quotas that count the update are unchanged since the update was prepared. */
  readonly isCurrent: () => boolean;
  /**
   * Writes the update and returns the object. The caller must call this function in the same step as `isCurrent`. Throws 404 if the server
   * no longer serves the resource, and the ApiError of a last check that refuses the write. Does not write in a dry run.
   */
  readonly write: () => ApiObject;
}

/** Whether `isCurrent` returns true for all updates. */
export function areCurrent(updates: readonly PreparedUpdate[]): boolean {
  return updates.every((update) => update.isCurrent());
}

/** Writes all updates in order. The caller must call this function in the same step as `areCurrent`. */
export function writeAll(updates: readonly PreparedUpdate[]): void {
  for (const update of updates) update.write();
}
