import type { ApiObject } from '../objects/api-object.js';

/**
 * Converts the objects of a custom resource with a webhook, to and from the version of one definition. The methods reject with an ApiError
 * if the webhook cannot convert an object.
 */
export interface VersionConversion {
  /** The apiVersion in which new objects are stored. */
  readonly storedVersion: string;
  /** Whether `fromStored` of the definition returns the object without a call of the webhook. */
  readonly isRead: (stored: ApiObject) => boolean;
  /**
   * Converts stored objects so that `fromStored` returns them. Converts only objects that are not converted yet. Up to 500 objects share a
   * call, and callers that need the same object share a call. If the conversion of some objects fails, the other objects are still
   * converted, and the promise rejects.
   */
  readonly read: (stored: readonly ApiObject[]) => Promise<void>;
  /** Converts a stored object even if it has been converted before, as a kube-apiserver does for a GET. */
  readonly readAgain: (stored: ApiObject) => Promise<ApiObject>;
  /** Converts an object of this version to the version in which it is stored. */
  readonly toStored: (object: ApiObject) => Promise<ApiObject>;
  /** Converts an object for the comparison of managed fields. The result has all fields that the webhook returned. */
  readonly convert: (object: ApiObject, apiVersion: string) => Promise<ApiObject>;
}
