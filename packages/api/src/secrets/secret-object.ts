import { isJsonObject } from '../json/json-object.js';

/** Whether a value is a Secret of the core group. If the value has no `apiVersion`, only the kind is checked. */
export function isSecretObject(value: unknown): boolean {
  return isOfCoreKind(value, 'Secret');
}

/** Whether a value is a list of Secrets. The items in a list from the API server do not have a `kind`. */
export function isSecretList(value: unknown): boolean {
  return isOfCoreKind(value, 'SecretList');
}

function isOfCoreKind(value: unknown, kind: string): boolean {
  if (!isJsonObject(value) || value['kind'] !== kind) return false;
  return value['apiVersion'] === undefined || value['apiVersion'] === 'v1';
}
