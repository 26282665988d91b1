import { KubewrightError } from '../errors/kubewright-error.js';
import { countValues } from '../json/count-values.js';
import { isJsonObject, type JsonObject } from '../json/json-object.js';
import type { StructuralSchema } from '../schema/structural-schema.js';
import { capManagers } from './cap-managers.js';
import { type Comparison, compareValues } from './compare-values.js';
import { createdFields } from './created-fields.js';
import { FieldSet } from './field-set.js';
import {
  decodeManagedFields,
  encodedEntry,
  managedFieldsOf,
  managerId,
  withEntries,
  withManagedFields,
  withoutManagedFields,
  type ManagedEntry,
  type Managers,
} from './managed-fields.js';
import { reconcileFields } from './reconcile-fields.js';
import { finish, type Steps } from './steps.js';
import { takeFields, trackedFields, withoutReset } from './take-fields.js';
import { FieldTypeError } from './type-error.js';
import { UNTRACKED_ROOT } from './untracked-fields.js';
import { type ConvertVersion, type SchemaOf, UnconvertibleError, VersionedAtoms } from './versioned-atoms.js';

/** The maximum number of values of an object whose fields are recorded in one step. */
const MOST_AT_ONCE = 1000;

/** Options of `trackUpdate`, for a write that is not an apply. */
export interface TrackUpdateOptions {
  /** The stored object. Undefined for a create. */
  readonly before: object | undefined;
  /**
   * An object of the kind in which no field is set. The creator of an object does not own a field that has the same value as in this
   * object. @default {}
   */
  readonly empty?: object;
  /** The object to store, possibly with `managedFields` that the client has set. */
  readonly after: object;
  readonly schema: StructuralSchema;
  /** Returns the schema of another version of the kind that a manager of the object used. @default the same schema for all versions */
  readonly schemaOf?: SchemaOf | undefined;
  /**
   * Converts an object to the version of a manager, in steps. @default the versions have the same fields, so objects are not converted
   */
  readonly convert?: ConvertVersion | undefined;
  /** The field manager. An empty name becomes 'unknown'. */
  readonly manager: string;
  /** The written subresource, such as `status`. */
  readonly subresource?: string;
  /**
   * The fields that this endpoint never writes, each as a list of field names: `[['status']]`. These fields do not get an owner. @default
   * []
   */
  readonly resetFields?: readonly (readonly string[])[];
  /** The time of the write in RFC 3339. */
  readonly now: string;
}

/**
 * Returns the object to store with updated `metadata.managedFields`. The manager of the options owns the fields that the write modifies or
 * adds. All other managers lose the fields that the write modifies, adds or removes. If an existing object has no entries, the function
 * does not add an entry. The time of the manager's entry changes only if the write modifies or adds a field. The function does not throw
 * for invalid data. If list items cannot be identified, the function keeps the stored entries. If the object is not valid in the version of
 * the request or of one of its managers, the function removes all entries.
 */
export function trackUpdate(options: TrackUpdateOptions): object {
  return finish(trackUpdateSteps(options));
}

/** Tracks an update in steps. The caller must not change the objects of the options between two steps. */
export function* trackUpdateSteps(options: TrackUpdateOptions): Steps<object> {
  const { before, empty = {}, after, manager, subresource, now } = options;
  const managers = currentManagers(before, after, subresource);
  if (before !== undefined && managers.size === 0) return withManagedFields(after, managers);
  const apiVersion = String((after as Record<string, unknown>)['apiVersion'] ?? '');
  const writer = { manager: manager === '' ? 'unknown' : manager, operation: 'Update', apiVersion } as const;
  const entry = subresource ? { ...writer, subresource } : writer;
  const atoms = new VersionedAtoms(apiVersion, options.schema, options);
  const reset = FieldSet.ofNames(options.resetFields ?? []);
  try {
    const { map } = atoms.own;
    if (before === undefined && isSimple(options) && managers.size === 0 && map !== undefined && !map.atomic) {
      const created = withoutManagedFields(after);
      atoms.check(created);
      const fields = createdFields(created, map);
      return withEntries(after, fields && [encodedEntry({ ...entry, time: now }, fields)]);
    }
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

/** Whether the creator of a new object owns all its tracked fields, and the object is small enough for a single step. */
function isSimple({ empty = {}, after, resetFields = [] }: TrackUpdateOptions): boolean {
  const { metadata = {} } = empty as JsonObject;
  return (
    resetFields.length === 0 &&
    Object.keys(empty).every((field) => UNTRACKED_ROOT.has(field)) &&
    isJsonObject(metadata) &&
    Object.keys(metadata).length === 0 &&
    countValues(after, MOST_AT_ONCE) <= MOST_AT_ONCE
  );
}

export interface ManagersUpdate {
  readonly before: object;
  readonly after: object;
  readonly atoms: VersionedAtoms;
  readonly reset: FieldSet;
  /** The identity of the writer. `fields` and `time` of the entry are ignored. */
  readonly entry: ManagedEntry;
  readonly now: string;
}

/** Returns the managers after an update. Throws `FieldTypeError` and `UnconvertibleError`. */
export function* updateManagers(
  managers: Managers,
  { before, after, atoms, reset, entry, now }: ManagersUpdate,
): Steps<Managers> {
  const [old, next] = [withoutManagedFields(before), withoutManagedFields(after)];
  const all = yield* compareValues(old, next, atoms.own);
  yield;
  const compared = withoutReset(all, reset);
  const known = yield* reconcileManagers(managers, atoms, old);
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
 * Returns the managers with their recorded fields adapted to the current schemas. Throws an `UnconvertibleError` if the object is not valid
 * in the version of one of its managers.
 */
export function* reconcileManagers(managers: Managers, atoms: VersionedAtoms, object: object): Steps<Managers> {
  const known = new Map<string, ManagedEntry>();
  const checked = new Set<string>();
  for (const [id, entry] of managers) {
    const { apiVersion, fields } = entry;
    const atom = atoms.of(apiVersion);
    if (atom !== atoms.own && !checked.has(apiVersion)) {
      atoms.check(yield* atoms.inVersion(object, apiVersion), apiVersion);
      checked.add(apiVersion);
    }
    known.set(id, { ...entry, fields: reconcileFields(fields, atom) });
  }
  return known;
}

/**
 * Returns the managers before the update: the entries that the client sent, or the stored entries if the client sent no entries or invalid
 * entries. An empty list or a single empty entry resets the entries. A write of a subresource ignores the entries that the client sent.
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
