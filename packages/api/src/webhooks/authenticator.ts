import { recordAuthenticator } from './record-webhook.js';
import type { AuthenticatorOptions } from './webhook-options.js';

/** The request of the API server to verify a token. */
export interface AuthenticationContext {
  /** The API server accepts tokens that have at least one of these audiences. Empty if the API server accepts any audience. */
  readonly audiences: readonly string[];
  /** Aborted if the API server no longer waits for the response. */
  readonly signal: AbortSignal;
}

/** The user of a valid token. */
export interface AuthenticatedUser {
  readonly name: string;
  /** The UID of the user. @default no UID */
  readonly uid?: string;
  /** The groups of the user. @default none */
  readonly groups?: readonly string[];
  /** Additional information for authorizers and admission webhooks. The keys are in lower case. @default none */
  readonly extra?: Readonly<Record<string, readonly string[]>>;
  /**
   * The audiences of the token that are also in `context.audiences`. Without this field, the API server assumes that the token is valid for
   * its own audiences.
   */
  readonly audiences?: readonly string[];
}

/** Verifies bearer tokens for the API server. */
export interface Authenticator {
  /**
   * Returns the user of a token, or undefined if the token is not valid. An error is reported to the API server, which then also rejects
   * the token. The token is never logged.
   */
  authenticate(
    token: string,
    context: AuthenticationContext,
  ): AuthenticatedUser | undefined | Promise<AuthenticatedUser | undefined>;
}

/**
 * Declares a class as a webhook that verifies bearer tokens: the API server sends a TokenReview for each token that it does not know. Add
 * the class to the manager. The file in the option `--authentication-token-webhook-config-file` of the API server contains the URL of the
 * webhook. No object in the cluster configures this webhook. Throws INVALID_WEBHOOK if an option is not valid.
 *
 * @example
 * @Authenticator()
 * class DirectoryAuthenticator implements Authenticator {
 *   constructor(private readonly directory: Directory) {}
 *   async authenticate(token: string, { signal }: AuthenticationContext): Promise<AuthenticatedUser | undefined> {
 *     const person = await this.directory.find(token, signal);
 *     return person && { name: person.login, groups: person.teams };
 *   }
 * }
 */
export function Authenticator(
  options: AuthenticatorOptions = {},
): (target: new (...services: never[]) => Authenticator) => void {
  return (target) => recordAuthenticator(target, options);
}
