import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Who makes a request. */
export interface User {
  readonly name: string;
  readonly groups: readonly string[];
}

/** The administrator, whose token the kubeconfig holds. */
export const administrator: User = {
  name: 'kubernetes-admin',
  groups: ['system:masters', 'system:authenticated'],
};

/** A token that nobody can guess. */
export function newToken(): string {
  return randomBytes(24).toString('base64url');
}

/** The user of an Authorization header; undefined unless it carries the token. */
export function authenticate(header: string | undefined, token: string): User | undefined {
  const given = /^bearer +(\S+)$/i.exec(header ?? '')?.[1];
  if (given === undefined) return undefined;
  return timingSafeEqual(digest(given), digest(token)) ? administrator : undefined;
}

/** Digests have one length, whatever the tokens have. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
