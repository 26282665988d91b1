import { randomBytes, webcrypto } from 'node:crypto';
import { loadX509 } from '@kubewright/runtime/internal';
import type * as X509 from '@peculiar/x509';

/** A certificate and its key, as PEM. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

/** The subject of a certificate. */
export interface Subject {
  /** The name of a server or a user. */
  readonly commonName: string;
  /** The groups of a user. */
  readonly organization?: string;
  /** The names and addresses of a server. A certificate without hosts is a client certificate. */
  readonly hosts?: readonly string[];
}

type X509Library = Awaited<ReturnType<typeof loadX509>>;

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const usages: webcrypto.KeyUsage[] = ['sign', 'verify'];
const validMs = 365 * 24 * 60 * 60 * 1000;

/** A certificate authority with a P-256 key. */
export class Authority {
  readonly #x509: X509Library;
  readonly #issuer: X509.X509Certificate;
  readonly #keys: webcrypto.CryptoKeyPair;

  private constructor(x509: X509Library, issuer: X509.X509Certificate, keys: webcrypto.CryptoKeyPair) {
    this.#x509 = x509;
    this.#issuer = issuer;
    this.#keys = keys;
  }

  static async create(commonName: string): Promise<Authority> {
    const x509 = await loadX509();
    const keys = await webcrypto.subtle.generateKey(algorithm, true, usages);
    const issuer = await x509.X509CertificateGenerator.createSelfSigned({
      ...validity(),
      name: [{ CN: [commonName] }],
      signingAlgorithm: algorithm,
      keys,
      extensions: [
        new x509.BasicConstraintsExtension(true, undefined, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
        await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      ],
    });
    return new Authority(x509, issuer, keys);
  }

  /** The certificate of the authority, as PEM, for verification. */
  get certificate(): string {
    return this.#issuer.toString('pem');
  }

  /** Returns the key of the authority, as PEM, for other signers. */
  privateKey(): Promise<string> {
    return privateKey(this.#x509, this.#keys);
  }

  /** Returns a new key with a certificate for a server or a user. The certificate is valid for a year. */
  async issue({ commonName, organization, hosts }: Subject): Promise<KeyPair> {
    const x509 = this.#x509;
    const keys = await webcrypto.subtle.generateKey(algorithm, true, usages);
    const { clientAuth, serverAuth } = x509.ExtendedKeyUsage;
    const certificate = await x509.X509CertificateGenerator.create({
      ...validity(),
      subject: [...(organization === undefined ? [] : [{ O: [organization] }]), { CN: [commonName] }],
      issuer: this.#issuer.subject,
      signingAlgorithm: algorithm,
      publicKey: keys.publicKey,
      signingKey: this.#keys.privateKey,
      extensions: [
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
        new x509.ExtendedKeyUsageExtension([hosts === undefined ? clientAuth : serverAuth]),
        ...(hosts === undefined ? [] : [new x509.SubjectAlternativeNameExtension(hosts.map(generalName))]),
        await x509.AuthorityKeyIdentifierExtension.create(this.#keys.publicKey),
      ],
    });
    return { cert: certificate.toString('pem'), key: await privateKey(x509, keys) };
  }
}

/** Returns a key pair for signing and verifying tokens, as PEM. */
export async function newSigningKeys(): Promise<{ readonly publicKey: string; readonly privateKey: string }> {
  const x509 = await loadX509();
  const keys = await webcrypto.subtle.generateKey(algorithm, true, usages);
  const spki = await webcrypto.subtle.exportKey('spki', keys.publicKey);
  return { publicKey: x509.PemConverter.encode(spki, 'PUBLIC KEY'), privateKey: await privateKey(x509, keys) };
}

async function privateKey(x509: X509Library, keys: webcrypto.CryptoKeyPair): Promise<string> {
  const exported = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
  return x509.PemConverter.encode(exported, 'PRIVATE KEY');
}

function validity(): { readonly serialNumber: string; readonly notBefore: Date; readonly notAfter: Date } {
  // The first bit of a serial number is its sign and must be 0.
  const serialNumber = `00${randomBytes(15).toString('hex')}`;
  const now = Date.now();
  return { serialNumber, notBefore: new Date(now - 60 * 60 * 1000), notAfter: new Date(now + validMs) };
}

function generalName(value: string): X509.JsonGeneralName {
  return { type: /^[\d.]+$|:/.test(value) ? 'ip' : 'dns', value };
}
