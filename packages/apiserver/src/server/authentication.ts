import { randomBytes } from 'node:crypto';

/** Returns a new random token of 24 bytes, in base64url. */
export function newToken(): string {
  return randomBytes(24).toString('base64url');
}
