import type { Connection, Impersonation } from './connection.js';
import type { Credential } from './credential-source.js';

export type Headers = Record<string, string | string[]>;

/** What a request is let in by, and the headers that say so. */
export interface Admission {
  readonly headers: Headers;
  /** Of the connection's source of credentials, where it was asked. */
  readonly credential: Credential | undefined;
}

/**
 * Finds out what a request is let in by. `own` are headers of the request itself and win. With an authorization of its own, of a token
 * or of a name and password, a source of credentials is not asked. What a token function or a source throws is thrown.
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

/** Returns the headers that make a request as somebody else. */
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

/** A key of extra fields as the end of a header's name: what may not stand there, and '%', is escaped by its bytes. */
function headerName(key: string): string {
  return [...Buffer.from(key.toLowerCase(), 'utf8')]
    .map((byte) => {
      const character = String.fromCharCode(byte);
      return /[a-z0-9!#$&'*+.^_`|~-]/.test(character) ? character : `%${byte.toString(16).padStart(2, '0')}`;
    })
    .join('');
}
