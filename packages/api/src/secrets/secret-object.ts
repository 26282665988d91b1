import { isJsonObject } from '../json/json-object.js';

/** Returns whether a value is a Secret of the core group. A value without an `apiVersion` is judged by its kind. */
export function isSecretObject(value: unknown): boolean {
  return isOfCoreKind(value, 'Secret');
}

/** Returns whether a value is a list of Secrets. API servers leave out the `kind` of its items. */
export function isSecretList(value: unknown): boolean {
  return isOfCoreKind(value, 'SecretList');
}

function isOfCoreKind(value: unknown, kind: string): boolean {
  if (!isJsonObject(value) || value['kind'] !== kind) return false;
  return value['apiVersion'] === undefined || value['apiVersion'] === 'v1';
}
