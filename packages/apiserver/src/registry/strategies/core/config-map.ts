import { append } from '@kubewright/api/json';
import { deepEqual } from '@kubewright/api/patch';
import { type FieldError, fieldErrors } from '@kubewright/api/schema';
import { age } from '../../objects/age.js';
import type { ApiObject } from '../../objects/api-object.js';
import { objectAt } from '../../objects/json-object.js';
import type { Strategy } from '../../definitions/strategy.js';
import { countedByName } from '../../quota/quota-rules.js';

const keyRule =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or " +
  "'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";
const longestKey = 253;
const usualKey = /^[-_a-zA-Z0-9][-._a-zA-Z0-9]*$/;
/** The maximum total size of the values of a ConfigMap or Secret, in bytes. */
export const largestDataBytes = 1024 * 1024;

/** The strategy for ConfigMaps. Each key must be valid as a file name. The data of an immutable ConfigMap cannot change. */
export const configMapStrategy: Partial<Strategy> = {
  ownRules: true,
  quotaRules: countedByName('configmaps'),
  metadataRules: { validatesAgain: true },
  allowCreateOnUpdate: false,
  validate: configMapErrors,
  validateUpdate: (next, old) => [...immutabilityErrors(next, old, ['data', 'binaryData']), ...configMapErrors(next)],
  cells: (configMap, now) => [
    configMap.metadata.name,
    Object.keys(objectAt(configMap, 'data')).length + Object.keys(objectAt(configMap, 'binaryData')).length,
    age(configMap.metadata.creationTimestamp, now),
  ],
};

function configMapErrors(configMap: ApiObject): readonly FieldError[] {
  const data = objectAt(configMap, 'data');
  const binaryData = objectAt(configMap, 'binaryData');
  const errors = keyErrors(data, 'data');
  for (const key of Object.keys(data)) {
    if (!Object.hasOwn(binaryData, key)) continue;
    errors.push(fieldErrors.invalid(`data[${key}]`, key, 'duplicate of key present in binaryData'));
  }
  append(errors, keyErrors(binaryData, 'binaryData'));
  const bytes = textBytes(data) + base64Bytes(binaryData);
  if (bytes > largestDataBytes) errors.push({ ...fieldErrors.tooLong('', largestDataBytes), field: '[]' });
  return errors;
}

/** Returns the errors of the keys of ConfigMap or Secret data. */
export function keyErrors(data: object, path: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const key of Object.keys(data)) {
    // A key of this form is valid. Most keys have this form, so the detailed rules rarely run.
    if (key.length <= longestKey && usualKey.test(key)) continue;
    for (const why of keyTextErrors(key)) errors.push(fieldErrors.invalid(`${path}[${key}]`, key, why));
  }
  return errors;
}

/** Returns the error texts of a key of a ConfigMap or Secret. */
export function keyTextErrors(key: string): readonly string[] {
  const errors: string[] = [];
  if (key.length > longestKey) errors.push(`must be no more than ${longestKey} characters`);
  if (!/^[-._a-zA-Z0-9]+$/.test(key)) errors.push(keyRule);
  if (key === '.') errors.push("must not be '.'");
  else if (key === '..') errors.push("must not be '..'");
  else if (key.startsWith('..')) errors.push("must not start with '..'");
  return errors;
}

/**
 * Returns an error for each of the `fields` that an update changes in an object with `immutable: true`, and for the removal of `immutable`.
 */
export function immutabilityErrors(next: ApiObject, old: ApiObject, fields: readonly string[]): readonly FieldError[] {
  if (old['immutable'] !== true) return [];
  const why = 'field is immutable when `immutable` is set';
  const changed = fields.filter((field) => !deepEqual(objectAt(next, field), objectAt(old, field)));
  if (next['immutable'] !== true) changed.unshift('immutable');
  return changed.map((field) => fieldErrors.forbidden(field, why));
}

/** Returns the total number of bytes of base64 values after decoding. */
export function base64Bytes(data: object): number {
  return Object.values(data).reduce((sum: number, value) => sum + Buffer.byteLength(String(value), 'base64'), 0);
}

function textBytes(data: object): number {
  let bytes = 0;
  for (const value of Object.values(data)) bytes += Buffer.byteLength(String(value));
  return bytes;
}
