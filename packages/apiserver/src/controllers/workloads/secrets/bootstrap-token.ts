import type { ApiObject } from '../../../registry/objects/api-object.js';
import { stringAt } from '../../../registry/objects/json-object.js';

/** The namespace of the Secrets with bootstrap tokens. */
export const tokenNamespace = 'kube-system';
const tokenType = 'bootstrap.kubernetes.io/token';

/** Whether the Secret contains a bootstrap token. */
export function isBootstrapToken(secret: ApiObject): boolean {
  return secret['type'] === tokenType && secret.metadata.namespace === tokenNamespace;
}

/** Returns a value in the data of a Secret as text. Returns '' if the value is missing. */
export function dataOf(secret: ApiObject, key: string): string {
  return Buffer.from(stringAt(secret, 'data', key), 'base64').toString('utf8');
}

/** Returns the milliseconds until a token expires: Infinity without an expiration, and 0 for an invalid expiration. */
export function expiresInMs(secret: ApiObject, now: Date): number {
  const expiration = dataOf(secret, 'expiration');
  if (expiration === '') return Infinity;
  const leftMs = Date.parse(expiration) - now.getTime();
  return Number.isNaN(leftMs) ? 0 : Math.max(0, leftMs);
}
