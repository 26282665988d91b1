import { KubewrightError } from './kubewright-error.js';

/** Whether a child object of that name already exists and is not owned by the parent. Pass `adopt` to take ownership of the child. */
export function isNotOwned(error: unknown): error is KubewrightError {
  return error instanceof KubewrightError && error.code === 'NOT_OWNED';
}
/**
 * Whether a child object of that name belongs to an earlier owner of the same name and waits for garbage collection. A reconcile that
 * throws this error does not fail: the object is requeued automatically.
 */
export function isStaleChild(error: unknown): error is KubewrightError {
  return error instanceof KubewrightError && error.code === 'STALE_CHILD';
}
/** Whether the error reports only that the signal was aborted. */
export function isAborted(error: unknown): boolean {
  return error instanceof Error && (error.name === 'AbortError' || (error as { code?: unknown }).code === 'ABORT_ERR');
}
