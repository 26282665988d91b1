import type { User } from '../registry/requests/user.js';

/** An authenticated user and the accepted audiences. */
export interface Authenticated {
  readonly user: User;
  readonly audiences: readonly string[];
}

/** An error for credentials that are unknown, not valid or no longer valid. The message contains the reason. */
export class InvalidCredentialsError extends Error {
  override readonly name = 'InvalidCredentialsError';
}
