import type { WriteFence } from '../transport/request/write-fence.js';
import type { ObjectReference } from './object-reference.js';

/** A single occurrence of an event, as recorded. */
export interface Occurrence {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly action: string;
  readonly note: string;
  readonly regarding: ObjectReference;
  readonly related: ObjectReference | undefined;
  readonly annotations: Readonly<Record<string, string>> | undefined;
  /** The reporting component, such as the name of a controller. */
  readonly reportingController: string;
  /** The process of the reporting component. */
  readonly reportingInstance: string;
  readonly at: Date;
  /** The write fence of the reconcile that recorded the occurrence. */
  readonly fence?: WriteFence | undefined;
}

/** Returns a key that is equal for two occurrences of the same event. */
export function occurrenceKey(one: Occurrence): string {
  const { type, reason, action, note, regarding, related, reportingController, reportingInstance } = one;
  const said = [type, reason, action, note, regarding, related, reportingController, reportingInstance];
  return JSON.stringify([...said, one.fence !== undefined]);
}
/** Returns a key that is equal for similar occurrences, which differ only in note, action, related object and field path. */
export function similarityKey(one: Occurrence): string {
  const { type, reason, regarding, reportingController, reportingInstance } = one;
  const { fieldPath: _fieldPath, ...object } = regarding;
  return JSON.stringify([type, reason, object, reportingController, reportingInstance, one.fence !== undefined]);
}
/** Returns the key of the spam budget: the type, the object and the reporting process. */
export function budgetKey(one: Occurrence): string {
  const { type, regarding, reportingController, reportingInstance } = one;
  const { fieldPath: _fieldPath, ...object } = regarding;
  return JSON.stringify([type, object, reportingController, reportingInstance]);
}
