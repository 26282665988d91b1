import type { WriteFence } from '../transport/write-fence.js';
import type { ObjectReference } from './object-reference.js';

/** Something that happened once, as a recorder was told. */
export interface Occurrence {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly action: string;
  readonly note: string;
  readonly regarding: ObjectReference;
  readonly related: ObjectReference | undefined;
  readonly annotations: Readonly<Record<string, string>> | undefined;
  /** Who says so, such as the name of a controller. */
  readonly reportingController: string;
  /** Which process of that controller. */
  readonly reportingInstance: string;
  readonly at: Date;
  /** What the writes of the work that recorded it pass. */
  readonly fence?: WriteFence | undefined;
}

/** What makes two occurrences ones of the same event. */
export function occurrenceKey(one: Occurrence): string {
  const { type, reason, action, note, regarding, related, reportingController, reportingInstance } = one;
  const said = [type, reason, action, note, regarding, related, reportingController, reportingInstance];
  return JSON.stringify([...said, one.fence !== undefined]);
}
/** What makes two occurrences similar: all that is not their own text. */
export function similarityKey(one: Occurrence): string {
  const { type, reason, regarding, reportingController, reportingInstance } = one;
  const { fieldPath: _fieldPath, ...object } = regarding;
  return JSON.stringify([type, reason, object, reportingController, reportingInstance, one.fence !== undefined]);
}
/** What shares a budget: all that is of one type, of one object, and said by one source. */
export function budgetKey(one: Occurrence): string {
  const { type, regarding, reportingController, reportingInstance } = one;
  const { fieldPath: _fieldPath, ...object } = regarding;
  return JSON.stringify([type, object, reportingController, reportingInstance]);
}
