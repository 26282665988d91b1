import type { Connection, Impersonation } from '../connection/connection.js';
import type { Credential } from '../connection/credential-source.js';

export type Headers = Record<string, string | string[]>;

/** The headers that authenticate a request, and the credential from which they were created. */
export interface Admission {
  readonly headers: Headers;
  /** The credential from the credential source. Undefined if the source was not called. */
  readonly credential: Credential | undefined;
}

/**
 * Returns the headers that authenticate a request. Headers in `own` take precedence. Does not call the credential source if the request has
 * an authorization header, if `token` of the connection provides a token, or if the connection has basic authentication. Returns a promise
 * only if the credentials are not known yet. Throws or rejects with the error of a token function or of the credential source.
 */
export function admissionOf(connection: Connection, own: Readonly<Headers> = {}): Admission | Promise<Admission> {
  if (Object.keys(own).some((name) => name.toLowerCase() === 'authorization'))
    return { headers: headersWith(connection, own, undefined), credential: undefined };
  const { token } = connection;
  return typeof token === 'function' ? admissionOfFunction(connection, own, token) : admitted(connection, own, token);
}

async function admissionOfFunction(
  connection: Connection,
  own: Readonly<Headers>,
  token: () => Promise<string | undefined>,
): Promise<Admission> {
  return admitted(connection, own, await token());
}

function admitted(
  connection: Connection,
  own: Readonly<Headers>,
  token: string | undefined,
): Admission | Promise<Admission> {
  const { basic, credentials } = connection;
  if (token || basic !== undefined || credentials === undefined) {
    const authorization = token ? bearerHeader(token) : basic && basicHeader(basic);
    return { headers: headersWith(connection, own, authorization), credential: undefined };
  }
  const admission = (credential: Credential): Admission => ({
    headers: headersWith(connection, own, bearerHeader(credential.token)),
    credential,
  });
  const credential = credentials.get();
  // A source of another library can return any object with a method `then`.
  return 'then' in credential ? Promise.resolve(credential).then(admission) : admission(credential);
}

function headersWith({ impersonate }: Connection, own: Readonly<Headers>, authorization: string | undefined): Headers {
  // Faster than a spread: V8 adds each field slowly to an object that begins with a spread.
  const headers: Headers = Object.assign({}, own);
  if (authorization !== undefined) headers['authorization'] = authorization;
  if (impersonate === undefined) return headers;
  const impersonates = Object.keys(own).some((name) => name.toLowerCase().startsWith('impersonate-'));
  return impersonates ? headers : Object.assign(headers, impersonationHeaders(impersonate));
}

function bearerHeader(token: string | undefined): string | undefined {
  return token ? `Bearer ${token}` : undefined;
}

function basicHeader({ username, password }: NonNullable<Connection['basic']>): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

/** Returns the headers that make the server execute a request with another identity. */
export function impersonationHeaders(impersonate: Impersonation = {}): Headers {
  const headers: Headers = {};
  if (impersonate.user !== undefined) headers['impersonate-user'] = impersonate.user;
  if (impersonate.uid !== undefined) headers['impersonate-uid'] = impersonate.uid;
  if (impersonate.groups?.length) headers['impersonate-group'] = [...impersonate.groups];
  for (const [key, values] of Object.entries(impersonate.extra ?? {})) {
    headers[`impersonate-extra-${headerName(key)}`] = [...values];
  }
  return headers;
}

/** Returns the key of an extra field, encoded for the name of a header. Escapes '%' and every byte that is not allowed in a header name. */
function headerName(key: string): string {
  return [...Buffer.from(key.toLowerCase(), 'utf8')]
    .map((byte) => {
      const character = String.fromCharCode(byte);
      return /[a-z0-9!#$&'*+.^_`|~-]/.test(character) ? character : `%${byte.toString(16).padStart(2, '0')}`;
    })
    .join('');
}
