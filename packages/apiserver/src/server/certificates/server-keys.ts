import { createPrivateKey, generateKeyPairSync } from 'node:crypto';

/**
 * The private keys with which a server signs, as PEM. Tokens and client certificates stay valid as long as the keys do not change. To keep
 * tokens and certificates valid after a restart, pass the same keys to the new server.
 */
export interface ServerKeys {
  /** Signs the tokens of ServiceAccounts; a P-256 key. */
  readonly serviceAccounts: string;
  /** Signs client certificates; a P-256 key. */
  readonly clientCertificates: string;
}

/** Returns new keys. Each key is generated on first access, because most servers in tests never sign anything. */
export function newServerKeys(): ServerKeys {
  let serviceAccounts: string | undefined;
  let clientCertificates: string | undefined;
  return {
    get serviceAccounts() {
      serviceAccounts ??= newKey();
      return serviceAccounts;
    },
    get clientCertificates() {
      clientCertificates ??= newKey();
      return clientCertificates;
    },
  };
}

/** Returns the given keys. Throws if a key is not a valid private key in PEM format. */
export function checkedServerKeys(keys: ServerKeys): ServerKeys {
  createPrivateKey(keys.serviceAccounts);
  createPrivateKey(keys.clientCertificates);
  return keys;
}

function newKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}
