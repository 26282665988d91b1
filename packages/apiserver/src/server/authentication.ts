import { randomBytes } from 'node:crypto';

/** A token that nobody can guess. */
export function newToken(): string {
  return randomBytes(24).toString('base64url');
}
