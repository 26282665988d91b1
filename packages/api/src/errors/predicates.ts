import { KubewrightError } from './kubewright-error.js';

/** A child of that name is there already and is not ours; pass `adopt` to take it over. */
export function isNotOwned(error: unknown): error is KubewrightError {
  return error instanceof KubewrightError && error.code === 'NOT_OWNED';
}
/**
 * A child of that name belongs to an older life of its owner, and waits to be collected. Of a reconcile that throws it, it is no
 * error: the object comes again by itself.
 */
export function isOfOlderLife(error: unknown): error is KubewrightError {
  return error instanceof KubewrightError && error.code === 'OF_OLDER_LIFE';
}
/** Whether the error only says that the signal was aborted. */
export function isAborted(error: unknown): boolean {
  return error instanceof Error && (error.name === 'AbortError' || (error as { code?: unknown }).code === 'ABORT_ERR');
}
