import type { ApiObject } from '../objects/api-object.js';
import { failure } from '../requests/status-errors.js';

/** Throws 500 for a new object with a resourceVersion. Ignores zero and texts that are not numbers. */
export function rejectVersion(version = ''): void {
  if (!/^0*[1-9]\d*$/.test(version)) return;
  throw failure(500, '', { message: 'resourceVersion should not be set on objects to be created' });
}

/** Returns the response to a dry-run create, with the resourceVersion that the client sent. */
export function dryRunAnswer(object: ApiObject, resourceVersion: string | undefined): ApiObject {
  return resourceVersion === undefined ? object : { ...object, metadata: { ...object.metadata, resourceVersion } };
}
