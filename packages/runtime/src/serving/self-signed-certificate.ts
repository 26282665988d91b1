import { webcrypto } from 'node:crypto';
import { isIP } from 'node:net';
import type { KeyPair } from './key-pair.js';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const HOUR_MS = 3_600_000;
const YEAR_MS = 365 * 24 * HOUR_MS;

/** A new certificate that vouches for itself, for a year, with a key on P-256. What makes it is loaded for that. */
export async function selfSignedCertificate(hosts: readonly string[]): Promise<KeyPair> {
  // The library wants it, and to be second.
  await import('reflect-metadata');
  const { PemConverter, SubjectAlternativeNameExtension, X509CertificateGenerator } = await import('@peculiar/x509');
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const now = Date.now();
  const names = hosts.map((value) => ({ type: isIP(value) === 0 ? ('dns' as const) : ('ip' as const), value }));
  const certificate = await X509CertificateGenerator.createSelfSigned(
    {
      name: `CN=${hosts[0] ?? 'localhost'}`,
      keys: keys as never,
      signingAlgorithm: ALGORITHM,
      notBefore: new Date(now - HOUR_MS),
      notAfter: new Date(now + YEAR_MS),
      extensions: [new SubjectAlternativeNameExtension(names)],
    },
    webcrypto,
  );
  const key = PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey), 'PRIVATE KEY');
  return { key, cert: certificate.toString('pem') };
}
