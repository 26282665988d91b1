import {
  createHash,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  randomBytes,
  X509Certificate,
} from 'node:crypto';
import type { UnsignedCertificate } from '../../controllers/work/trust.js';
import type { User } from '../../registry/requests/user.js';
import { encodedName, extensions, issueCertificate, keyText, newKeyPair } from '@kubewright/api/certificates';

const issuerName = 'kubewright-client-ca';
const issuer = `CN=${issuerName}`;
const clientUsage = '1.3.6.1.5.5.7.3.2';
const anyUsage = '2.5.29.37.0';
/** The maximum number of certificates between a client and a trusted authority, including the certificate of the client. */
const longestChain = 10;
const hourMs = 60 * 60 * 1000;
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
 * groups. Also authenticates the users of certificates of other trusted authorities.
 */
export class ClientAuthority {
  readonly #key: () => string;
  readonly #trusted: readonly X509Certificate[];
  #read: KeyObject | undefined;

  /**
   * @param key returns a private P-256 key as PEM; called once, when the authority first issues or verifies a certificate
   * @param trusted the certificates of other authorities whose client certificates are accepted
   */
  constructor(key: () => string, trusted: readonly X509Certificate[] = []) {
    this.#key = key;
    this.#trusted = trusted;
  }

  /** Returns the certificates of the authorities whose client certificates are accepted, as PEM. */
  certificateAuthorities(): string {
    const publicKey = createPublicKey(this.#privateKey());
    const now = Date.now();
    const own = this.sign({
      subject: encodedName(issuerName),
      notBefore: new Date(now - hourMs),
      notAfter: new Date(now + yearSeconds * 1000),
      publicKey,
      extensions: [extensions.authority(), extensions.signsCertificates(), extensions.subjectKey(publicKey)],
    });
    return [own, ...this.#trusted.map(String)].join('');
  }

  /** Issues a certificate with a new key. */
  issue({ name, groups = [], expirationSeconds = yearSeconds }: ClientCertificateSubject): ClientCertificate {
    const keys = newKeyPair();
    const now = Date.now();
    const certificate = this.sign({
      subject: encodedName(name, groups),
      notBefore: new Date(now - 60_000),
      notAfter: new Date(now + expirationSeconds * 1000),
      publicKey: keys.publicKey,
      extensions: [extensions.signsHandshakes(), extensions.purposes(clientUsage)],
    });
    return { certificate, key: keyText(keys.privateKey) };
  }

  /** Issues a certificate with the given content as PEM. */
  sign(content: UnsignedCertificate): string {
    const issuer = encodedName(issuerName);
    return issueCertificate({ ...content, serialNumber: randomBytes(8), issuer, signingKey: this.#privateKey() });
  }

  /**
   * Returns the user of a certificate. Returns undefined if no trusted authority issued the certificate, or if the certificate is not for
   * clients or not valid now.
   */
  user(certificate: X509Certificate): User | undefined {
    if (!isValidNow(certificate) || (!this.#isOwn(certificate) && !this.#isTrusted(certificate))) return undefined;
    const subject = certificate.toLegacyObject().subject as SubjectNames;
    const fingerprint = createHash('sha256').update(certificate.raw).digest('hex');
    return {
      name: [subject.CN ?? []].flat()[0] ?? '',
      groups: [subject.O ?? []].flat(),
      extra: { 'authentication.kubernetes.io/credential-id': [`X509SHA256=${fingerprint}`] },
    };
  }

  #isOwn(certificate: X509Certificate): boolean {
    if (certificate.issuer !== issuer || !certificate.verify(createPublicKey(this.#privateKey()))) return false;
    return usagesOf(certificate)?.includes(clientUsage) ?? false;
  }

  /**
   * Whether a trusted authority issued the certificate, directly or through intermediate authorities whose certificates the client sent. As
   * in kube-apiserver, each certificate of the chain that restricts its extended key usage must allow clients.
   */
  #isTrusted(certificate: X509Certificate): boolean {
    let subject: X509Certificate | undefined = certificate;
    for (let depth = 0; subject !== undefined && depth < longestChain; depth += 1) {
      if (!isValidNow(subject) || !allowsClients(subject)) return false;
      const checked: X509Certificate = subject;
      const root = this.#trusted.find((authority) => isIssuer(authority, checked));
      if (root !== undefined) return isValidNow(root) && allowsClients(root);
      const intermediate: X509Certificate | undefined = checked.issuerCertificate;
      subject = intermediate !== undefined && isIssuer(intermediate, checked) ? intermediate : undefined;
    }
    return false;
  }

  #privateKey(): KeyObject {
    this.#read ??= createPrivateKey(this.#key());
    return this.#read;
  }
}

function isValidNow({ validFrom, validTo }: X509Certificate): boolean {
  const now = Date.now();
  return Date.parse(validFrom) <= now && now <= Date.parse(validTo);
}

/** Whether the certificate of an authority verifies the other certificate. */
function isIssuer(authority: X509Certificate, certificate: X509Certificate): boolean {
  return authority.ca && certificate.checkIssued(authority) && certificate.verify(authority.publicKey);
}

/** Whether the extended key usage of a certificate includes clients. A certificate without extended key usages has no restriction. */
function allowsClients(certificate: X509Certificate): boolean {
  const usages = usagesOf(certificate);
  return usages === undefined || usages.includes(clientUsage) || usages.includes(anyUsage);
}

/**
 * Returns the extended key usages of a certificate. Node.js sets `keyUsage` to undefined for a certificate without extended key usages,
 * although the declared type does not include undefined.
 */
function usagesOf({ keyUsage }: X509Certificate): readonly string[] | undefined {
  return keyUsage;
}
