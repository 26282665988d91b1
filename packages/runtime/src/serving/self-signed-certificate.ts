import { generateKeyPairSync, randomBytes, sign, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import {
  bitString,
  der,
  explicit,
  integer,
  ipBytes,
  objectId,
  octetString,
  sequence,
  set,
  time,
} from '@kubewright/api/certificates';
import type { KeyPair } from './key-pair.js';

const HOUR_MS = 3_600_000;
const YEAR_MS = 365 * 24 * HOUR_MS;
const COMMON_NAME = objectId('2.5.4.3');
const SUBJECT_ALTERNATIVE_NAME = objectId('2.5.29.17');
const ECDSA_WITH_SHA256 = sequence(objectId('1.2.840.10045.4.3.2'));
const UTF8_STRING = 0x0c;
const DNS_NAME = 0x82;
const IP_ADDRESS = 0x87;

/**
 * Creates a self-signed certificate for host names and IP addresses, with a P-256 key and valid for a year. Uses no library for the
 * encoding, because a library would add 20 MB of memory and 170 ms of start time to every operator.
 */
export function selfSignedCertificate(hosts: readonly string[]): KeyPair {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const now = Date.now();
  const commonName = Buffer.from((hosts[0] ?? 'localhost').slice(0, 64), 'utf8');
  const name = sequence(set(sequence(COMMON_NAME, der(UTF8_STRING, commonName))));
  const names = hosts.map((host) =>
    isIP(host) === 0 ? der(DNS_NAME, Buffer.from(host, 'latin1')) : der(IP_ADDRESS, ipBytes(host)),
  );
  const extension = sequence(SUBJECT_ALTERNATIVE_NAME, octetString(sequence(...names)));
  const certified = sequence(
    explicit(0, integer(Buffer.from([2]))),
    // The first byte is 1, so that the serial number is positive.
    integer(Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    ECDSA_WITH_SHA256,
    name,
    sequence(time(new Date(now - HOUR_MS)), time(new Date(now + YEAR_MS))),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    explicit(3, sequence(extension)),
  );
  const certificate = sequence(certified, ECDSA_WITH_SHA256, bitString(sign('sha256', certified, privateKey)));
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    cert: new X509Certificate(certificate).toString(),
  };
}
