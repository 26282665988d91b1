import type { KubeObject } from '@kubewright/api';
import type { Change } from '../../cache/store/change.js';

/** The annotation that pauses reconciles of an object: 'true', or the end of the pause, such as '2030-01-31T18:00:00Z'. */
export const PAUSED_ANNOTATION = 'kubewright.dev/paused';

/** The maximum time between two checks of a pause, because the system clock may be adjusted while a timer runs. */
const LONGEST_WAIT_MS = 600_000;
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;

/** The pause of an object. */
export interface Pause {
  /** The value of the annotation. */
  readonly value: string;
  /** The delay until the next check; undefined if only a change of the annotation ends the pause. */
  readonly recheckMs: number | undefined;
  /** Why the value is invalid, as a sentence with the fix. The object stays paused until the value is corrected. */
  readonly problem: string | undefined;
}

/** Returns the current pause of an object; undefined if the annotation is missing, is 'false', or has expired. */
export function pauseOf({ metadata }: KubeObject, now: Date): Pause | undefined {
  const value = metadata.annotations?.[PAUSED_ANNOTATION];
  if (value === undefined || value === 'false') return undefined;
  if (value === 'true') return { value, recheckMs: undefined, problem: undefined };
  const until = TIME.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(until)) return { value, recheckMs: undefined, problem: problemOf(value) };
  const leftMs = until - now.getTime();
  if (leftMs <= 0) return undefined;
  return { value, recheckMs: Math.min(leftMs, LONGEST_WAIT_MS), problem: undefined };
}

/** Whether the change modifies the annotation. Such a change triggers a reconcile regardless of the controller's predicate. */
export function changesPause(change: Change<KubeObject>): boolean {
  if (change.type !== 'modified') return false;
  const { old, object } = change;
  return old.metadata.annotations?.[PAUSED_ANNOTATION] !== object.metadata.annotations?.[PAUSED_ANNOTATION];
}

function problemOf(value: string): string {
  return `annotation ${PAUSED_ANNOTATION} is '${value.slice(0, 64)}', which is not 'true', 'false' or a time such as '2030-01-31T18:00:00Z': not reconciled until the value is corrected`;
}
