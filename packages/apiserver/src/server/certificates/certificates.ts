import { webcrypto } from 'node:crypto';
import type { JsonGeneralNames } from '@peculiar/x509';
import { loadX509 } from './load-x509.js';

/**
 * A TLS serving certificate and its private key, and the certificate authority with which clients verify the certificate. All values are
 * PEM.
 */
export interface ServingCertificate {
  readonly certificateAuthority: string;
  readonly certificate: string;
  readonly key: string;
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const validMs = 365 * 24 * 60 * 60 * 1000;
const made = new Map<string, Promise<ServingCertificate>>();

/**
 * Returns a certificate for a host, 127.0.0.1, localhost and the names of the Service `kubernetes`, with its own P-256 authority. Each
 * process creates the certificate of a host once. The servers of a test run share the certificate, and have different tokens.
 */
export function servingCertificate(host: string): Promise<ServingCertificate> {
  const known = made.get(host);
  if (known !== undefined) return known;
  const making = makeCertificate(host);
  made.set(host, making);
  return making;
}

async function makeCertificate(host: string): Promise<ServingCertificate> {
  const x509 = await loadX509();
  const usages: webcrypto.KeyUsage[] = ['sign', 'verify'];
  const [caKeys, keys] = await Promise.all([
    webcrypto.subtle.generateKey(algorithm, false, usages),
    webcrypto.subtle.generateKey(algorithm, true, usages),
  ]);
  const notBefore = new Date(Date.now() - 60 * 60 * 1000);
  const notAfter = new Date(Date.now() + validMs);
  const ca = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: '01',
    name: 'CN=kubewright-ca',
    notBefore,
    notAfter,
    signingAlgorithm: algorithm,
    keys: caKeys,
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(caKeys.publicKey),
    ],
  });
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: '02',
    subject: 'CN=kubewright-apiserver',
    issuer: ca.subject,
    notBefore,
    notAfter,
    signingAlgorithm: algorithm,
    publicKey: keys.publicKey,
    signingKey: caKeys.privateKey,
    extensions: [
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(alternativeNames(host)),
      await x509.AuthorityKeyIdentifierExtension.create(caKeys.publicKey),
    ],
  });
  const key = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
  return {
    certificateAuthority: ca.toString('pem'),
    certificate: certificate.toString('pem'),
    key: x509.PemConverter.encode(key, 'PRIVATE KEY'),
  };
}

function alternativeNames(host: string): JsonGeneralNames {
  const hosts = new Set(['127.0.0.1', 'localhost', 'kubernetes', 'kubernetes.default', 'kubernetes.default.svc', host]);
  return [...hosts].map((value) => ({ type: /^[\d.]+$|:/.test(value) ? 'ip' : 'dns', value }));
}
