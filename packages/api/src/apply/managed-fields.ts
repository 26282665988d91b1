import { KubewrightError } from '../errors/kubewright-error.js';
import { isJsonObject } from '../json/json-object.js';
import { FieldSet } from './field-set.js';
import { decodeFieldsV1, encodeFieldsV1, type FieldsV1 } from './fields-v1.js';

export type Operation = 'Apply' | 'Update';

/** The identity of one entry of `managedFields`. */
export interface Manager {
  readonly manager: string;
  readonly operation: Operation;
  readonly apiVersion: string;
  readonly subresource?: string;
}

/** One entry of `managedFields`, with its fields as a set. */
export interface ManagedEntry extends Manager {
  readonly fields: FieldSet;
  readonly time?: string;
}

/** The entries of an object, keyed by the identity of their manager. */
export type Managers = ReadonlyMap<string, ManagedEntry>;

/**
 * Returns the identity of a manager. The identity of an applier does not contain the version, so an applier that changes its version uses
 * the same entry.
 */
export function managerId({ manager, operation, apiVersion, subresource }: Manager): string {
  const version = operation === 'Apply' ? {} : { apiVersion };
  return JSON.stringify({ manager, operation, ...version, ...(subresource ? { subresource } : {}) });
}

/** Decodes `metadata.managedFields`. Throws `KubewrightError` INVALID_MANAGED_FIELDS or INVALID_JSON. */
export function decodeManagedFields(managedFields: unknown): Managers {
  const managers = new Map<string, ManagedEntry>();
  if (managedFields === undefined || managedFields === null) return managers;
  if (!Array.isArray(managedFields)) throw new KubewrightError('INVALID_MANAGED_FIELDS', 'managedFields is not a list');
  for (const [at, entry] of managedFields.entries()) {
    const decoded = decodeEntry(entry, at);
    managers.set(managerId(decoded), decoded);
  }
  return managers;
}

/**
 * Encodes the entries, sorted by operation, time in seconds, manager, apiVersion and subresource, as Kubernetes sorts them. Returns
 * undefined for an empty list.
 */
export function encodeManagedFields(managers: Managers): readonly object[] | undefined {
  if (managers.size === 0) return undefined;
  return [...managers.values()]
    .toSorted(compareEntries)
    .map((entry) => encodedEntry(entry, encodeFieldsV1(entry.fields)));
}

/** Encodes an entry with its encoded fields. */
export function encodedEntry(
  { time, subresource, manager, operation, apiVersion }: Omit<ManagedEntry, 'fields'>,
  fieldsV1: FieldsV1,
): object {
  return {
    manager,
    operation,
    apiVersion,
    ...(time === undefined ? {} : { time }),
    fieldsType: 'FieldsV1',
    fieldsV1,
    ...(subresource ? { subresource } : {}),
  };
}

/** Returns the object with the given entries as its `metadata.managedFields`. */
export function withManagedFields(object: object, managers: Managers): Record<string, unknown> {
  return withEntries(object, encodeManagedFields(managers));
}

/** Returns the object with the given encoded entries as its `metadata.managedFields`. */
export function withEntries(object: object, managedFields: readonly object[] | undefined): Record<string, unknown> {
  const { metadata, ...rest } = object as Record<string, unknown>;
  const { managedFields: _old, ...fields } = isJsonObject(metadata) ? metadata : {};
  const written = managedFields === undefined ? fields : { ...fields, managedFields };
  const { apiVersion, kind, ...body } = rest;
  return { ...definedOnly({ apiVersion, kind }), metadata: written, ...body };
}

/** Returns the object without its `metadata.managedFields`. */
export function withoutManagedFields(object: object): Record<string, unknown> {
  const copy = { ...(object as Record<string, unknown>) };
  if (!isJsonObject(copy['metadata']) || copy['metadata']['managedFields'] === undefined) return copy;
  const { managedFields: _dropped, ...metadata } = copy['metadata'];
  return { ...copy, metadata };
}

/** Returns the unparsed `metadata.managedFields`. */
export function managedFieldsOf(object: object | undefined): unknown {
  const metadata = (object as Record<string, unknown> | undefined)?.['metadata'];
  return isJsonObject(metadata) ? metadata['managedFields'] : undefined;
}

/**
 * Returns the time of an entry in seconds since the epoch. Returns 0 for an entry without a time, so that the entry counts as the oldest.
 */
export function entrySeconds(entry: ManagedEntry): number {
  return entry.time === undefined ? 0 : Math.floor(Date.parse(entry.time) / 1000);
}

function compareEntries(a: ManagedEntry, b: ManagedEntry): number {
  return (
    compareTexts(a.operation, b.operation) ||
    entrySeconds(a) - entrySeconds(b) ||
    compareTexts(a.manager, b.manager) ||
    compareTexts(a.apiVersion, b.apiVersion) ||
    compareTexts(a.subresource ?? '', b.subresource ?? '')
  );
}

export function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function decodeEntry(entry: unknown, at: number): ManagedEntry {
  if (!isJsonObject(entry))
    throw new KubewrightError('INVALID_MANAGED_FIELDS', `managed fields entry ${at} is not an object`);
  const { manager, operation, apiVersion, subresource, time, fieldsType, fieldsV1 } = entry;
  if (operation !== 'Apply' && operation !== 'Update') {
    throw new KubewrightError('INVALID_MANAGED_FIELDS', 'operation must be `Apply` or `Update`');
  }
  if (typeof apiVersion !== 'string' || apiVersion === '') {
    throw new KubewrightError('INVALID_MANAGED_FIELDS', 'apiVersion must not be empty');
  }
  if (fieldsType !== 'FieldsV1') {
    const what = fieldsType === undefined ? 'missing fieldsType' : `invalid fieldsType ${JSON.stringify(fieldsType)}`;
    throw new KubewrightError('INVALID_MANAGED_FIELDS', `${what} in managed fields entry ${at}`);
  }
  return {
    manager: typeof manager === 'string' ? manager : '',
    operation,
    apiVersion,
    fields: fieldsV1 === undefined ? FieldSet.EMPTY : decodeFieldsV1(fieldsV1),
    ...(typeof subresource === 'string' && subresource !== '' ? { subresource } : {}),
    ...(typeof time === 'string' ? { time } : {}),
  };
}

function definedOnly(record: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));
}
