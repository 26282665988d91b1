import { generateKeyPairSync } from 'node:crypto';

/**
 * The private keys that a server vouches with, as PEM. Tokens and client certificates hold as long as they stay the same:
 * whoever wants them to outlive a server keeps this object and gives it to the next one.
 */
export interface ServerKeys {
  /** Signs the tokens of ServiceAccounts; a P-256 key. */
  readonly serviceAccounts: string;
  /** Signs client certificates; a P-256 key. */
  readonly clientCertificates: string;
}

/** New keys, which nobody has seen. */
export function newServerKeys(): ServerKeys {
  return { serviceAccounts: newKey(), clientCertificates: newKey() };
}

function newKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}
