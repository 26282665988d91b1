import type { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import type { TLSSocket } from 'node:tls';

/** The data with which the server verifies the certificate of a webhook. */
export interface Verification {
  /** The host name or the IP address that the certificate must contain. */
  readonly serverName: string;
  /** The trusted certificate authorities. Undefined for the authorities that Node.js trusts. */
  readonly authorities: readonly X509Certificate[] | undefined;
  readonly now: Date;
}

const mostNames = 100;

/** Go's error texts for the verification errors of OpenSSL, except for errors about an unknown authority. */
const texts: ReadonlyMap<string, string> = new Map([
  ['INVALID_PURPOSE', 'x509: certificate specifies an incompatible key usage'],
  ['PATH_LENGTH_EXCEEDED', 'x509: too many intermediates for path length constraint'],
]);

/**
 * Verifies the certificate of a TLS connection that is established with `rejectUnauthorized: false`. Returns undefined if the certificate
 * is valid for the server name, and Go's error text otherwise. The checks run in the same order as in Go.
 */
export function certificateFault(
  socket: TLSSocket,
  { serverName, authorities, now }: Verification,
): string | undefined {
  const certificate = socket.getPeerX509Certificate();
  if (certificate === undefined) return 'tls: received empty certificates message';
  const fault = validityFault(certificate, now) ?? nameFault(certificate, serverName);
  if (fault === undefined && socket.authorized) return undefined;
  return `tls: failed to verify certificate: ${fault ?? chainFault(socket, certificate, authorities)}`;
}

function validityFault({ validFrom, validTo }: X509Certificate, now: Date): string | undefined {
  const lead = `x509: certificate has expired or is not yet valid: current time ${goTime(now)}`;
  const [from, to] = [new Date(validFrom), new Date(validTo)];
  if (now < from) return `${lead} is before ${goTime(from)}`;
  return now > to ? `${lead} is after ${goTime(to)}` : undefined;
}

function nameFault(certificate: X509Certificate, serverName: string): string | undefined {
  const isAddress = isIP(serverName) !== 0;
  if (isAddress) {
    if (certificate.checkIP(serverName) !== undefined) return undefined;
  } else if (matches(certificate, serverName, 'never')) return undefined;
  const names = alternativeNames(certificate);
  if (names.length === 0 && !isAddress && matches(certificate, serverName, 'always')) {
    return 'x509: certificate relies on legacy Common Name field, use SANs instead';
  }
  return isAddress ? addressFault(names, serverName) : hostFault(names, serverName);
}

function matches(certificate: X509Certificate, serverName: string, subject: 'always' | 'never'): boolean {
  return certificate.checkHost(serverName, { subject, partialWildcards: false }) !== undefined;
}

function addressFault(names: readonly string[], serverName: string): string {
  const addresses = named(names, 'IP Address:').map(shortAddress);
  if (addresses.length === 0) {
    return `x509: cannot validate certificate for ${serverName} because it doesn't contain any IP SANs`;
  }
  if (addresses.length < mostNames) return `x509: certificate is valid for ${addresses.join(', ')}, not ${serverName}`;
  return `x509: certificate is valid for ${addresses.length} IP SANs, but none matched ${serverName}`;
}

function hostFault(names: readonly string[], serverName: string): string {
  const hosts = named(names, 'DNS:');
  if (hosts.length === 0) return `x509: certificate is not valid for any names, but wanted to match ${serverName}`;
  if (hosts.length < mostNames) return `x509: certificate is valid for ${hosts.join(', ')}, not ${serverName}`;
  return `x509: certificate is valid for ${hosts.length} names, but none matched ${serverName}`;
}

function alternativeNames({ subjectAltName }: X509Certificate): readonly string[] {
  return subjectAltName === undefined || subjectAltName === '' ? [] : subjectAltName.split(', ');
}

function named(names: readonly string[], type: string): readonly string[] {
  return names.filter((name) => name.startsWith(type)).map((name) => name.slice(type.length));
}

/** Returns an IPv6 address in its short form. */
function shortAddress(address: string): string {
  return address.includes(':') ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address;
}

function chainFault(
  socket: TLSSocket,
  certificate: X509Certificate,
  authorities: Verification['authorities'] = [],
): string {
  // Node.js declares `authorizationError` as an Error, but the value is the error code.
  const code = String(socket.authorizationError);
  const known = texts.get(code);
  if (known !== undefined) return known;
  const unknown = 'x509: certificate signed by unknown authority';
  const candidate = namesake(certificate, authorities);
  if (candidate === undefined) return unknown;
  const [why, name] = [signatureFault(candidate), commonName(candidate)].map((text) => JSON.stringify(text));
  return `${unknown} (possibly because of ${why} while trying to verify candidate authority certificate ${name})`;
}

/** Returns a trusted authority that has the name of the issuer, but did not sign the certificate. */
function namesake(certificate: X509Certificate, authorities: readonly X509Certificate[]): X509Certificate | undefined {
  const { issuer } = certificate;
  return authorities.find(({ subject, publicKey }) => subject === issuer && !certificate.verify(publicKey));
}

function signatureFault({ ca, publicKey }: X509Certificate): string {
  if (!ca) return 'x509: invalid signature: parent certificate cannot sign this kind of certificate';
  switch (publicKey.asymmetricKeyType) {
    case 'rsa':
      return 'crypto/rsa: verification error';
    case 'ed25519':
      return 'x509: Ed25519 verification failure';
    default:
      return 'x509: ECDSA verification failure';
  }
}

/** Returns the name of an authority as Go shows it: the common name, the organization or the serial number. */
function commonName({ subject, serialNumber }: X509Certificate): string {
  const fields = subject.split('\n');
  const value = (field: string): string | undefined =>
    fields.find((each) => each.startsWith(`${field}=`))?.slice(field.length + 1);
  return value('CN') ?? value('O') ?? `serial:${BigInt(`0x${serialNumber}`)}`;
}

function goTime(time: Date): string {
  return time.toISOString().replace(/\.\d+Z$/, 'Z');
}
