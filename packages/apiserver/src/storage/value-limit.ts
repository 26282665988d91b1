import type { ApiError } from '@kubewright/api/errors';
import { countValues } from '@kubewright/api/json';
import { failure } from './storage-error.js';

/**
 * The maximum number of JSON values in a body, in the result of a patch and in a stored object. A pass over this number of values takes a
 * few milliseconds, so a request does not block other requests for long. A kube-apiserver does not have such a limit.
 */
export const mostValues = 65_536;
/**
 * The number of values below the limit that writes of clients cannot use. The reserve allows the server to mark the object for deletion,
 * and a client to send the marked object back.
 */
const reservedValues = 16;

/** Throws 413 if `values` exceeds `mostValues`. */
export function checkCount(values: number): void {
  if (values > mostValues) throw tooManyValues();
}

/** Throws 413 if a JSON value contains more than `mostValues` values, including the value itself. */
export function checkValues(value: unknown): void {
  checkCount(countValues(value, mostValues));
}

/**
 * Throws 413 if an object that a client writes has more values than `mostValues` minus the reserve. An object with a deletionTimestamp can
 * use the reserve. An object without a resourceVersion can have one value less, because the store adds the resourceVersion.
 */
export function checkWrittenValues(object: { readonly metadata: object }): void {
  const { metadata } = object;
  // Each stored object has a resourceVersion, so the limit of an object without a resourceVersion is one value lower.
  const reserve = ('deletionTimestamp' in metadata ? 0 : reservedValues) + ('resourceVersion' in metadata ? 0 : 1);
  const most = mostValues - reserve;
  if (countValues(object, most) > most) throw tooManyValues();
}

/** Returns a function that counts the values of its arguments. The function throws 413 if the total of all calls exceeds `mostValues`. */
export function valueBudget(): (value: unknown) => void {
  let left = mostValues;
  return (value) => {
    left -= countValues(value, left);
    if (left < 0) throw tooManyValues();
  };
}

/** Returns the 413 error for more than `mostValues` values. */
export function tooManyValues(): ApiError {
  return failure(413, 'RequestEntityTooLarge', `Request entity too large: limit is ${mostValues} values`);
}
