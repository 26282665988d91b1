import { append, parseJson } from '@kubewright/api/json';
import { type FieldError, fieldErrors } from '@kubewright/api/schema';
import { age } from '../../objects/age.js';
import type { ApiObject } from '../../objects/api-object.js';
import { isObject, madeAt, nameTable, objectAt, stringAt } from '../../objects/json-object.js';
import type { Strategy } from '../../definitions/strategy.js';
import { countedByName } from '../../quota/quota-rules.js';
import { base64Bytes, immutabilityErrors, keyErrors, largestDataBytes } from './config-map.js';

const requiredKeys = nameTable<readonly string[]>({
  'kubernetes.io/tls': ['tls.crt', 'tls.key'],
  'kubernetes.io/dockerconfigjson': ['.dockerconfigjson'],
  'kubernetes.io/dockercfg': ['.dockercfg'],
  'kubernetes.io/ssh-auth': ['ssh-privatekey'],
});
const accountAnnotation = 'kubernetes.io/service-account.name';

/** The strategy for Secrets. `stringData` is written into `data` and is not returned. The type is immutable. */
export const secretStrategy: Partial<Strategy> = {
  ownRules: true,
  quotaRules: countedByName('secrets'),
  metadataRules: { validatesAgain: true },
  selectableFields: ['type'],
  defaults: (draft) => {
    draft['type'] ||= 'Opaque';
    const { stringData } = draft as { stringData?: unknown };
    if (!isObject(stringData)) return;
    const data = madeAt(draft, 'data');
    for (const [key, text] of Object.entries(stringData)) data[key] = Buffer.from(String(text)).toString('base64');
    delete draft['stringData'];
  },
  validate: secretErrors,
  validateUpdate: (next, old) => {
    const errors = [...immutabilityErrors(next, old, ['data'])];
    const type = stringAt(next, 'type');
    if (type !== stringAt(old, 'type')) errors.unshift(fieldErrors.invalid('type', type, 'field is immutable'));
    return [...errors, ...secretErrors(next)];
  },
  cells: (secret, now) => [
    secret.metadata.name,
    stringAt(secret, 'type'),
    Object.keys(objectAt(secret, 'data')).length,
    age(secret.metadata.creationTimestamp, now),
  ],
};

function secretErrors(secret: ApiObject): readonly FieldError[] {
  const data = objectAt(secret, 'data');
  const errors = keyErrors(data, 'data');
  if (base64Bytes(data) > largestDataBytes) errors.push(fieldErrors.tooLong('data', largestDataBytes));
  return [...errors, ...typeErrors(secret)];
}

function typeErrors(secret: ApiObject): readonly FieldError[] {
  const type = stringAt(secret, 'type');
  const data = objectAt(secret, 'data');
  const errors = (requiredKeys[type] ?? [])
    .filter((key) => data[key] === undefined || (type === 'kubernetes.io/ssh-auth' && data[key] === ''))
    .map((key) => fieldErrors.required(`data[${key}]`));
  const [json] = type.startsWith('kubernetes.io/dockerc') ? (requiredKeys[type] ?? []) : [];
  if (json !== undefined && errors.length === 0) append(errors, jsonErrors(String(data[json]), `data[${json}]`));
  if (type === 'kubernetes.io/service-account-token' && !secret.metadata.annotations?.[accountAnnotation]) {
    errors.push(fieldErrors.required(`metadata.annotations[${accountAnnotation}]`));
  }
  if (type === 'kubernetes.io/basic-auth' && !('username' in data) && !('password' in data)) {
    errors.push(fieldErrors.required('data[username]'), fieldErrors.required('data[password]'));
  }
  return errors;
}

/** Returns the error of contents that are neither a JSON object nor null. The error does not show the contents. */
function jsonErrors(base64: string, path: string): readonly FieldError[] {
  const refused = (why: string): readonly FieldError[] => [
    fieldErrors.invalid(path, '<secret contents redacted>', why),
  ];
  const text = Buffer.from(base64, 'base64').toString();
  if (text.trim() === '') return refused('unexpected end of JSON input');
  try {
    const value: unknown = parseJson(text);
    if (isObject(value) || value === null) return [];
    const found = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
    return refused(`json: cannot unmarshal ${found} into Go value of type map[string]interface {}`);
  } catch (error) {
    return refused(error instanceof Error ? error.message : String(error));
  }
}
