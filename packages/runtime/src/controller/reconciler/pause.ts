import type { KubeObject } from '@kubewright/api';
import type { Clock } from '@kubewright/api/clock';
import type { Change } from '../../cache/store/change.js';

/** The annotation that pauses the reconciles of an object. The value is 'true', or the end of the pause, such as '2030-01-31T18:00:00Z'. */
export const PAUSED_ANNOTATION = 'kubewright.dev/paused';

/**
 * The maximum time between two checks of a pause in milliseconds. Longer timers are split, because the system clock can be adjusted in the
 * meantime.
 */
const LONGEST_WAIT_MS = 600_000;
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;

/** The pause of an object, as its annotation requests it. */
export interface Pause {
  /** The value of the annotation. */
  readonly value: string;
  /** The time until the next check in milliseconds. Undefined if the pause ends only when the annotation changes. */
  readonly recheckMs: number | undefined;
  /** Why the value of the annotation is invalid, as a sentence with the fix. The object is paused until the value is corrected. */
  readonly problem: string | undefined;
}

/** Returns the current pause of an object. Returns undefined if the annotation is missing, is 'false', or has expired. */
export function pauseOf({ metadata }: KubeObject, clock: Pick<Clock, 'now'>): Pause | undefined {
  const value = metadata.annotations?.[PAUSED_ANNOTATION];
  if (value === undefined || value === 'false') return undefined;
  if (value === 'true') return { value, recheckMs: undefined, problem: undefined };
  const until = TIME.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(until)) return { value, recheckMs: undefined, problem: problemOf(value) };
  const leftMs = until - clock.now().getTime();
  if (leftMs <= 0) return undefined;
  return { value, recheckMs: Math.min(leftMs, LONGEST_WAIT_MS), problem: undefined };
}

/** Whether a change modifies the pause annotation. Such a change always triggers a reconcile, even if `when` returns false. */
export function changesPause(change: Change<KubeObject>): boolean {
  if (change.type !== 'modified') return false;
  const { old, object } = change;
  return old.metadata.annotations?.[PAUSED_ANNOTATION] !== object.metadata.annotations?.[PAUSED_ANNOTATION];
}

function problemOf(value: string): string {
  return `annotation ${PAUSED_ANNOTATION} is '${value.slice(0, 64)}', which is not 'true', 'false' or a time such as '2030-01-31T18:00:00Z': the object is not reconciled until the value is corrected`;
}
