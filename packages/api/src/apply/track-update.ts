import { KubewrightError } from '../errors/kubewright-error.js';
import { isJsonObject } from '../json/json-object.js';
import type { StructuralSchema } from '../schema/structural-schema.js';
import { rootAtom, type Atom } from './atom.js';
import { capManagers } from './cap-managers.js';
import { compareValues } from './compare-values.js';
import { FieldSet } from './field-set.js';
import {
  decodeManagedFields,
  managedFieldsOf,
  managerId,
  withManagedFields,
  withoutManagedFields,
  type ManagedEntry,
  type Managers,
} from './managed-fields.js';
import { reconcileFields } from './reconcile-fields.js';
import { takeFields, trackedFields, withoutReset } from './take-fields.js';
import { FieldTypeError } from './type-error.js';

/** What `trackUpdate` needs to know of a write that is not an apply. */
export interface TrackUpdateOptions {
  /** The stored object; undefined for a create. */
  readonly before: object | undefined;
  /** What an object of the kind is before anything is set: nobody owns a field for being as it is here. @default {} */
  readonly empty?: object;
  /** The object that is about to be stored; its `managedFields` may be what the client sent. */
  readonly after: object;
  readonly schema: StructuralSchema;
  /** The field manager. @default 'unknown' when empty */
  readonly manager: string;
  /** The subresource that is written, such as `status`. */
  readonly subresource?: string;
  /** Fields this endpoint never writes, by their names (`[['status']]`): no one comes to own them. @default [] */
  readonly resetFields?: readonly (readonly string[])[];
  /** The time of the write, RFC 3339. */
  readonly now: string;
}

/**
 * The object to store, with `metadata.managedFields` kept: the updater owns what it changed and added, others lose what
 * was changed or removed. The entry's time moves only when something of the updater's changed. Never throws for odd data:
 * where an object does not fit its schema, the entries stay as they were.
 */
export function trackUpdate(options: TrackUpdateOptions): object {
  const { before, empty = {}, after, manager, subresource, now } = options;
  const managers = currentManagers(before, after, subresource);
  if (before !== undefined && managers.size === 0) return withManagedFields(after, managers);
  const apiVersion = String((after as Record<string, unknown>)['apiVersion'] ?? '');
  const writer = { manager: manager === '' ? 'unknown' : manager, operation: 'Update', apiVersion } as const;
  const entry = subresource ? { ...writer, subresource } : writer;
  const atom = rootAtom(options.schema);
  const reset = FieldSet.ofNames(options.resetFields ?? []);
  try {
    const update = { before: before ?? empty, after, atom, reset, now, entry: { ...entry, fields: FieldSet.EMPTY } };
    return withManagedFields(after, capManagers(updateManagers(managers, update)));
  } catch (error) {
    if (!(error instanceof FieldTypeError)) throw error;
    return withManagedFields(after, readManagers(managedFieldsOf(before)));
  }
}

export interface ManagersUpdate {
  readonly before: object;
  readonly after: object;
  readonly atom: Atom;
  readonly reset: FieldSet;
  /** The writer; its fields and time are those it gets when it has none yet. */
  readonly entry: ManagedEntry;
  readonly now: string;
}

/** The managers after an update. Throws `FieldTypeError`. */
export function updateManagers(
  managers: Managers,
  { before, after, atom, reset, entry, now }: ManagersUpdate,
): Managers {
  const all = compareValues(withoutManagedFields(before), withoutManagedFields(after), atom);
  const compared = withoutReset(all, reset);
  const known = reconcileManagers(managers, atom);
  const left = takeFields(known, compared, { writer: '', force: true });
  const own = trackedFields(compared.modified.union(compared.added));
  if (own.isEmpty) return left;
  const id = managerId(entry);
  const fields = own.union(left.get(id)?.fields ?? FieldSet.EMPTY);
  left.set(id, { ...entry, fields, time: now });
  return left;
}

/** The recorded sets fitted to the schema of today. */
export function reconcileManagers(managers: Managers, atom: Atom): Managers {
  return new Map([...managers].map(([id, entry]) => [id, { ...entry, fields: reconcileFields(entry.fields, atom) }]));
}

/**
 * The entries that count: those the client sent, else the stored ones. An empty list or one empty entry resets them; a
 * subresource cannot set them.
 */
function currentManagers(before: object | undefined, after: object, subresource: string | undefined): Managers {
  const stored = () => readManagers(managedFieldsOf(before));
  const sent = managedFieldsOf(after);
  if (subresource || sent === undefined || sent === null) return stored();
  if (isReset(sent)) return new Map();
  const managers = readManagers(sent);
  return managers.size > 0 ? managers : stored();
}

function isReset(managedFields: unknown): boolean {
  if (!Array.isArray(managedFields) || managedFields.length > 1) return false;
  const [only] = managedFields as readonly unknown[];
  return managedFields.length === 0 || (isJsonObject(only) && Object.keys(only).length === 0);
}

function readManagers(managedFields: unknown): Managers {
  try {
    return decodeManagedFields(managedFields);
  } catch (error) {
    if (error instanceof KubewrightError) return new Map();
    throw error;
  }
}
