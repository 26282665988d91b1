import {
  createHash,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  randomBytes,
  webcrypto,
  X509Certificate,
} from 'node:crypto';
import type { User } from '../../registry/requests/user.js';
import { loadX509 } from './load-x509.js';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const issuer = 'CN=kubewright-client-ca';
const clientUsage = '1.3.6.1.5.5.7.3.2';
const yearSeconds = 365 * 24 * 60 * 60;

/** The user that a client certificate authenticates, and the lifetime of the certificate. */
export interface ClientCertificateSubject {
  /** The user name. */
  readonly name: string;
  /** The groups of the user. Each user is also in system:authenticated. @default no groups */
  readonly groups?: readonly string[];
  /** The lifetime of the certificate in seconds. @default one year */
  readonly expirationSeconds?: number;
}

/** A client certificate and its private key, both PEM. */
export interface ClientCertificate {
  readonly certificate: string;
  readonly key: string;
}

/** The attributes of the subject of a certificate. Node.js returns an attribute with several values as a list. */
interface SubjectNames {
  readonly CN?: string | string[];
  readonly O?: string | string[];
}

/**
 * Issues client certificates and authenticates their users. The common name of a certificate is the user name. The organizations are the
 * groups.
 */
export class ClientAuthority {
  readonly #key: () => string;
  #read: KeyObject | undefined;

  /** @param key returns a private P-256 key as PEM; called once, when the authority first issues or verifies a certificate */
  constructor(key: () => string) {
    this.#key = key;
  }

  /** Issues a certificate with a new key. */
  async issue({
    name,
    groups = [],
    expirationSeconds = yearSeconds,
  }: ClientCertificateSubject): Promise<ClientCertificate> {
    const x509 = await loadX509();
    const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
    const pkcs8 = this.#privateKey().export({ type: 'pkcs8', format: 'der' });
    const now = Date.now();
    const certificate = await x509.X509CertificateGenerator.create({
      serialNumber: randomBytes(8).toString('hex'),
      subject: [{ CN: [name] }, ...groups.map((group) => ({ O: [group] }))],
      issuer,
      notBefore: new Date(now - 60_000),
      notAfter: new Date(now + expirationSeconds * 1000),
      signingAlgorithm: algorithm,
      publicKey: keys.publicKey,
      signingKey: await webcrypto.subtle.importKey('pkcs8', pkcs8, algorithm, false, ['sign']),
      extensions: [
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
        new x509.ExtendedKeyUsageExtension([clientUsage]),
      ],
    });
    const key = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
    return { certificate: certificate.toString('pem'), key: x509.PemConverter.encode(key, 'PRIVATE KEY') };
  }

  /**
   * Returns the user of a certificate. Returns undefined if the certificate is from another authority, not for clients, or not valid now.
   */
  user(certificate: X509Certificate): User | undefined {
    const now = Date.now();
    const valid = Date.parse(certificate.validFrom) <= now && now <= Date.parse(certificate.validTo);
    if (!valid || certificate.issuer !== issuer || !certificate.verify(createPublicKey(this.#privateKey())))
      return undefined;
    const usages: readonly string[] | undefined = certificate.keyUsage;
    if (!usages?.includes(clientUsage)) return undefined;
    const subject = certificate.toLegacyObject().subject as SubjectNames;
    const fingerprint = createHash('sha256').update(certificate.raw).digest('hex');
    return {
      name: [subject.CN ?? []].flat()[0] ?? '',
      groups: [subject.O ?? []].flat(),
      extra: { 'authentication.kubernetes.io/credential-id': [`X509SHA256=${fingerprint}`] },
    };
  }

  #privateKey(): KeyObject {
    this.#read ??= createPrivateKey(this.#key());
    return this.#read;
  }
}
