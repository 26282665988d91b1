import { createSecureContext, type SecureContext, type SecureContextOptions } from 'node:tls';
import type { Connection } from './connection.js';
import type { ClientCertificate } from './credential-source.js';

/** The TLS options of connections, in the form that Node.js and undici accept. */
export interface TlsOptions {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly servername?: string;
  readonly rejectUnauthorized?: boolean;
  readonly minVersion: 'TLSv1.2';
  /**
   * The parsed certificates and keys, which all connections share. Undefined if they cannot be parsed. Each connection then reports the
   * error.
   */
  readonly secureContext?: SecureContext;
}

/** The certificates that are currently used. They can change while the program runs. */
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
    // Each connection that uses these certificates reports the error.
    return {};
  }
}
