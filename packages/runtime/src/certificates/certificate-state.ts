import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { KeyPair } from '../serving/key-pair.js';
import type { Signer } from './issue-certificates.js';
import { pemCertificates } from './pem-certificates.js';

/** The keys of the Secret. Other sources of certificates, such as cert-manager, also use the first three keys. */
export const SECRET_KEYS = {
  serving: 'tls.crt',
  servingKey: 'tls.key',
  authorities: 'ca.crt',
  authorityKey: 'ca.key',
  previous: 'previous.crt',
} as const;

/** A serving certificate with its private key. */
export interface Serving {
  readonly certificate: X509Certificate;
  readonly keyPair: KeyPair;
}

/** The certificates and keys that all replicas of an operator share for its webhooks. */
export interface CertificateState {
  /** The authority that signs new serving certificates. Undefined if the Secret contains no usable authority. */
  readonly signer: Signer | undefined;
  /** The bundle: the authorities with which clients verify the webhooks. The signer is the first authority. */
  readonly authorities: readonly X509Certificate[];
  /** The certificate that replicas serve. Undefined if the Secret contains no usable serving certificate. */
  readonly serving: Serving | undefined;
  /** Earlier serving certificates. A replica that cannot read the Secret may still serve an earlier certificate. */
  readonly previous: readonly X509Certificate[];
}

/** A key of the Secret whose value cannot be used. */
export interface KeyProblem {
  readonly key: string;
  /** What is wrong. Never contains a part of the value. */
  readonly problem: string;
}

/** The content of a Secret: the usable certificates, and the keys whose values cannot be used. */
export interface ParsedState {
  readonly state: CertificateState;
  readonly problems: readonly KeyProblem[];
}

type Data = Readonly<Record<string, unknown>>;

/** Reads the data of a Secret, whose values are base64. Never throws. */
export function parseState(data: Data): ParsedState {
  const problems: KeyProblem[] = [];
  const report = (key: string, problem: string): undefined => void problems.push({ key, problem });
  const authorities = certificatesOf(data, SECRET_KEYS.authorities, report);
  if (authorities.length === 0) report(SECRET_KEYS.authorities, 'contains no certificate in PEM format');
  const signer = signerOf(data, authorities[0], report);
  const serving = servingOf(data, report);
  const previous = certificatesOf(data, SECRET_KEYS.previous, report);
  return { state: { authorities, signer, serving, previous }, problems };
}

/** Returns the data of the Secret for a state with a signer and a serving certificate. */
export function stateData({ authorities, signer, serving, previous }: CertificateState): Record<string, string> {
  return {
    [SECRET_KEYS.serving]: base64(serving?.keyPair.cert ?? ''),
    [SECRET_KEYS.servingKey]: base64(serving?.keyPair.key ?? ''),
    [SECRET_KEYS.authorities]: base64(bundleOf(authorities)),
    [SECRET_KEYS.authorityKey]: base64(signer?.key ?? ''),
    [SECRET_KEYS.previous]: base64(bundleOf(previous)),
  };
}

/** Returns certificates as one PEM text. */
export function bundleOf(certificates: readonly X509Certificate[]): string {
  return certificates.map((certificate) => certificate.toString()).join('');
}

/** Returns the value of a field `caBundle` for a state. */
export function caBundleOf({ authorities }: CertificateState): string {
  return base64(bundleOf(authorities));
}

/** Returns a key pair as a serving certificate. Throws if the certificate cannot be read. */
export function servingFrom(keyPair: KeyPair): Serving {
  return { keyPair, certificate: new X509Certificate(keyPair.cert) };
}

type Report = (key: string, problem: string) => undefined;

function signerOf(data: Data, first: X509Certificate | undefined, report: Report): Signer | undefined {
  const key = keyOf(data, SECRET_KEYS.authorityKey, report);
  if (key === undefined || first === undefined) return undefined;
  if (!first.ca) return report(SECRET_KEYS.authorities, 'the first certificate is not a certificate authority');
  if (!first.checkPrivateKey(createPrivateKey(key))) {
    return report(SECRET_KEYS.authorityKey, `does not belong to the first certificate of ${SECRET_KEYS.authorities}`);
  }
  return { certificate: first, key };
}

function servingOf(data: Data, report: Report): Serving | undefined {
  const [certificate] = certificatesOf(data, SECRET_KEYS.serving, report);
  const key = keyOf(data, SECRET_KEYS.servingKey, report);
  if (certificate === undefined) return report(SECRET_KEYS.serving, 'contains no certificate in PEM format');
  if (key === undefined) return undefined;
  if (!certificate.checkPrivateKey(createPrivateKey(key))) {
    return report(SECRET_KEYS.servingKey, `does not belong to ${SECRET_KEYS.serving}`);
  }
  return { certificate, keyPair: { cert: certificate.toString(), key } };
}

function certificatesOf(data: Data, key: string, report: Report): readonly X509Certificate[] {
  const texts = pemCertificates(textOf(data, key));
  try {
    return texts.map((text) => new X509Certificate(text));
  } catch {
    // The message of OpenSSL does not help, and could contain a part of the value.
    report(key, 'contains a certificate that cannot be read');
    return [];
  }
}

function keyOf(data: Data, key: string, report: Report): string | undefined {
  const text = textOf(data, key);
  if (text === '') return report(key, 'is missing or empty');
  try {
    createPrivateKey(text);
    return text;
  } catch {
    return report(key, 'is not a private key in PEM format');
  }
}

function textOf(data: Data, key: string): string {
  const value = data[key];
  return typeof value === 'string' ? Buffer.from(value, 'base64').toString('utf8') : '';
}
function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
