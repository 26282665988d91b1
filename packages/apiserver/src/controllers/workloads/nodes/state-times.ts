import type { Clock } from '@kubewright/api/clock';
import type { JsonDraft } from '../../../registry/objects/api-object.js';
import { objectAt, stringAt } from '../../../registry/objects/json-object.js';

/**
 * If the time in a status is older than this at the first observation, the state existed before this process observed the state. A smaller
 * age can result from the precision of the times in a status, which are whole seconds.
 */
const precisionMs = 2000;

/** The times at which objects entered their current states. These times are exact, while times in a status are whole seconds. */
export class StateTimes {
  readonly #clock: Clock;
  readonly #since = new Map<string, Map<string, { readonly state: string; readonly sinceMs: number }>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns the milliseconds since a container of the Pod with this uid has its current state. */
  containerMs(uid: string, status: JsonDraft): number {
    const [kind = ''] = Object.keys(objectAt(status, 'state'));
    const ended = stringAt(status, 'lastState', 'terminated', 'finishedAt');
    const stamp =
      stringAt(status, 'state', 'running', 'startedAt') || stringAt(status, 'state', 'terminated', 'finishedAt');
    const reason = stringAt(status, 'state', 'waiting', 'reason');
    const state = `${kind} ${reason} ${String(status['restartCount'])} ${stamp}`;
    return this.elapsedMs(uid, { part: stringAt(status, 'name'), state, stamp: stamp || ended });
  }

  /**
   * Returns the milliseconds since a part of an object has a state. The time of a state starts with the first call, or at the time in
   * `stamp` if the state existed before this process observed it.
   */
  elapsedMs(
    uid: string,
    { part, state, stamp }: { readonly part: string; readonly state: string; readonly stamp: string },
  ): number {
    const nowMs = this.#clock.monotonicMs();
    const parts = this.#since.get(uid) ?? new Map<string, { readonly state: string; readonly sinceMs: number }>();
    this.#since.set(uid, parts);
    const known = parts.get(part);
    if (known?.state === state) return nowMs - known.sinceMs;
    const ageMs = stamp === '' ? 0 : this.#clock.now().getTime() - Date.parse(stamp);
    const elapsedMs = ageMs > precisionMs ? ageMs : 0;
    parts.set(part, { state, sinceMs: nowMs - elapsedMs });
    return elapsedMs;
  }

  /** Removes the times of an object. */
  forget(uid: string): void {
    this.#since.delete(uid);
  }
}
