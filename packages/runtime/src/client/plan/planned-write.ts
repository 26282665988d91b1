import type { FieldChange } from './field-changes.js';

/** An object that a plan tells of. */
export interface PlannedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  /** Of an object whose name the server would make, `generateName` and five zeros or more. */
  readonly name: string;
}

/** One write that was not sent, and what it would have changed. */
export interface PlannedWrite {
  readonly verb: 'create' | 'update' | 'patch' | 'apply' | 'delete';
  readonly object: PlannedObject;
  /** @default the object itself */
  readonly subresource?: string;
  /** The name of the writer in managed fields. */
  readonly fieldManager?: string;
  /** What becomes of the object: it is new, goes on, waits for its finalizers, or is gone. */
  readonly leaves: 'created' | 'changed' | 'unchanged' | 'deleting' | 'gone';
  /** Without what only the server writes. Empty for a write that would change nothing, and for a deletion. */
  readonly changes: readonly FieldChange[];
}

/** An event that was not sent. */
export interface PlannedEvent {
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  /** What it is about: 'VirtualMachine default/web'. */
  readonly about: string;
}
