import { KubewrightError } from '../errors/kubewright-error.js';
import { isJsonObject } from '../json/json-object.js';
import type { StructuralSchema } from '../schema/structural-schema.js';
import { capManagers } from './cap-managers.js';
import { type Comparison, compareValues } from './compare-values.js';
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
import { finish, type Steps } from './steps.js';
import { takeFields, trackedFields, withoutReset } from './take-fields.js';
import { FieldTypeError } from './type-error.js';
import { type SchemaOf, UnconvertibleError, VersionedAtoms } from './versioned-atoms.js';

/** What `trackUpdate` needs to know of a write that is not an apply. */
export interface TrackUpdateOptions {
  /** The stored object; undefined for a create. */
  readonly before: object | undefined;
  /** What an object of the kind is before anything is set: nobody owns a field for being as it is here. @default {} */
  readonly empty?: object;
  /** The object that is about to be stored; its `managedFields` may be what the client sent. */
  readonly after: object;
  readonly schema: StructuralSchema;
  /** The schemas of the other versions that managers know the object in. @default the one schema in all of them */
  readonly schemaOf?: SchemaOf | undefined;
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
 * where items of lists cannot be told apart, the entries stay as they were; where the object is none of the version in
 * which one of its managers knows it, all of them are forgotten.
 */
export function trackUpdate(options: TrackUpdateOptions): object {
  return finish(trackUpdateSteps(options));
}

/** Does the same in steps. The objects must not change between the steps. */
export function* trackUpdateSteps(options: TrackUpdateOptions): Steps<object> {
  const { before, empty = {}, after, manager, subresource, now } = options;
  const managers = currentManagers(before, after, subresource);
  if (before !== undefined && managers.size === 0) return withManagedFields(after, managers);
  const apiVersion = String((after as Record<string, unknown>)['apiVersion'] ?? '');
  const writer = { manager: manager === '' ? 'unknown' : manager, operation: 'Update', apiVersion } as const;
  const entry = subresource ? { ...writer, subresource } : writer;
  const atoms = new VersionedAtoms(apiVersion, options.schema, options.schemaOf);
  const reset = FieldSet.ofNames(options.resetFields ?? []);
  try {
    const update = { before: before ?? empty, after, atoms, reset, now, entry: { ...entry, fields: FieldSet.EMPTY } };
    atoms.check(withoutManagedFields(update.after));
    atoms.check(withoutManagedFields(update.before));
    yield;
    const updated = capManagers(yield* updateManagers(managers, update));
    yield;
    return withManagedFields(after, updated);
  } catch (error) {
    if (error instanceof UnconvertibleError) return withManagedFields(after, new Map());
    if (!(error instanceof FieldTypeError)) throw error;
    return withManagedFields(after, readManagers(managedFieldsOf(before)));
  }
}

export interface ManagersUpdate {
  readonly before: object;
  readonly after: object;
  readonly atoms: VersionedAtoms;
  readonly reset: FieldSet;
  /** The writer; its fields and time are those it gets when it has none yet. */
  readonly entry: ManagedEntry;
  readonly now: string;
}

/** The managers after an update. Throws `FieldTypeError` and `UnconvertibleError`. */
export function* updateManagers(
  managers: Managers,
  { before, after, atoms, reset, entry, now }: ManagersUpdate,
): Steps<Managers> {
  const [old, next] = [withoutManagedFields(before), withoutManagedFields(after)];
  const all = yield* compareValues(old, next, atoms.own);
  yield;
  const compared = withoutReset(all, reset);
  const known = reconcileManagers(managers, atoms, old);
  const comparison = atoms.comparison(old, next, all);
  const compare = function* (version: string): Steps<Comparison> {
    return withoutReset(yield* comparison(version), reset);
  };
  const left = yield* takeFields(known, compare, { writer: '', force: true });
  const own = trackedFields(compared.modified.union(compared.added));
  if (own.isEmpty) return left;
  const id = managerId(entry);
  const fields = own.union(left.get(id)?.fields ?? FieldSet.EMPTY);
  left.set(id, { ...entry, fields, time: now });
  return left;
}

/**
 * The recorded sets fitted to the schemas of today. Throws an `UnconvertibleError` when the object is none of a version in
 * which one of its managers knows it.
 */
export function reconcileManagers(managers: Managers, atoms: VersionedAtoms, object: object): Managers {
  const known = [...managers].map(([id, entry]) => {
    const atom = atoms.of(entry.apiVersion);
    if (atom !== atoms.own) atoms.check(object, entry.apiVersion);
    return [id, { ...entry, fields: reconcileFields(entry.fields, atom) }] as const;
  });
  return new Map(known);
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
