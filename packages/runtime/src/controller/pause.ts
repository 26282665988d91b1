import type { KubeObject } from '@kubewright/api';
import type { Change } from '../cache/change.js';

/** The annotation by which an object asks to be left alone: 'true', or the time until when, as in '2030-01-31T18:00:00Z'. */
export const PAUSED_ANNOTATION = 'kubewright.dev/paused';

/** A pause is looked at again after so long at the latest, since clocks are put right while timers wait. */
const LONGEST_WAIT_MS = 600_000;
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;

/** The wish of an object to be left alone. */
export interface Pause {
  /** What the annotation says. */
  readonly value: string;
  /** When to look again; undefined where only another value ends the pause. */
  readonly recheckMs: number | undefined;
  /** Why the value means nothing, in a sentence with the cure; the object is left alone until it is put right. */
  readonly problem: string | undefined;
}

/** The pause of an object at this moment; undefined when it has none, one that says 'false', or one that is over. */
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

/** Whether the change touches the annotation: such a one counts whatever the controller's predicate says of it. */
export function changesPause(change: Change<KubeObject>): boolean {
  if (change.type !== 'modified') return false;
  const { old, object } = change;
  return old.metadata.annotations?.[PAUSED_ANNOTATION] !== object.metadata.annotations?.[PAUSED_ANNOTATION];
}

function problemOf(value: string): string {
  return `the annotation ${PAUSED_ANNOTATION} is '${value.slice(0, 64)}', which is neither 'true' nor 'false' nor a time such as '2030-01-31T18:00:00Z': left alone until it is put right`;
}
