import { createSecureContext } from 'node:tls';
import { KubewrightError, messageOf } from '@kubewright/api/errors';

/** A certificate with its chain and its private key, as PEM. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

/** Throws INVALID_CERTIFICATE for a key pair that TLS cannot use, such as a key that belongs to another certificate. */
export function checkKeyPair(keyPair: KeyPair, source: string): void {
  try {
    createSecureContext(keyPair);
  } catch (error) {
    const why = messageOf(error);
    throw new KubewrightError('INVALID_CERTIFICATE', `cannot serve with the certificate from ${source}: ${why}`, {
      cause: error,
    });
  }
}
