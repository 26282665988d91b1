import type { FieldChange } from './field-change.js';

/** An object of a plan. */
export interface PlannedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  /** The name. For an object whose name the server would generate, `generateName` and a number of at least five digits. */
  readonly name: string;
}

/** One write that was not sent, and the changes that the write would make. */
export interface PlannedWrite {
  readonly verb: 'create' | 'update' | 'patch' | 'apply' | 'delete';
  readonly object: PlannedObject;
  /** @default the object itself */
  readonly subresource?: string;
  /** The field manager of the write. */
  readonly fieldManager?: string;
  /** The state of the object after the write. 'deleting' means that finalizers delay the deletion. */
  readonly leaves: 'created' | 'changed' | 'unchanged' | 'deleting' | 'gone';
  /** The changes, without fields that only the server writes. Empty for a write that would change nothing, and for a deletion. */
  readonly changes: readonly FieldChange[];
}

/** An event that was not sent. */
export interface PlannedEvent {
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  /** The object of the event: 'VirtualMachine default/web'. */
  readonly about: string;
}
