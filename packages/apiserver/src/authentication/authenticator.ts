import { createHash, timingSafeEqual } from 'node:crypto';
import { anonymous, authenticatedGroup, unauthenticatedGroup, type User } from '../registry/requests/user.js';
import { type Authenticated, InvalidCredentialsError } from './authenticated.js';
import { serverAudiences, type ServiceAccountTokens } from './service-account-tokens.js';

/** The credentials of a request. */
export interface Credentials {
  /** The Authorization header. */
  readonly authorization: string | undefined;
  /**
   * The user of the client certificate; 'invalid' for a certificate that is not accepted; undefined if the client sent no certificate with
   * a user name.
   */
  readonly certificate: User | 'invalid' | undefined;
}

/** Authenticates requests by client certificate or by bearer token. A request without credentials is anonymous. */
export class Authenticator {
  readonly #tokens: readonly { readonly digest: Buffer; readonly user: User }[];
  readonly #accounts: ServiceAccountTokens;

  /** @param tokens the user of each bearer token. These tokens do not expire */
  constructor(tokens: Readonly<Record<string, User>>, accounts: ServiceAccountTokens) {
    this.#tokens = Object.entries(tokens).map(([token, user]) => ({ digest: digest(token), user }));
    this.#accounts = accounts;
  }

  /**
   * Returns the user of an accepted client certificate, or otherwise the user of the bearer token, or otherwise the anonymous user. Throws
   * InvalidCredentialsError if the bearer token is unknown or not valid, and for an invalid certificate without a bearer token.
   */
  authenticate({ authorization, certificate }: Credentials): User {
    if (typeof certificate === 'object') return withGroup(certificate);
    const token = bearerToken(authorization);
    if (token !== undefined) return this.token(token, serverAudiences).user;
    if (certificate === 'invalid')
      throw new InvalidCredentialsError(
        'the client certificate is expired or not valid yet, is not for clients, or has no trusted issuer',
      );
    return anonymous;
  }

  /**
   * Returns the user of a token and the accepted audiences. A configured token is valid for all audiences. Throws InvalidCredentialsError
   * if the token is unknown. Also throws this error for a ServiceAccount token that is not valid, or not valid for any of the audiences.
   */
  token(token: string, audiences: readonly string[]): Authenticated {
    const desired = digest(token);
    const known = this.#tokens.find((each) => timingSafeEqual(each.digest, desired));
    const found = known === undefined ? this.#account(token, audiences) : { user: known.user, audiences };
    if (found === undefined) throw new InvalidCredentialsError('invalid bearer token');
    return { ...found, user: withGroup(found.user) };
  }

  #account(token: string, audiences: readonly string[]): Authenticated | undefined {
    try {
      return this.#accounts.authenticate(token, audiences);
    } catch (error) {
      if (!(error instanceof InvalidCredentialsError)) throw error;
      throw new InvalidCredentialsError(`[invalid bearer token, ${error.message}]`);
    }
  }
}

/**
 * Returns a warning if the Authorization header has extra space before the bearer token, because the server ignores such a header. Returns
 * undefined otherwise.
 */
export function headerWarning(header: string | undefined): string | undefined {
  if (!/^bearer {2}/i.test((header ?? '').trim())) return undefined;
  return 'the provided Authorization header contains extra space before the bearer token, and is ignored';
}

/** Returns the bearer token of an Authorization header. Returns undefined for other schemes, which the server ignores. */
function bearerToken(header: string | undefined): string | undefined {
  const [scheme = '', token = ''] = (header ?? '').trim().split(' ');
  return scheme.toLowerCase() === 'bearer' && token !== '' ? token : undefined;
}

function withGroup(user: User): User {
  const { groups } = user;
  if (groups.includes(authenticatedGroup) || groups.includes(unauthenticatedGroup)) return user;
  return { ...user, groups: [...groups, authenticatedGroup] };
}

/** Hashes a token, so that all compared values have the same length. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
