import { createPrivateKey, randomBytes, webcrypto, type X509Certificate } from 'node:crypto';
import type { KeyPair } from '../serving/key-pair.js';
import { loadX509 } from './load-x509.js';

/** The lifetime of a new certificate. */
export interface Validity {
  /** The time of the API server in milliseconds since 1970. */
  readonly nowMs: number;
  /** The lifetime in milliseconds. */
  readonly lifetimeMs: number;
}

/** A certificate authority that can sign certificates. */
export interface Signer {
  readonly certificate: X509Certificate;
  /** The private key as PEM. */
  readonly key: string;
}

/**
 * A certificate is valid from this number of milliseconds before the time at which it is issued, because the clocks of API servers differ.
 * The lifetime of the certificate starts when it is issued.
 */
export const BACKDATED_MS = 3_600_000;

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const USAGES: webcrypto.KeyUsage[] = ['sign', 'verify'];
/** The maximum length of a common name in X.509. */
const LONGEST_COMMON_NAME = 64;

/**
 * Creates a certificate authority with a P-256 key. Its name contains a random number. Clients therefore find the right authority in a
 * bundle with several authorities of one operator.
 */
export async function createAuthority(validity: Validity): Promise<KeyPair> {
  const x509 = await loadX509();
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, USAGES);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: serialNumber(),
    name: [{ CN: [`kubewright-webhook-ca-${randomBytes(8).toString('hex')}`] }],
    ...period(validity),
    signingAlgorithm: ALGORITHM,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { cert: pemOf(certificate.toString('pem')), key: await privateKey(keys.privateKey) };
}

/** Issues a serving certificate with a new P-256 key for host names. The certificate expires no later than its authority. */
export async function issueServing(
  signer: Signer,
  { hosts, ...validity }: Validity & { readonly hosts: readonly string[] },
): Promise<KeyPair> {
  const x509 = await loadX509();
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, USAGES);
  const issuer = new x509.X509Certificate(signer.certificate.raw);
  const { notBefore, notAfter } = period(validity);
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: serialNumber(),
    subject: [{ CN: [(hosts[0] ?? '').slice(0, LONGEST_COMMON_NAME)] }],
    issuer: issuer.subject,
    notBefore,
    notAfter: notAfter < issuer.notAfter ? notAfter : issuer.notAfter,
    signingAlgorithm: ALGORITHM,
    publicKey: keys.publicKey,
    signingKey: await signingKey(signer.key),
    extensions: [
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(hosts.map((value) => ({ type: 'dns', value }))),
      await x509.AuthorityKeyIdentifierExtension.create(issuer.publicKey),
    ],
  });
  return { cert: pemOf(certificate.toString('pem')), key: await privateKey(keys.privateKey) };
}

function period({ nowMs, lifetimeMs }: Validity): { readonly notBefore: Date; readonly notAfter: Date } {
  return { notBefore: new Date(nowMs - BACKDATED_MS), notAfter: new Date(nowMs + lifetimeMs) };
}
function serialNumber(): string {
  // The first bit of a serial number is its sign and must be 0.
  return `00${randomBytes(15).toString('hex')}`;
}
function pemOf(text: string): string {
  return `${text.trim()}\n`;
}
async function privateKey(key: webcrypto.CryptoKey): Promise<string> {
  const exported = await webcrypto.subtle.exportKey('pkcs8', key);
  const loaded = createPrivateKey({ key: Buffer.from(exported), format: 'der', type: 'pkcs8' });
  return loaded.export({ type: 'pkcs8', format: 'pem' }) as string;
}
function signingKey(pem: string): Promise<webcrypto.CryptoKey> {
  const pkcs8 = createPrivateKey(pem).export({ type: 'pkcs8', format: 'der' });
  return webcrypto.subtle.importKey('pkcs8', pkcs8, ALGORITHM, false, ['sign']);
}
