import { issueCertificate, keyText, newKeyPair } from './issue-certificate.js';

/** What a TLS server needs, and what its clients check it against; all PEM. */
export interface ServingCertificate {
  readonly certificateAuthority: string;
  readonly certificate: string;
  readonly key: string;
}

const validMs = 365 * 24 * 60 * 60 * 1000;
const made = new Map<string, ServingCertificate>();

/**
 * The certificate for a host (and for 127.0.0.1 and localhost), with a P-256 authority of its own. Made once in a
 * process: the servers of a test run share it, their tokens tell them apart.
 */
export function servingCertificate(host: string): ServingCertificate {
  const known = made.get(host);
  if (known !== undefined) return known;
  const certificate = makeCertificate(host);
  made.set(host, certificate);
  return certificate;
}

function makeCertificate(host: string): ServingCertificate {
  const authorityKeys = newKeyPair();
  const keys = newKeyPair();
  const authority = { name: { commonName: 'kubewright-ca' }, privateKey: authorityKeys.privateKey };
  const valid = { notBefore: new Date(Date.now() - 60 * 60 * 1000), notAfter: new Date(Date.now() + validMs) };
  const hosts = new Set(['127.0.0.1', 'localhost', 'kubernetes', 'kubernetes.default', 'kubernetes.default.svc', host]);
  const { publicKey } = authorityKeys;
  return {
    certificateAuthority: issueCertificate(
      { ...valid, subject: authority.name, publicKey, use: 'authority' },
      authority,
    ),
    certificate: issueCertificate(
      {
        ...valid,
        subject: { commonName: 'kubewright-apiserver' },
        publicKey: keys.publicKey,
        use: 'server',
        hosts: [...hosts],
      },
      authority,
    ),
    key: keyText(keys.privateKey),
  };
}
