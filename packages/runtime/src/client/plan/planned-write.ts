import type { FieldChange } from './field-change.js';

/** The kind and the key of an object in a plan. */
export interface PlannedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  /** The name of the object. If the server would generate the name, `generateName` followed by a number of at least five digits. */
  readonly name: string;
}

/** A write that was planned instead of sent, with the changes that it would make. */
export interface PlannedWrite {
  readonly verb: 'create' | 'update' | 'patch' | 'apply' | 'delete';
  readonly object: PlannedObject;
  /** The subresource of the write. @default the object itself */
  readonly subresource?: string;
  /** The field manager of the write. */
  readonly fieldManager?: string;
  /**
   * What would happen to the object. 'deleting' means that finalizers delay the deletion, and 'deleted' that the object would be deleted.
   */
  readonly result: 'created' | 'changed' | 'unchanged' | 'deleting' | 'deleted';
  /** The changed fields, except fields that only the server writes. Empty if the write would change nothing, and for a deletion. */
  readonly changes: readonly FieldChange[];
}

/** An event that was planned instead of sent. */
export interface PlannedEvent {
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  /** The object that the event is about, such as 'VirtualMachine default/web'. */
  readonly about: string;
}
