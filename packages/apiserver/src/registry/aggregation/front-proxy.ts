import { encodedName, extensions, issueCertificate, keyText, newKeyPair } from '@kubewright/api/certificates';

/** The certificate with which the server authenticates to aggregated API servers, its private key and its authority, as PEM. */
export interface FrontProxy {
  readonly certificateAuthority: string;
  readonly certificate: string;
  readonly key: string;
}

/** The common name of the certificate of the front proxy. */
export const frontProxyName = 'front-proxy-client';

const authorityName = 'kubewright-front-proxy-ca';
const clientPurpose = '1.3.6.1.5.5.7.3.2';
const hourMs = 60 * 60 * 1000;
const validMs = 365 * 24 * hourMs;
const made: FrontProxy[] = [];

/**
 * Returns the certificate of the front proxy, with its own P-256 authority. All servers of a process share the certificate. Aggregated API
 * servers trust the users in the headers of a request with this certificate.
 */
export function frontProxy(): FrontProxy {
  const [known] = made;
  if (known !== undefined) return known;
  const [authority, keys] = [newKeyPair(), newKeyPair()];
  const now = Date.now();
  const shared = {
    issuer: encodedName(authorityName),
    notBefore: new Date(now - hourMs),
    notAfter: new Date(now + validMs),
    signingKey: authority.privateKey,
  };
  const certificateAuthority = issueCertificate({
    ...shared,
    serialNumber: Buffer.from([1]),
    subject: shared.issuer,
    publicKey: authority.publicKey,
    extensions: [extensions.authority(), extensions.signsCertificates(), extensions.subjectKey(authority.publicKey)],
  });
  const certificate = issueCertificate({
    ...shared,
    serialNumber: Buffer.from([2]),
    subject: encodedName(frontProxyName),
    publicKey: keys.publicKey,
    extensions: [
      extensions.signsHandshakes(),
      extensions.purposes(clientPurpose),
      extensions.authorityKey(authority.publicKey),
    ],
  });
  const issued = { certificateAuthority, certificate, key: keyText(keys.privateKey) };
  made.push(issued);
  return issued;
}
