import { X509Certificate } from 'node:crypto';
import { WebhookSetupError } from './webhook-call-error.js';

const block = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/**
 * Returns the certificates of a `caBundle`: PEM in Base64. As in Go, invalid certificates are ignored if another certificate is valid.
 * Throws a WebhookSetupError if no certificate is valid.
 */
export function trustedAuthorities(caBundle: string): readonly X509Certificate[] {
  const blocks = certificateBlocks(Buffer.from(caBundle, 'base64').toString());
  const certificates = blocks.flatMap((pem) => certificateOf(pem) ?? []);
  if (certificates.length > 0) return certificates;
  const why =
    blocks.length === 0
      ? 'unable to parse bytes as PEM block'
      : 'failed to parse certificate: x509: malformed certificate';
  throw new WebhookSetupError(`unable to load root certificates: ${why}`);
}

/** Returns the certificates in a text in the PEM format, without other blocks. Does not parse the certificates. */
export function certificateBlocks(pem: string): readonly string[] {
  return pem.match(block) ?? [];
}

function certificateOf(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined;
  }
}
