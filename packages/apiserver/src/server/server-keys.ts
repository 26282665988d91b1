import { createPrivateKey, generateKeyPairSync } from 'node:crypto';

/**
 * The private keys of a server for signing, as PEM. Tokens and client certificates stay valid as long as the keys do not change. To keep
 * them valid across servers, pass the same keys to the next server.
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

/** Reads and returns the keys. Throws if a key is not a valid private key. */
export function checkedServerKeys(keys: ServerKeys): ServerKeys {
  createPrivateKey(keys.serviceAccounts);
  createPrivateKey(keys.clientCertificates);
  return keys;
}

function newKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}
