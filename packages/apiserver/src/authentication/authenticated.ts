import type { User } from '../registry/user.js';

/** An authenticated user and the accepted audiences. */
export interface Authenticated {
  readonly user: User;
  readonly audiences: readonly string[];
}

/** An error for known credentials that are not valid or no longer valid. The message has the reason. */
export class InvalidCredentialsError extends Error {
  override readonly name = 'InvalidCredentialsError';
}
