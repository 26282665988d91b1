import { ApiError, type StatusDetails } from '@kubewright/api/errors';
import type { ObjectKey } from './api-object.js';

/** Returns the 404 error for an object that does not exist: `configmaps "a" not found`. `bucket` is `group/plural`. */
export function notFound(bucket: string, name: string): ApiError {
  const { label, details } = named(bucket, name);
  return failure(404, 'NotFound', `${label} "${name}" not found`, details);
}

/** Returns the 409 error for a create of an object whose name already exists. */
export function alreadyExists(bucket: string, name: string): ApiError {
  const { label, details } = named(bucket, name);
  return failure(409, 'AlreadyExists', `${label} "${name}" already exists`, details);
}

/** Returns the 409 error for a write that is based on an older version of the object. */
export function modifiedMeanwhile(bucket: string, { name }: ObjectKey): ApiError {
  const { label, details } = named(bucket, name);
  const advice = 'the object has been modified; please apply your changes to the latest version and try again';
  return failure(409, 'Conflict', `Operation cannot be fulfilled on ${label} "${name}": ${advice}`, details);
}

/**
 * Returns the 410 error for a version whose events were compacted. `oldest` is the last compacted version, which is the oldest version from
 * which a watch can start.
 */
export function expired(requested: number, oldest: number): ApiError {
  return failure(410, 'Expired', `too old resource version: ${requested} (${oldest})`);
}

function named(bucket: string, name: string): { label: string; details: StatusDetails } {
  const slash = bucket.indexOf('/');
  const group = bucket.slice(0, slash);
  const plural = bucket.slice(slash + 1);
  return group === ''
    ? { label: plural, details: { name, kind: plural } }
    : { label: `${plural}.${group}`, details: { name, group, kind: plural } };
}

/** Returns an ApiError with the given HTTP status code. An empty `reason` is omitted from the Status. */
export function failure(code: number, reason: string, message: string, details?: StatusDetails): ApiError {
  return new ApiError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    ...(reason === '' ? {} : { reason }),
    ...(details === undefined ? {} : { details }),
    code,
  });
}
