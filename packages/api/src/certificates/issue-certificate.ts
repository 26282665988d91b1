import { createHash, generateKeyPairSync, type KeyObject, sign, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { bitString, der, explicit, integer, objectId, octetString, sequence, set, time } from './der.js';
import { ipBytes } from './ip-bytes.js';

const TAG = { boolean: 0x01, bits: 0x03, utf8: 0x0c, keyId: 0x80, dnsName: 0x82, ipAddress: 0x87 } as const;
const ECDSA_WITH_SHA256 = sequence(objectId('1.2.840.10045.4.3.2'));
const ATTRIBUTES = { commonName: objectId('2.5.4.3'), organization: objectId('2.5.4.10') } as const;
const TRUE = der(TAG.boolean, Buffer.from([0xff]));
/** The length of a P-256 public key in a certificate, in bytes. */
const PUBLIC_KEY_BYTES = 65;

/** A P-256 key pair. */
export interface KeyPair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

/** The values of a certificate. */
export interface CertificateContent {
  /** A positive number. */
  readonly serialNumber: Uint8Array;
  /** The encoded name of the authority. */
  readonly issuer: Uint8Array;
  /** The encoded name of the subject. */
  readonly subject: Uint8Array;
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** The public P-256 key of the subject. */
  readonly publicKey: KeyObject;
  /** The private P-256 key of the authority. */
  readonly signingKey: KeyObject;
  readonly extensions: readonly Uint8Array[];
}

/**
 * Issues a certificate, and returns it as PEM. Uses no library, because a library would add 20 MB of memory and 170 ms of start time to
 * every operator and every embedded server.
 */
export function issueCertificate(content: CertificateContent): string {
  const { serialNumber, issuer, subject, notBefore, notAfter, publicKey, signingKey, extensions } = content;
  const certified = sequence(
    explicit(0, integer(Buffer.from([2]))),
    integer(serialNumber),
    ECDSA_WITH_SHA256,
    issuer,
    sequence(time(notBefore), time(notAfter)),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    explicit(3, sequence(...extensions)),
  );
  const certificate = sequence(certified, ECDSA_WITH_SHA256, bitString(sign('sha256', certified, signingKey)));
  return new X509Certificate(certificate).toString();
}

/** Creates a P-256 key pair. */
export function newKeyPair(): KeyPair {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' });
}

/** Returns a private key as PEM. */
export function keyText(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }) as string;
}

/** Encodes a name with a common name and organizations. */
export function encodedName(commonName: string, organizations: readonly string[] = []): Buffer {
  const part = (attribute: Buffer, value: string): Buffer =>
    set(sequence(attribute, der(TAG.utf8, Buffer.from(value, 'utf8'))));
  const groups = organizations.map((value) => part(ATTRIBUTES.organization, value));
  return sequence(part(ATTRIBUTES.commonName, commonName), ...groups);
}

/** The extensions of certificates. */
export const extensions = {
  /** Marks the certificate of an authority. */
  authority: (): Buffer => critical('2.5.29.19', sequence(TRUE)),
  /** Marks a certificate that does not belong to an authority. */
  noAuthority: (): Buffer => critical('2.5.29.19', sequence()),
  /** Allows the key to sign certificates and revocation lists. */
  signsCertificates: (): Buffer => keyUsages(5, 6),
  /** Allows the key to sign TLS handshakes. */
  signsHandshakes: (): Buffer => keyUsages(0),
  /** Allows the usages of the key with the given bits. */
  keyUsages,
  /** Restricts the purposes of the key to the given object identifiers. */
  purposes: (...ids: readonly string[]): Buffer => extension('2.5.29.37', sequence(...ids.map(objectId))),
  /** Adds host names and IP addresses. */
  hosts: (hosts: Iterable<string>): Buffer => extension('2.5.29.17', sequence(...[...hosts].map(encodedHost))),
  /** Adds names that are already encoded. */
  names: (encoded: Uint8Array): Buffer => extension('2.5.29.17', encoded),
  /** Identifies the key of the subject. */
  subjectKey: (key: KeyObject): Buffer => extension('2.5.29.14', octetString(keyId(key))),
  /** Identifies the key of the authority. */
  authorityKey: (key: KeyObject): Buffer => extension('2.5.29.35', sequence(der(TAG.keyId, keyId(key)))),
} as const;

/** Returns the extension with a list of named bits, which ends with the highest bit. */
function keyUsages(...bits: readonly number[]): Buffer {
  const highest = bits.reduce((most, bit) => Math.max(most, bit));
  const bytes = Buffer.alloc(Math.floor(highest / 8) + 1);
  for (const bit of bits) bytes[Math.floor(bit / 8)] = (bytes[Math.floor(bit / 8)] ?? 0) | (0x80 >> (bit % 8));
  return critical('2.5.29.15', der(TAG.bits, Buffer.from([7 - (highest % 8)]), bytes));
}

function extension(id: string, value: Uint8Array): Buffer {
  return sequence(objectId(id), octetString(value));
}

function critical(id: string, value: Buffer): Buffer {
  return sequence(objectId(id), TRUE, octetString(value));
}

function encodedHost(host: string): Buffer {
  return isIP(host) === 0 ? der(TAG.dnsName, Buffer.from(host, 'latin1')) : der(TAG.ipAddress, ipBytes(host));
}

/** Returns the identifier of a public key: the SHA-1 digest of the key without its algorithm. */
function keyId(key: KeyObject): Buffer {
  const encoded = key.export({ type: 'spki', format: 'der' });
  return createHash('sha1').update(encoded.subarray(-PUBLIC_KEY_BYTES)).digest();
}
