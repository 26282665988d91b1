import type { User } from '../registry/user.js';

/** Somebody who has shown who they are, and to which audiences. */
export interface Authenticated {
  readonly user: User;
  readonly audiences: readonly string[];
}

/** Credentials that are known, and do not hold (any more). The message says why. */
export class InvalidCredentialsError extends Error {
  override readonly name = 'InvalidCredentialsError';
}
