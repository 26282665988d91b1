import { createSecureContext } from 'node:tls';
import { KubewrightError, messageOf } from '@kubewright/api/errors';

/** A certificate with its chain, and its private key, in PEM format. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

/**
 * Throws INVALID_CERTIFICATE if TLS cannot use a key pair, for example because the key belongs to another certificate. `source` is for the
 * message.
 */
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
