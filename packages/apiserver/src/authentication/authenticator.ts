import { createHash, timingSafeEqual } from 'node:crypto';
import { anonymous, authenticatedGroup, unauthenticatedGroup, type User } from '../registry/user.js';
import { type Authenticated, InvalidCredentialsError } from './authenticated.js';
import { serverAudiences, type ServiceAccountTokens } from './service-account-tokens.js';

/** What a request shows of who makes it. */
export interface Credentials {
  /** The Authorization header. */
  readonly authorization: string | undefined;
  /** The user of the client certificate; 'invalid' for one that does not hold. */
  readonly certificate: User | 'invalid' | undefined;
}

/** Finds out who makes a request: by client certificate, by token, or else nobody in particular. */
export class Authenticator {
  readonly #tokens: readonly { readonly digest: Buffer; readonly user: User }[];
  readonly #accounts: ServiceAccountTokens;

  /** @param tokens the user of each token that does not expire. */
  constructor(tokens: Readonly<Record<string, User>>, accounts: ServiceAccountTokens) {
    this.#tokens = Object.entries(tokens).map(([token, user]) => ({ digest: digest(token), user }));
    this.#accounts = accounts;
  }

  /** Who makes the request. Throws InvalidCredentialsError for credentials that are not known or do not hold. */
  authenticate({ authorization, certificate }: Credentials): User {
    if (typeof certificate === 'object') return withGroup(certificate);
    const token = bearerToken(authorization);
    if (token !== undefined) return this.token(token, serverAudiences).user;
    if (certificate === 'invalid') throw new InvalidCredentialsError('the client certificate is of another authority');
    return anonymous;
  }

  /** Whose the token is, and for which of the audiences. Throws InvalidCredentialsError. */
  token(token: string, audiences: readonly string[]): Authenticated {
    const wanted = digest(token);
    const known = this.#tokens.find((each) => timingSafeEqual(each.digest, wanted));
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

/** What a client should know of its Authorization header, as a sentence; undefined when there is nothing to say. */
export function headerWarning(header: string | undefined): string | undefined {
  if (!/^bearer {2}/i.test((header ?? '').trim())) return undefined;
  return 'the provided Authorization header contains extra space before the bearer token, and is ignored';
}

/** The token of an Authorization header; undefined for one of another kind, which counts as none. */
function bearerToken(header: string | undefined): string | undefined {
  const [scheme = '', token = ''] = (header ?? '').trim().split(' ');
  return scheme.toLowerCase() === 'bearer' && token !== '' ? token : undefined;
}

function withGroup(user: User): User {
  const { groups } = user;
  if (groups.includes(authenticatedGroup) || groups.includes(unauthenticatedGroup)) return user;
  return { ...user, groups: [...groups, authenticatedGroup] };
}

/** Digests have one length, whatever the tokens have. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
