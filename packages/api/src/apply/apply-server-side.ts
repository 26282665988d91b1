import { stringAt } from '../json/value-at.js';
import { KubewrightError } from '../errors/kubewright-error.js';
import { isJsonObject } from '../json/json-object.js';
import { deepEqual } from '../patch/deep-equal.js';
import { limitErrors } from '../schema/limit-errors.js';
import type { StructuralSchema } from '../schema/structural-schema.js';
import { ApplyConflictError } from './apply-conflict-error.js';
import { ApplyError } from './apply-error.js';
import { valueErrors, valueErrorText } from './value-errors.js';
import { type Comparison, compareValues } from './compare-values.js';
import { FieldSet } from './field-set.js';
import { fieldsOfLastApplied, withLastApplied } from './last-applied.js';
import {
  decodeManagedFields,
  managedFieldsOf,
  managerId,
  withManagedFields,
  withoutManagedFields,
  type ManagedEntry,
  type Managers,
} from './managed-fields.js';
import { mergeValues } from './merge-values.js';
import { ownedFields } from './owned-fields.js';
import { pruneFields } from './prune-fields.js';
import { takeFields, trackedFields, withoutReset } from './take-fields.js';
import { reconcileManagers, updateManagers } from './track-update.js';
import { finish, type Steps } from './steps.js';
import { FieldTypeError } from './type-error.js';
import type { Atom } from './atom.js';
import { type ConvertVersion, type SchemaOf, UnconvertibleError, VersionedAtoms } from './versioned-atoms.js';

/** Options of `applyServerSide`. */
export interface ApplyServerSideOptions {
  /** The stored object. Undefined if the apply creates the object. */
  readonly live: object | undefined;
  /**
   * An object of the kind in which no field is set. The manager `before-first-apply` does not own a field that has the same value as in
   * this object. @default {}
   */
  readonly empty?: object;
  /** The applied object, with `apiVersion` and `kind`, without `metadata.managedFields`. */
  readonly applied: object;
  /** The schema of the whole object. */
  readonly schema: StructuralSchema;
  /** Returns the schema of another version of the kind that a manager of the object used. @default the same schema for all versions */
  readonly schemaOf?: SchemaOf | undefined;
  /**
   * Converts an object to the version of a manager, in steps. @default the versions have the same fields, so objects are not converted
   */
  readonly convert?: ConvertVersion | undefined;
  /** The field manager. An empty name becomes 'unknown'. */
  readonly manager: string;
  /** Whether the manager takes ownership of fields of other managers instead of failing with a conflict. */
  readonly force: boolean;
  readonly subresource?: string;
  /**
   * The fields that this endpoint never writes, each as a list of field names: `[['status']]`. These fields do not get an owner. @default
   * []
   */
  readonly resetFields?: readonly (readonly string[])[];
  /** The time of the write in RFC 3339. */
  readonly now: string;
  /**
   * Called before the merge with a lower bound of the number of JSON values in the object: the applied fields and their entries in
   * managedFields. The function can throw to stop the apply.
   */
  readonly onOwned?: (leastValues: number) => void;
}

interface Apply extends ApplyServerSideOptions {
  readonly atoms: VersionedAtoms;
  readonly reset: FieldSet;
  readonly before: Record<string, unknown>;
  readonly entry: ManagedEntry;
}

/**
 * Returns the live object merged with the applied object according to the list and map types of the schema. Removes fields that this
 * manager applied earlier and no longer applies, and that no other manager owns. Updates `metadata.managedFields`. Does not apply defaults
 * and does not validate. A repeated apply of the same object changes nothing, including times. Throws `ApplyConflictError` (409) or
 * `ApplyError` (400, 500).
 */
export function applyServerSide(options: ApplyServerSideOptions): { readonly object: object } {
  return finish(applyServerSideSteps(options));
}

/** Runs a server-side apply in steps. The caller must not change the objects of the options between two steps. */
export function* applyServerSideSteps(options: ApplyServerSideOptions): Steps<{ readonly object: object }> {
  const { live, empty = {}, applied, schema } = options;
  if (managedFieldsOf(applied) !== undefined) throw new ApplyError(400, 'metadata.managedFields must be nil');
  const apiVersion = String((applied as Record<string, unknown>)['apiVersion'] ?? '');
  const atoms = new VersionedAtoms(apiVersion, schema, options);
  checkApplied(applied, atoms.own);
  yield;
  const before = withoutManagedFields(live ?? empty);
  const apply = {
    ...options,
    atoms,
    before,
    entry: entryOf(options),
    reset: FieldSet.ofNames(options.resetFields ?? []),
  };
  try {
    const managers = decodeManagedFields(managedFieldsOf(live));
    yield;
    const tracked = managers.size > 0 ? managers : yield* beforeFirstApply(apply);
    const { object, managers: after } = yield* mergeOrTakeOver(apply, yield* reconcileManagers(tracked, atoms, before));
    yield;
    return { object: withManagedFields(withLastApplied(object, options), after) };
  } catch (error) {
    throw explained(error);
  }
}

