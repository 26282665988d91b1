import { createSecureContext, type SecureContext, type SecureContextOptions } from 'node:tls';
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
  /** Certificates and keys as read once for all connections; undefined where they cannot be, which each connection then tells. */
  readonly secureContext?: SecureContext;
}

/** The certificates that change, as they are now. */
export interface TlsMaterial {
  readonly ca: string | undefined;
  readonly clientCertificate: ClientCertificate | undefined;
}

export function tlsOptionsOf(connection: Connection, { ca, clientCertificate }: TlsMaterial): TlsOptions {
  const material = { minVersion: 'TLSv1.2', ...(ca === undefined ? {} : { ca }), ...clientCertificate } as const;
  return {
    ...material,
    ...readOnce(material),
    ...(connection.tlsServerName === undefined ? {} : { servername: connection.tlsServerName }),
    ...(connection.insecureSkipTlsVerify ? { rejectUnauthorized: false } : {}),
  };
}

function readOnce(material: SecureContextOptions): Pick<TlsOptions, 'secureContext'> {
  try {
    return { secureContext: createSecureContext(material) };
  } catch {
    // Who connects with it gets the error, at the request that needs it.
    return {};
  }
}
