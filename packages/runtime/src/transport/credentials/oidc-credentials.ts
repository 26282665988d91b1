import { Agent, buildConnector, request } from 'undici';
import type { Clock } from '@kubewright/api/clock';
import { KubewrightError } from '@kubewright/api/errors';
import { maskerOf, maskText, secretValuesIn } from '@kubewright/api/secrets';
import { maskedBodyText, shownBody } from '../answer/answer.js';
import { environmentProxy } from '../proxy/connection-proxy.js';
import type { Credential, CredentialSource } from '../connection/credential-source.js';
import { proxiedConnector } from '../proxy/proxied-connector.js';
import { ProxyDialer } from '../proxy/proxy-dialer.js';

/** If a token expires within this number of milliseconds, the next call of `get` renews the token. */
const RENEW_BEFORE_MS = 10_000;
/** The time limit for a response of the issuer, in milliseconds. */
const TIMEOUT_MS = 30_000;
/** The maximum size of a response of the issuer, in bytes. */
const MAX_RESPONSE_BYTES = 1024 * 1024;
/** The maximum number of bytes that an error message quotes from an error response of the issuer. */
const MAX_ERROR_BYTES = 200;

/** The tokens that a login or a renewal returned. */
export interface OidcTokens {
  readonly idToken: string | undefined;
  readonly refreshToken: string | undefined;
}

export interface OidcCredentialsOptions extends OidcTokens {
  /** The URL of the token issuer. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  /** The certificate authorities that are trusted for the issuer, in PEM format. @default the certificate authorities of the system */
  readonly ca: string | undefined;
  readonly clock: Clock;
  /** The environment variables from which the proxy for the issuer is read. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Saves renewed tokens, so that the next program can use them. Must not reject. */
  readonly keep: (tokens: OidcTokens) => Promise<void>;
}

interface Metadata {
  readonly token_endpoint?: string;
  readonly token_endpoint_auth_methods_supported?: readonly string[];
}

/**
 * Gets ID tokens from an OpenID Connect issuer. `get` uses the refresh token to request a new ID token if the ID token is missing, expires
 * within 10 s, or was rejected by the server. Concurrent callers share a renewal. If the issuer returns a new refresh token, later renewals
 * use the new refresh token. `get` rejects with OIDC_FAILED if the expiry of the ID token cannot be read, if the renewal fails, or if the
 * refresh token for a renewal is missing. The error contains no credentials.
 */
export class OidcCredentials implements CredentialSource {
  readonly #options: OidcCredentialsOptions;
  #tokens: OidcTokens;
  #known: Credential | undefined;
  #refused = false;
  #renewing: Promise<Credential> | undefined;

  constructor(options: OidcCredentialsOptions) {
    this.#options = options;
    this.#tokens = { idToken: options.idToken, refreshToken: options.refreshToken };
    if (options.idToken !== undefined) this.#known = Object.freeze({ token: options.idToken });
  }

