import { createHash, createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from 'node:crypto';
import type { User } from '../registry/user.js';
import { issueCertificate, keyText, newKeyPair } from './issue-certificate.js';

const issuer = 'kubewright-client-ca';
const clientUsage = '1.3.6.1.5.5.7.3.2';
const yearSeconds = 365 * 24 * 60 * 60;

/** Whom a client certificate is for. */
export interface ClientCertificateSubject {
  /** The user name. */
  readonly name: string;
  /** @default none but system:authenticated, which everybody has */
  readonly groups?: readonly string[];
  /** How long it is valid. @default a year */
  readonly expirationSeconds?: number;
}

/** A client certificate and its private key, both PEM. */
export interface ClientCertificate {
  readonly certificate: string;
  readonly key: string;
}

/** The parts of a subject; those that it has several times are lists. */
interface SubjectNames {
  readonly CN?: string | string[];
  readonly O?: string | string[];
}

/** Issues client certificates, and says whose they are: the common name is the user, the organizations are the groups. */
export class ClientAuthority {
  readonly #key: () => string;
  #read: KeyObject | undefined;

  /** @param key gives a private P-256 key as PEM; asked once, when there is a certificate to issue or to look at */
  constructor(key: () => string) {
    this.#key = key;
  }

  /** A certificate with a key of its own. */
  async issue({
    name,
    groups = [],
    expirationSeconds = yearSeconds,
  }: ClientCertificateSubject): Promise<ClientCertificate> {
    const keys = newKeyPair();
    const now = Date.now();
    const certificate = issueCertificate(
      {
        subject: { commonName: name, organizations: groups },
        publicKey: keys.publicKey,
        notBefore: new Date(now - 60_000),
        notAfter: new Date(now + expirationSeconds * 1000),
        use: 'client',
      },
      { name: { commonName: issuer }, privateKey: this.#privateKey() },
    );
    return { certificate, key: keyText(keys.privateKey) };
  }

  /** Whose the certificate is; undefined when it is not from this authority, not for clients, or not valid now. */
  user(certificate: X509Certificate): User | undefined {
    const now = Date.now();
    const valid = Date.parse(certificate.validFrom) <= now && now <= Date.parse(certificate.validTo);
    if (!valid || certificate.issuer !== `CN=${issuer}` || !certificate.verify(createPublicKey(this.#privateKey())))
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
