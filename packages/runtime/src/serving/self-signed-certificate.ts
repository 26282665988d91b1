import { randomBytes } from 'node:crypto';
import { encodedName, extensions, issueCertificate, keyText, newKeyPair } from '@kubewright/api/certificates';
import type { KeyPair } from './key-pair.js';

const HOUR_MS = 3_600_000;
const YEAR_MS = 365 * 24 * HOUR_MS;

/** Creates a self-signed certificate for host names and IP addresses, with a P-256 key and valid for a year. */
export function selfSignedCertificate(hosts: readonly string[]): KeyPair {
  const { publicKey, privateKey } = newKeyPair();
  const now = Date.now();
  const name = encodedName((hosts[0] ?? 'localhost').slice(0, 64));
  const cert = issueCertificate({
    serialNumber: Buffer.concat([Buffer.from([1]), randomBytes(15)]),
    issuer: name,
    subject: name,
    notBefore: new Date(now - HOUR_MS),
    notAfter: new Date(now + YEAR_MS),
    publicKey,
    signingKey: privateKey,
    extensions: [extensions.hosts(hosts)],
  });
  return { key: keyText(privateKey), cert };
}
