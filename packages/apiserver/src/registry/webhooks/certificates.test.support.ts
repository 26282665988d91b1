import { webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const hourMs = 60 * 60 * 1000;

/** A key and a certificate, as PEM. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

/** The content of a serving certificate. */
export interface Content {
  readonly hosts?: readonly string[];
  readonly addresses?: readonly string[];
  readonly commonName?: string;
  /** The validity in hours, relative to now. @default -1 to 1 */
  readonly hours?: readonly [from: number, to: number];
  readonly usage?: 'clientAuth' | 'serverAuth';
}

/** A certificate authority of a test. */
export class TestAuthority {
  readonly #keys: webcrypto.CryptoKeyPair;
  readonly #certificate: x509.X509Certificate;

  private constructor(keys: webcrypto.CryptoKeyPair, certificate: x509.X509Certificate) {
    this.#keys = keys;
    this.#certificate = certificate;
  }

  static async create(name = 'CN=test-ca'): Promise<TestAuthority> {
    x509.cryptoProvider.set(webcrypto);
    const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
    const certificate = await x509.X509CertificateGenerator.createSelfSigned({
      serialNumber: '01',
      name,
      ...validity([-1, 1]),
      signingAlgorithm: algorithm,
      keys,
      extensions: [new x509.BasicConstraintsExtension(true, undefined, true)],
    });
    return new TestAuthority(keys, certificate);
  }

  /** The certificate as the `caBundle` of a webhook. */
  get caBundle(): string {
    return Buffer.from(this.#certificate.toString('pem')).toString('base64');
  }

  async issue({
    hosts = [],
    addresses = [],
    commonName = 'webhook',
    hours = [-1, 1],
    usage,
  }: Content): Promise<KeyPair> {
    const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
    const names = [
      ...hosts.map((value) => ({ type: 'dns' as const, value })),
      ...addresses.map((value) => ({ type: 'ip' as const, value })),
    ];
    const certificate = await x509.X509CertificateGenerator.create({
      serialNumber: '02',
      subject: `CN=${commonName}`,
      issuer: this.#certificate.subject,
      ...validity(hours),
      signingAlgorithm: algorithm,
      publicKey: keys.publicKey,
      signingKey: this.#keys.privateKey,
      extensions: [
        new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage[usage ?? 'serverAuth']]),
        ...(names.length === 0 ? [] : [new x509.SubjectAlternativeNameExtension(names)]),
      ],
    });
    const key = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
    return { cert: certificate.toString('pem'), key: x509.PemConverter.encode(key, 'PRIVATE KEY') };
  }
}

function validity([from, to]: readonly [number, number]): { readonly notBefore: Date; readonly notAfter: Date } {
  const now = Date.now();
  return { notBefore: new Date(now + from * hourMs), notAfter: new Date(now + to * hourMs) };
}
