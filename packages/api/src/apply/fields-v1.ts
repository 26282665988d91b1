import { KubewrightError } from '../errors/kubewright-error.js';
import { isJsonObject } from '../json/json-object.js';
import { FieldSet } from './field-set.js';
import { parsePathElement, sortedIds, type PathElement } from './path-element.js';

/** A field set in the format of `metadata.managedFields[].fieldsV1`. */
export type FieldsV1 = { readonly [key: string]: FieldsV1 };

/**
 * Encodes a set in the order of Kubernetes. The entry of a field that is a member and also has members below it starts with the key `.`.
 */
export function encodeFieldsV1(set: FieldSet): FieldsV1 {
  return encode(set, false);
}

/** Decodes a set. Throws `KubewrightError` INVALID_MANAGED_FIELDS or INVALID_JSON. */
export function decodeFieldsV1(fields: unknown): FieldSet {
  if (!isJsonObject(fields)) throw new KubewrightError('INVALID_MANAGED_FIELDS', 'fieldsV1 is not an object');
  const members = new Map<string, PathElement>();
  const children = new Map<string, { element: PathElement; set: FieldSet }>();
  for (const [key, below] of Object.entries(fields)) {
    if (key === '.') continue;
    const element = parsePathElement(key);
    if (!isJsonObject(below))
      throw new KubewrightError('INVALID_MANAGED_FIELDS', `the value of ${key} in fieldsV1 is not an object`);
    const set = decodeFieldsV1(below);
    if (set.isEmpty || Object.hasOwn(below, '.')) members.set(element.id, element);
    if (!set.isEmpty) children.set(element.id, { element, set });
  }
  return new FieldSet(members, children);
}

function encode(set: FieldSet, self: boolean): FieldsV1 {
  const elements = [...set.members.values()];
  for (const [id, { element }] of set.children) if (!set.members.has(id)) elements.push(element);
  const fields: Record<string, FieldsV1> = self && elements.length > 0 ? { '.': {} } : {};
  for (const id of sortedIds(elements)) {
    const child = set.children.get(id);
    fields[id] = child === undefined ? {} : encode(child.set, set.members.has(id));
  }
  return fields;
}
