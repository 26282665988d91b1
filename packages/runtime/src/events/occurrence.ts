import type { WriteFence } from '../transport/request/write-fence.js';
import type { ObjectReference } from './object-reference.js';

/** A single occurrence of an event, as a recorder received it. */
export interface Occurrence {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly action: string;
  readonly note: string;
  readonly regarding: ObjectReference;
  readonly related: ObjectReference | undefined;
  readonly annotations: Readonly<Record<string, string>> | undefined;
  /** The component that reports the event, such as the name of a controller. */
  readonly reportingController: string;
  /** The instance of the component that reports the event: its name and the host name. */
  readonly reportingInstance: string;
  readonly at: Date;
  /** Checks before the event is sent whether the reconcile that recorded the event may still write. */
  readonly fence?: WriteFence | undefined;
}

/** Returns a key that is the same for all occurrences of an event. */
export function occurrenceKey(one: Occurrence): string {
  const { type, reason, action, note, regarding, related, reportingController, reportingInstance } = one;
  const fields = [type, reason, action, note, regarding, related, reportingController, reportingInstance];
  return JSON.stringify([...fields, one.fence !== undefined]);
}
/**
 * Returns a key that is the same for similar occurrences. Such occurrences can differ in note, action, related object, field path and
 * annotations.
 */
export function similarityKey(one: Occurrence): string {
  const { type, reason, regarding, reportingController, reportingInstance } = one;
  const { fieldPath: _fieldPath, ...object } = regarding;
  return JSON.stringify([type, reason, object, reportingController, reportingInstance, one.fence !== undefined]);
}
/**
 * Returns the key for the spam budget of an occurrence. Occurrences with the same type, object and reporting instance have the same key.
 */
export function budgetKey(one: Occurrence): string {
  const { type, regarding, reportingController, reportingInstance } = one;
  const { fieldPath: _fieldPath, ...object } = regarding;
  return JSON.stringify([type, object, reportingController, reportingInstance]);
}
