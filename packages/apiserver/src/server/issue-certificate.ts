import { createHash, createPublicKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isIP } from 'node:net';
import { bitString, der, objectIdentifier, sequence, tags, time, unsigned } from './der.js';

/** Who a certificate is for, or from: a common name, and the organizations that are the groups of a user. */
export interface DistinguishedName {
  readonly commonName: string;
  readonly organizations?: readonly string[];
}

/** What a certificate is to say. */
export interface CertificateContent {
  readonly subject: DistinguishedName;
  readonly publicKey: KeyObject;
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** What the key is for; an authority's signs others. */
  readonly use: 'authority' | 'server' | 'client';
  /** The names and addresses of a server. @default none */
  readonly hosts?: readonly string[];
}

/** Who signs a certificate. */
export interface Issuer {
  readonly name: DistinguishedName;
  readonly privateKey: KeyObject;
}

const identifiers = {
  commonName: '2.5.4.3',
  organization: '2.5.4.10',
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
  subjectKey: '2.5.29.14',
  keyUsage: '2.5.29.15',
  alternativeName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  authorityKey: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
  server: '1.3.6.1.5.5.7.3.1',
  client: '1.3.6.1.5.5.7.3.2',
} as const;
const algorithm = sequence(objectIdentifier(identifiers.ecdsaWithSha256));
const yes = der(tags.boolean, Buffer.from([0xff]));

/** A new P-256 key pair. */
export function newKeyPair(): { readonly publicKey: KeyObject; readonly privateKey: KeyObject } {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' });
}

/** A private key as PEM, and a public one. */
export function keyText(key: KeyObject): string {
  const type = key.type === 'private' ? 'pkcs8' : 'spki';
  return key.export({ type, format: 'pem' }).toString().trimEnd();
}

/** A certificate, version 3, as PEM. The issuer has a P-256 key; one that signs its own is its own authority. */
export function issueCertificate(content: CertificateContent, issuer: Issuer): string {
  const { subject, publicKey, notBefore, notAfter } = content;
  const body = sequence(
    der(0xa0, unsigned(Buffer.from([2]))),
    unsigned(serialNumber()),
    algorithm,
    distinguishedName(issuer.name),
    sequence(time(notBefore), time(notAfter)),
    distinguishedName(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions(content, issuer))),
  );
  const certificate = sequence(body, algorithm, bitString(sign('sha256', body, issuer.privateKey)));
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----'].join('\n');
}

function serialNumber(): Buffer {
  const bytes = randomBytes(15);
  // A certificate without a serial number is refused by some.
  bytes[0] = 1;
  return bytes;
}

function distinguishedName({ commonName, organizations = [] }: DistinguishedName): Buffer {
  const part = (identifier: string, text: string): Buffer =>
    der(tags.set, sequence(objectIdentifier(identifier), der(tags.utf8String, Buffer.from(text))));
  return sequence(
    ...organizations.map((organization) => part(identifiers.organization, organization)),
    part(identifiers.commonName, commonName),
  );
}

function extensions({ use, publicKey, hosts = [] }: CertificateContent, issuer: Issuer): readonly Buffer[] {
  if (use === 'authority') {
    return [
      critical(identifiers.basicConstraints, sequence(yes)),
      // It signs certificates and lists of revoked ones.
      critical(identifiers.keyUsage, bitString(Buffer.from([0x06]), 1)),
      extension(identifiers.subjectKey, der(tags.octetString, keyIdentifier(publicKey))),
    ];
  }
  const named = hosts.length === 0 ? [] : [extension(identifiers.alternativeName, sequence(...hosts.map(generalName)))];
  return [
    // It signs what it sends.
    critical(identifiers.keyUsage, bitString(Buffer.from([0x80]), 7)),
    extension(identifiers.extendedKeyUsage, sequence(objectIdentifier(identifiers[use]))),
    ...named,
    extension(identifiers.authorityKey, sequence(der(0x80, keyIdentifier(createPublicKey(issuer.privateKey))))),
  ];
}

function extension(identifier: string, value: Buffer): Buffer {
  return sequence(objectIdentifier(identifier), der(tags.octetString, value));
}

function critical(identifier: string, value: Buffer): Buffer {
  return sequence(objectIdentifier(identifier), yes, der(tags.octetString, value));
}

/** The digest by which a certificate names a key. */
function keyIdentifier(key: KeyObject): Buffer {
  const point = key.export({ type: 'spki', format: 'der' }).subarray(-65);
  return createHash('sha1').update(point).digest();
}

function generalName(host: string): Buffer {
  const version = isIP(host);
  if (version === 0) return der(0x82, Buffer.from(host));
  return der(0x87, version === 4 ? Buffer.from(host.split('.').map(Number)) : addressBytes(host));
}

/** The 16 bytes of an IPv6 address. */
function addressBytes(address: string): Buffer {
  // A URL has the address in its one form: no zone, no dots.
  const { hostname } = new URL(`http://[${address.replace(/%.*/, '')}]`);
  const [head = '', tail] = hostname.slice(1, -1).split('::');
  const groups = (text: string): readonly string[] => (text === '' ? [] : text.split(':'));
  const before = groups(head);
  const after = groups(tail ?? '');
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return Buffer.from([...before, ...zeros, ...after].map((group) => group.padStart(4, '0')).join(''), 'hex');
}
