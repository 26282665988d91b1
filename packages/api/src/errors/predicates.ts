import { KubewrightError } from './kubewright-error.js';

/**
 * Whether a child object was not written because an object of the same name exists and is not owned by the parent. Pass the option `adopt`
 * to take ownership of that object.
 */
export function isNotOwned(error: unknown): error is KubewrightError {
  return error instanceof KubewrightError && error.code === 'NOT_OWNED';
}
/**
 * Whether a child object was not written because an old object of the same name still exists. The old object belongs to a deleted parent of
 * the same name, and the garbage collector has not deleted it yet. A reconcile that throws this error does not fail: the object is requeued
 * automatically.
 */
export function isStaleChild(error: unknown): error is KubewrightError {
  return error instanceof KubewrightError && error.code === 'STALE_CHILD';
}
/** Whether the error is an `AbortError`, or has the code ABORT_ERR. Returns false for a custom reason of `abort(reason)`. */
export function isAborted(error: unknown): boolean {
  return error instanceof Error && (error.name === 'AbortError' || (error as { code?: unknown }).code === 'ABORT_ERR');
}
