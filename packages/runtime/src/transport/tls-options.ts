import type { Connection } from './connection.js';
import type { ClientCertificate } from './credential-source.js';

/** What Node's and undici's TLS want to know of a connection. */
export interface TlsOptions {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly servername?: string;
  readonly rejectUnauthorized?: boolean;
  readonly minVersion: 'TLSv1.2';
}

/** The certificates that change, as they are now. */
export interface TlsMaterial {
  readonly ca: string | undefined;
  readonly clientCertificate: ClientCertificate | undefined;
}

export function tlsOptionsOf(connection: Connection, { ca, clientCertificate }: TlsMaterial): TlsOptions {
  return {
    minVersion: 'TLSv1.2',
    ...(ca === undefined ? {} : { ca }),
    ...clientCertificate,
    ...(connection.tlsServerName === undefined ? {} : { servername: connection.tlsServerName }),
    ...(connection.insecureSkipTlsVerify ? { rejectUnauthorized: false } : {}),
  };
}
