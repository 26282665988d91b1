import { createPrivateKey, generateKeyPairSync } from 'node:crypto';

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

/** New keys, which nobody has seen. Each is made when somebody first looks at it: most servers of tests vouch for nobody. */
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

/** The keys, looked at. Throws when one of them is no private key. */
export function checkedServerKeys(keys: ServerKeys): ServerKeys {
  createPrivateKey(keys.serviceAccounts);
  createPrivateKey(keys.clientCertificates);
  return keys;
}

function newKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}
