import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { certificateRequestBytes } from '../../../registry/strategies/certificates/certificate-request-form.js';

/** A certificate request in the format PKCS#10. */
export interface CertificateRequest {
  /** The encoded name of the subject. */
  readonly subject: Buffer;
  readonly commonName: string;
  readonly organizations: readonly string[];
  /** The encoded alternative names, or undefined if there are none. */
  readonly names: Buffer | undefined;
  /** The kinds of the alternative names. */
  readonly nameKinds: ReadonlySet<'dns' | 'email' | 'ip' | 'uri'>;
  readonly publicKey: KeyObject;
}

interface DerValue {
  readonly tag: number;
  readonly content: Buffer;
  /** The bytes of the value, including its tag and its length. */
  readonly bytes: Buffer;
}

/** The content of object identifiers as hexadecimal digits. */
const ids = { commonName: '550403', organization: '55040a', extensions: '2a864886f70d01090e', names: '551d11' };
const nameKinds = new Map<number, 'dns' | 'email' | 'ip' | 'uri'>([
  [0x81, 'email'],
  [0x82, 'dns'],
  [0x86, 'uri'],
  [0x87, 'ip'],
]);
/** The digests of signature algorithms by their object identifiers. */
const digests = new Map<string, string | null>([
  ['2a8648ce3d040302', 'sha256'],
  ['2a8648ce3d040303', 'sha384'],
  ['2a8648ce3d040304', 'sha512'],
  ['2a864886f70d01010b', 'sha256'],
  ['2a864886f70d01010c', 'sha384'],
  ['2a864886f70d01010d', 'sha512'],
  ['2b6570', null],
]);

/** Parses a certificate request in PEM. Returns undefined if the request is damaged or its signature is not valid. */
export function parseCertificateRequest(pem: string): CertificateRequest | undefined {
  try {
    return parse(certificateRequestBytes(pem) ?? Buffer.alloc(0));
  } catch {
    // Node.js reports damaged keys and damaged signatures with different errors.
    return undefined;
  }
}

function parse(bytes: Buffer): CertificateRequest | undefined {
  const [info, algorithm, signature] = valuesIn(valueIn(bytes).content);
  const [, subject, key, attributes] = valuesIn(info?.content);
  if (info === undefined || subject === undefined || key === undefined || signature === undefined) return undefined;
  const publicKey = createPublicKey({ key: key.bytes, format: 'der', type: 'spki' });
  const digest = digests.get(valueIn(algorithm?.content).content.toString('hex'));
  if (digest === undefined || !verify(digest, info.bytes, publicKey, signature.content.subarray(1))) return undefined;
  const names = namesIn(attributes);
  const attributesOf = (id: string): readonly string[] =>
    valuesIn(subject.content)
      .flatMap(({ content }) => valuesIn(content))
      .map(({ content }) => valuesIn(content))
      .filter(([type]) => type?.content.toString('hex') === id)
      .map(([, value]) => value?.content.toString('utf8') ?? '');
  return {
    subject: subject.bytes,
    commonName: attributesOf(ids.commonName).at(-1) ?? '',
    organizations: attributesOf(ids.organization),
    names,
    nameKinds: new Set(
      valuesIn(names === undefined ? undefined : valueIn(names).content).flatMap(({ tag }) => nameKinds.get(tag) ?? []),
    ),
    publicKey,
  };
}

/** Returns the alternative names in the requested extensions. */
function namesIn(attributes: DerValue | undefined): Buffer | undefined {
  for (const attribute of valuesIn(attributes?.content)) {
    const [type, values] = valuesIn(attribute.content);
    if (type?.content.toString('hex') !== ids.extensions) continue;
    for (const extension of valuesIn(valueIn(values?.content).content)) {
      const parts = valuesIn(extension.content);
      if (parts[0]?.content.toString('hex') === ids.names) return parts.at(-1)?.content;
    }
  }
  return undefined;
}

function valueIn(bytes: Buffer | undefined): DerValue {
  const [value] = valuesIn(bytes);
  if (value === undefined) throw new RangeError('a value is missing');
  return value;
}

/** Returns the values of a sequence or a set in the Distinguished Encoding Rules (DER) of ASN.1. Throws if a value is damaged. */
function valuesIn(bytes: Buffer = Buffer.alloc(0)): readonly DerValue[] {
  const values: DerValue[] = [];
  for (let at = 0; at < bytes.length; ) {
    const tag = bytes.readUInt8(at);
    const first = bytes.readUInt8(at + 1);
    const lengthBytes = first < 0x80 ? 0 : first - 0x80;
    const start = at + 2 + lengthBytes;
    const end = start + (lengthBytes === 0 ? first : bytes.readUIntBE(at + 2, lengthBytes));
    if (end > bytes.length) throw new RangeError('a value is truncated');
    values.push({ tag, content: bytes.subarray(start, end), bytes: bytes.subarray(at, end) });
    at = end;
  }
  return values;
}
