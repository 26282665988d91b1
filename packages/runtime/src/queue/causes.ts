import type { Cause, CauseKind } from './cause.js';

const MOST_CAUSES = 8;
const MOST_PATHS = 10;
const TIMERS: ReadonlySet<CauseKind> = new Set(['requeue', 'retry', 'conflict', 'every', 'resumed']);

/**
 * Adds a cause to the causes of a key. If there is a cause with the same kind and source, merges the changed paths. Keeps only the first
 * `MOST_CAUSES` causes and `MOST_PATHS` paths.
 */
export function addCause(causes: Cause[], cause: Cause): void {
  const at = causes.findIndex((known) => known.kind === cause.kind && known.source === cause.source);
  const known = causes[at];
  if (known === undefined) {
    if (causes.length < MOST_CAUSES) causes.push(cause);
    return;
  }
  if (cause.changedPaths === undefined || cause.changedPaths === known.changedPaths) return;
  const paths = new Set([...(known.changedPaths ?? []), ...cause.changedPaths]);
  causes[at] = { ...known, changedPaths: [...paths].slice(0, MOST_PATHS) };
}

/** Same as `addCause`, but also accepts the empty list of a key without causes, which must not change. Returns the list with the cause. */
export function withCause(causes: readonly Cause[], cause: Cause): readonly Cause[] {
  if (causes.length === 0) return [cause];
  addCause(causes as Cause[], cause);
  return causes;
}

/** Whether a cause reports only that a time has come, and not that an object has changed. Examples are retries and periodic reconciles. */
export function isTimerCause({ kind }: Cause): boolean {
  return TIMERS.has(kind);
}

/** Returns a description of a cause, such as 'modified spec.image', 'owned Deployment default/web' or 'retry (attempt 3)'. */
export function describeCause(cause: Cause): string {
  const words: string[] = [cause.attempt === undefined ? cause.kind : `${cause.kind} (attempt ${cause.attempt})`];
  if (cause.source !== undefined) words.push(cause.source);
  if (cause.changedPaths !== undefined && cause.changedPaths.length > 0) words.push(cause.changedPaths.join(', '));
  return words.join(' ');
}