/** Assigns the fields that exist before the first apply to the manager `before-first-apply`. */
function* beforeFirstApply({ before, empty = {}, atoms, reset, entry, now }: Apply): Steps<Managers> {
  checkConverted(before, atoms);
  const first = { ...entry, manager: 'before-first-apply', operation: 'Update', fields: FieldSet.EMPTY } as const;
  return yield* updateManagers(new Map(), { before: empty, after: before, atoms, reset, entry: first, now });
}

/**
 * Merges the applied object. If the manager is kubectl, fields that kubectl applied on the client side do not cause a conflict. If all
 * conflicts are in such fields, the function merges again with force. Otherwise, the error contains only the conflicts in other fields.
 */
function* mergeOrTakeOver(apply: Apply, managers: Managers): Steps<Merged> {
  try {
    return yield* merge(apply, managers);
  } catch (error) {
    if (!(error instanceof ApplyConflictError) || apply.manager !== 'kubectl') throw error;
    const own = yield* fieldsOfLastApplied(apply.before, apply.atoms.own);
    const others = error.conflicts.filter(({ field }) => !own.has(field));
    if (others.length > 0) throw others.length === error.conflicts.length ? error : new ApplyConflictError(others);
    return yield* merge({ ...apply, force: true }, managers);
  }
}

interface Merged {
  readonly object: Record<string, unknown>;
  readonly managers: Managers;
}

function* merge(apply: Apply, managers: Managers): Steps<Merged> {
  const { before, applied, atoms, reset, force, now } = apply;
  const atom = atoms.own;
  const writer = managerId(apply.entry);
  const previous = managers.get(writer);
  const fields = ownedFields(applied, atom).recursiveDifference(reset);
  apply.onOwned?.(fields.leastValues);
  const claimed = new Map(managers).set(writer, { ...apply.entry, fields });
  yield;
  const merged = mergeValues(before, applied, atom);
  yield;
  const pruned =
    previous === undefined ? merged : yield* pruneFields(merged, { atoms, last: previous, managers: claimed });
  const object = isJsonObject(pruned) ? { ...pruned } : {};
  yield;
  const comparison = atoms.comparison(before, object, yield* compareValues(before, object, atom));
  yield;
  const compare = function* (version: string): Steps<Comparison> {
    return withoutReset(yield* comparison(version), reset);
  };
  const after = yield* takeFields(claimed, compare, { writer, force });
  const tracked = trackedFields(fields);
  // A manager that only becomes an owner of existing values does not change the object, so the time of its entry is not updated.
  const time = deepEqual(before, object) ? previous?.time : now;
  if (tracked.isEmpty) after.delete(writer);
  else after.set(writer, { ...apply.entry, fields: tracked, ...(time === undefined ? {} : { time }) });
  return { object, managers: after };
}

function entryOf({ applied, manager, subresource }: ApplyServerSideOptions): ManagedEntry {
  const apiVersion = String((applied as Record<string, unknown>)['apiVersion'] ?? '');
  const who = { manager: manager === '' ? 'unknown' : manager, operation: 'Apply', apiVersion } as const;
  return { ...who, fields: FieldSet.EMPTY, ...(subresource ? { subresource } : {}) };
}

/**
 * Throws an `ApplyError` if the stored object is not valid in the version of the request. The owners of its fields cannot be determined in
 * that case.
 */
function checkConverted(before: object, atoms: VersionedAtoms): void {
  try {
    atoms.check(before);
  } catch (error) {
    if (!(error instanceof UnconvertibleError)) throw error;
    const why = `failed to convert new object (${objectText(before)}) to smd typed: ${error.message}`;
    throw new ApplyError(500, `failed to create manager for existing fields: ${why}`);
  }
}

function checkApplied(applied: object, atom: Atom): void {
  const errors = limitErrors(valueErrors(applied, atom), valueErrorText).texts;
  if (errors.length === 0) return;
  const text = errors.length === 1 ? errors[0] : ['errors:', ...errors.map((error) => `  ${error}`)].join('\n');
  throw new ApplyError(500, `failed to create typed patch object (${objectText(applied)}): ${text}`);
}

function explained(error: unknown): unknown {
  if (error instanceof UnconvertibleError) return new ApplyError(500, error.message);
  if (error instanceof FieldTypeError) return new ApplyError(500, `failed to merge config: ${error.message}`);
  if (error instanceof KubewrightError && (error.code === 'INVALID_MANAGED_FIELDS' || error.code === 'INVALID_JSON')) {
    return new ApplyError(500, `failed to decode managed fields: ${error.message}`);
  }
  return error;
}

function objectText(object: object): string {
  const version = stringAt(object, 'apiVersion');
  const place = `${stringAt(object, 'metadata', 'namespace')}/${stringAt(object, 'metadata', 'name')}`;
  return `${place}; ${version.includes('/') ? version : `/${version}`}, Kind=${stringAt(object, 'kind')}`;
}
