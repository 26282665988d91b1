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
 * an authorization header, if `token` of the connection provides a token, or if the connection has basic authentication. Rejects with the
 * error of a token function or of the credential source.
 */
export async function admissionOf(connection: Connection, own: Readonly<Headers> = {}): Promise<Admission> {
  const headers: Headers = {};
  const names = Object.keys(own).map((name) => name.toLowerCase());
  let credential: Credential | undefined;
  if (!names.includes('authorization')) {
    const { token: given } = connection;
    const token = (typeof given === 'function' ? await given() : given) || undefined;
    if (token === undefined && connection.basic === undefined) credential = await connection.credentials?.get();
    const bearer = token ?? credential?.token;
    if (bearer) headers['authorization'] = `Bearer ${bearer}`;
    else if (connection.basic !== undefined) headers['authorization'] = basicHeader(connection.basic);
  }
  const impersonates = names.some((name) => name.startsWith('impersonate-'));
  if (!impersonates) Object.assign(headers, impersonationHeaders(connection.impersonate));
  return { headers: { ...headers, ...own }, credential };
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
