import { type FieldError, fieldErrors } from '@kubewright/api/schema';
import { age } from '../age.js';
import { type ApiObject, isObject, objectAt, stringAt } from '../json-object.js';
import type { Strategy } from '../strategy.js';
import { base64Bytes, immutabilityErrors, keyErrors, largestDataBytes } from './config-map.js';

const requiredKeys: Readonly<Record<string, readonly string[]>> = {
  'kubernetes.io/tls': ['tls.crt', 'tls.key'],
  'kubernetes.io/dockerconfigjson': ['.dockerconfigjson'],
  'kubernetes.io/dockercfg': ['.dockercfg'],
  'kubernetes.io/ssh-auth': ['ssh-privatekey'],
};
const accountAnnotation = 'kubernetes.io/service-account.name';

/** Secrets: stringData is written into data and never read back; the type never changes. */
export const secretStrategy: Partial<Strategy> = {
  selectableFields: ['type'],
  defaults: (draft) => {
    draft['type'] ||= 'Opaque';
    const { stringData } = draft as { stringData?: unknown };
    if (!isObject(stringData)) return;
    const data = { ...objectAt(draft, 'data') };
    for (const [key, text] of Object.entries(stringData)) data[key] = Buffer.from(String(text)).toString('base64');
    draft['data'] = data;
    delete draft['stringData'];
  },
  validate: (secret) => {
    const data = objectAt(secret, 'data');
    const errors = keyErrors(data, 'data');
    if (base64Bytes(data) > largestDataBytes) errors.push(fieldErrors.tooLong('data', largestDataBytes));
    return [...errors, ...typeErrors(secret)];
  },
  validateUpdate: (next, old) => {
    const errors = [...immutabilityErrors(next, old, ['data'])];
    const type = stringAt(next, 'type');
    if (type !== stringAt(old, 'type')) errors.unshift(fieldErrors.invalid('type', type, 'field is immutable'));
    return errors;
  },
  cells: (secret, now) => [
    secret.metadata.name,
    stringAt(secret, 'type'),
    Object.keys(objectAt(secret, 'data')).length,
    age(secret.metadata.creationTimestamp, now),
  ],
};

function typeErrors(secret: ApiObject): readonly FieldError[] {
  const type = stringAt(secret, 'type');
  const data = objectAt(secret, 'data');
  const errors = (requiredKeys[type] ?? [])
    .filter((key) => !(key in data))
    .map((key) => fieldErrors.required(`data[${key}]`));
  if (type === 'kubernetes.io/service-account-token' && !secret.metadata.annotations?.[accountAnnotation]) {
    errors.push(fieldErrors.required(`metadata.annotations[${accountAnnotation}]`));
  }
  if (type === 'kubernetes.io/basic-auth' && !('username' in data) && !('password' in data)) {
    errors.push(fieldErrors.required('data[username]'), fieldErrors.required('data[password]'));
  }
  return errors;
}
