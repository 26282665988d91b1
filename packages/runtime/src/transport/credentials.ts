import type { Connection, Impersonation } from './connection.js';

type Headers = Record<string, string | string[]>;

/** The headers that say who asks. Asks the token function; what that throws is thrown. */
export async function credentialHeaders(connection: Connection): Promise<Headers> {
  const headers: Headers = {};
  const token = typeof connection.token === 'function' ? await connection.token() : connection.token;
  if (token !== undefined && token !== '') headers.authorization = `Bearer ${token}`;
  else if (connection.basic !== undefined) {
    const { username, password } = connection.basic;
    headers.authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  }
  if (connection.impersonate !== undefined) addImpersonation(headers, connection.impersonate);
  return headers;
}

function addImpersonation(headers: Headers, impersonate: Impersonation): void {
  if (impersonate.user !== undefined) headers['impersonate-user'] = impersonate.user;
  if (impersonate.uid !== undefined) headers['impersonate-uid'] = impersonate.uid;
  if (impersonate.groups?.length) headers['impersonate-group'] = [...impersonate.groups];
  for (const [key, values] of Object.entries(impersonate.extra ?? {})) {
    headers[`impersonate-extra-${encodeURIComponent(key).toLowerCase()}`] = [...values];
  }
}

/** What Node's and undici's TLS want to know of a connection. */
export interface TlsOptions {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly servername?: string;
  readonly rejectUnauthorized?: boolean;
  readonly minVersion: 'TLSv1.2';
}

export function tlsOptionsOf(connection: Connection): TlsOptions {
  return {
    minVersion: 'TLSv1.2',
    ...(connection.ca === undefined ? {} : { ca: connection.ca }),
    ...connection.clientCertificate,
    ...(connection.tlsServerName === undefined ? {} : { servername: connection.tlsServerName }),
    ...(connection.insecureSkipTlsVerify ? { rejectUnauthorized: false } : {}),
  };
}
