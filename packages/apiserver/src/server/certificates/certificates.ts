import { encodedName, extensions, issueCertificate, keyText, newKeyPair } from '@kubewright/api/certificates';

/**
 * A TLS serving certificate and its private key, and the certificate authority with which clients verify the certificate. All values are
 * PEM.
 */
export interface ServingCertificate {
  readonly certificateAuthority: string;
  readonly certificate: string;
  readonly key: string;
}

const serverPurpose = '1.3.6.1.5.5.7.3.1';
const validMs = 365 * 24 * 60 * 60 * 1000;
const made = new Map<string, ServingCertificate>();

/**
 * Returns a certificate for a host, 127.0.0.1, localhost and the names of the Service `kubernetes`, with its own P-256 authority. Each
 * process creates the certificate of a host once, so all servers of a process with the same host share the certificate.
 */
export function servingCertificate(host: string): ServingCertificate {
  const known = made.get(host);
  if (known !== undefined) return known;
  const making = makeCertificate(host);
  made.set(host, making);
  return making;
}

function makeCertificate(host: string): ServingCertificate {
  const [authority, keys] = [newKeyPair(), newKeyPair()];
  const issuer = encodedName('kubewright-ca');
  const shared = {
    issuer,
    notBefore: new Date(Date.now() - 60 * 60 * 1000),
    notAfter: new Date(Date.now() + validMs),
    signingKey: authority.privateKey,
  };
  const certificateAuthority = issueCertificate({
    ...shared,
    serialNumber: Buffer.from([1]),
    subject: issuer,
    publicKey: authority.publicKey,
    extensions: [extensions.authority(), extensions.signsCertificates(), extensions.subjectKey(authority.publicKey)],
  });
  const certificate = issueCertificate({
    ...shared,
    serialNumber: Buffer.from([2]),
    subject: encodedName('kubewright-apiserver'),
    publicKey: keys.publicKey,
    extensions: [
      extensions.signsHandshakes(),
      extensions.purposes(serverPurpose),
      extensions.hosts(
        new Set(['127.0.0.1', 'localhost', 'kubernetes', 'kubernetes.default', 'kubernetes.default.svc', host]),
      ),
      extensions.authorityKey(authority.publicKey),
    ],
  });
  return { certificateAuthority, certificate, key: keyText(keys.privateKey) };
}