  async get(): Promise<Credential> {
    const known = this.#known;
    if (known?.token !== undefined && !this.#refused && this.#isGood(known.token)) return known;
    this.#renewing ??= this.#renew().finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  refused(credential: Credential): void {
    // Without a refresh token, there is no other credential. The response of the server then explains the rejection.
    if (credential === this.#known && this.#tokens.refreshToken !== undefined) this.#refused = true;
  }

  #isGood(token: string): boolean {
    const expiresAtMs = expiryOf(token);
    if (expiresAtMs === undefined)
      throw failed(this.#options, 'the id-token is not a JWT with an expiry: log in again');
    return expiresAtMs - RENEW_BEFORE_MS > this.#options.clock.now().getTime();
  }

  async #renew(): Promise<Credential> {
    const { refreshToken } = this.#tokens;
    if (refreshToken === undefined)
      throw failed(this.#options, 'the id-token is missing or has expired, and refresh-token is not set: log in again');
    await using issuer = new Issuer(this.#options, refreshToken);
    const answer = await issuer.refresh(refreshToken);
    const { id_token: idToken, refresh_token: next } = answer;
    if (typeof idToken !== 'string' || idToken === '') {
      const remedy = "log in with the scope 'openid', or check whether the issuer returns ID tokens on refresh";
      throw failed(this.#options, `the refresh response has no id_token: ${remedy}`);
    }
    this.#tokens = { idToken, refreshToken: typeof next === 'string' && next !== '' ? next : refreshToken };
    await this.#options.keep(this.#tokens);
    this.#known = Object.freeze({ token: idToken });
    this.#refused = false;
    return this.#known;
  }
}

/** Sends the requests for one renewal to the issuer. */
class Issuer implements AsyncDisposable {
  readonly #options: OidcCredentialsOptions;
  readonly #agent: Agent;
  /** Masks the credentials that the requests contain. */
  readonly #mask: (text: string) => string;

  constructor(options: OidcCredentialsOptions, refreshToken: string) {
    this.#options = options;
    this.#agent = new Agent({ connect: connectorOf(options), maxResponseSize: MAX_RESPONSE_BYTES });
    const { idToken, clientSecret } = options;
    this.#mask = maskerOf(secretValuesIn({ idToken, refreshToken, clientSecret }));
  }

  async refresh(refreshToken: string): Promise<Readonly<Record<string, unknown>>> {
    const { issuer, clientId, clientSecret } = this.#options;
    const metadata: Metadata = await this.#json(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
    const endpoint = metadata.token_endpoint;
    if (!endpoint) throw failed(this.#options, 'the issuer configuration has no token_endpoint');
    const form = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refreshToken });
    const headers: Record<string, string> = { 'content-type': 'application/x-www-form-urlencoded' };
    const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    if (clientSecret !== undefined && methods.includes('client_secret_basic')) {
      const pair = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`;
      headers['authorization'] = `Basic ${Buffer.from(pair).toString('base64')}`;
    } else {
      form.set('client_id', clientId);
      if (clientSecret !== undefined) form.set('client_secret', clientSecret);
    }
    return this.#json(endpoint, { method: 'POST', headers, body: form.toString() });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#agent.destroy();
  }

  async #json<T>(
    url: string,
    options: { method?: 'POST'; headers?: Record<string, string>; body?: string } = {},
  ): Promise<T> {
    try {
      const limits = { headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS };
      const { statusCode, body } = await request(url, { dispatcher: this.#agent, ...limits, ...options });
      const bytes = await body.bytes();
      if (statusCode !== 200) throw new Error(`HTTP ${statusCode}: ${errorOf(bytes, this.#mask)}`);
      const answer = objectOf(bytes);
      if (answer === undefined) throw new Error('the response is not a JSON object');
      return answer as T;
    } catch (error) {
      throw failed(this.#options, `cannot request ${url}: ${(error as Error).message}`, error);
    }
  }
}

/**
 * Returns a function that connects to the issuer through the proxy in the environment variables. Connects directly for plain HTTP, which no
 * issuer should use.
 */
function connectorOf({ ca, clock, env }: OidcCredentialsOptions): buildConnector.connector {
  const tls = { minVersion: 'TLSv1.2', ...(ca === undefined ? {} : { ca }) } as const;
  const options = { timeout: TIMEOUT_MS, ...tls };
  const direct = buildConnector(options);
  return (requested, callback) => {
    const url = new URL(`${requested.protocol}//${requested.host}`);
    const proxy = url.protocol === 'https:' ? environmentProxy(url, env) : undefined;
    const connect =
      proxy === undefined ? direct : proxiedConnector(new ProxyDialer({ proxy, url, tls, clock }), options);
    connect(requested, callback);
  };
}

/**
 * Returns the text of an error response of the issuer, with masked credentials. If the body is JSON, returns only the fields `error` and
 * `error_description`, or the size of the body if both fields are missing. `mask` masks the credentials of the request, which the issuer
 * may repeat. Masks the text before cutting it, so that no part of a credential remains.
 */
function errorOf(body: Uint8Array, mask: (text: string) => string): string {
  const { error, error_description: description } = objectOf(body) ?? {};
  const parts = [error, description].filter((part) => typeof part === 'string' && part !== '');
  if (parts.length > 0) return maskedBodyText(Buffer.from(mask(parts.join(': '))), MAX_ERROR_BYTES);
  return shownBody(Buffer.from(mask(Buffer.from(body).toString('utf8'))), MAX_ERROR_BYTES);
}

/** Parses a JSON object. Returns undefined for any other text. */
function objectOf(body: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(body).toString('utf8'));
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    // The error of the JSON parser is not used, because it contains a part of the response.
    return undefined;
  }
}

/** Returns the expiry of a JWT as a Unix time in milliseconds. Returns undefined if the token is not a JWT or has no expiry. */
function expiryOf(token: string): number | undefined {
  const parts = token.split('.');
  if (parts.length !== 3) return undefined;
  try {
    const { exp } = JSON.parse(Buffer.from(parts[1] ?? '', 'base64url').toString('utf8')) as { readonly exp?: unknown };
    return typeof exp === 'number' ? exp * 1000 : undefined;
  } catch {
    return undefined;
  }
}

function failed({ issuer }: OidcCredentialsOptions, what: string, cause?: unknown): KubewrightError {
  return new KubewrightError('OIDC_FAILED', maskText(`OpenID Connect with ${issuer}: ${what}`), { cause });
}
