import type { ApiObject } from '../objects/api-object.js';

/** The state of the object that an update changes. */
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
   * Writes the update and returns the object. The caller must call this function in the same step as `isCurrent`. Throws 404 if the
   * resource is not served any more, and the ApiError of a last check. Does not write in a dry run.
   */
  readonly write: () => ApiObject;
}

/** Whether all updates are current. */
export function areCurrent(updates: readonly PreparedUpdate[]): boolean {
  return updates.every((update) => update.isCurrent());
}

/** Writes all updates. */
export function writeAll(updates: readonly PreparedUpdate[]): void {
  for (const update of updates) update.write();
}
