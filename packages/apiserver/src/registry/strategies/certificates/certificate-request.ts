import { constants, createPublicKey, type KeyObject, verify } from 'node:crypto';
import { certificateRequestBytes, outerError } from './certificate-request-form.js';

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
  /** The reason why the signature is not valid, in the words of Go, or undefined for a valid signature. */
  readonly signatureError: string | undefined;
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
/** The signature algorithms by their object identifiers, with their digests. */
const algorithms = new Map<string, SignatureAlgorithm>([
  ['2a8648ce3d0401', { digest: 'sha1', failure: 'x509: ECDSA verification failure' }],
  ['2a8648ce3d040302', { digest: 'sha256', failure: 'x509: ECDSA verification failure' }],
  ['2a8648ce3d040303', { digest: 'sha384', failure: 'x509: ECDSA verification failure' }],
  ['2a8648ce3d040304', { digest: 'sha512', failure: 'x509: ECDSA verification failure' }],
  ['2a864886f70d010105', { digest: 'sha1', failure: 'crypto/rsa: verification error' }],
  ['2a864886f70d01010b', { digest: 'sha256', failure: 'crypto/rsa: verification error' }],
  ['2a864886f70d01010c', { digest: 'sha384', failure: 'crypto/rsa: verification error' }],
  ['2a864886f70d01010d', { digest: 'sha512', failure: 'crypto/rsa: verification error' }],
  ['2b6570', { digest: undefined, failure: 'x509: Ed25519 verification failure' }],
]);
/** The identifier of RSASSA-PSS, whose parameters contain the identifier of the digest. */
const pss = '2a864886f70d01010a';
const pssDigests = new Map([
  ['608648016503040201', 'sha256'],
  ['608648016503040202', 'sha384'],
  ['608648016503040203', 'sha512'],
]);

interface SignatureAlgorithm {
  readonly digest: string | undefined;
  /** The error of Go for a signature that does not match. */
  readonly failure: string;
  readonly isPss?: boolean;
}

/** Parses `spec.request`, a certificate request in PEM and base64. Returns undefined if its structure is damaged. */
export function parseCertificateRequest(request: string): CertificateRequest | undefined {
  try {
    return parse(certificateRequestBytes(pemOf(request)) ?? Buffer.alloc(0));
  } catch {
    // Node.js reports damaged keys with different errors.
    return undefined;
  }
}

/** Returns the error in the structure or the signature of `spec.request`, in the words of Go, or undefined. */
export function certificateRequestError(request: string): string | undefined {
  const wrong = outerError(pemOf(request));
  if (wrong !== undefined) return wrong;
  const parsed = parseCertificateRequest(request);
  return parsed === undefined ? 'asn1: syntax error: sequence truncated' : parsed.signatureError;
}

function pemOf(request: string): string {
  return Buffer.from(request, 'base64').toString('latin1');
}

function parse(bytes: Buffer): CertificateRequest | undefined {
  const [info, algorithm, signature] = valuesIn(valueIn(bytes).content);
  const [, subject, key, attributes] = valuesIn(info?.content);
  if (info === undefined || subject === undefined || key === undefined || signature === undefined) return undefined;
  const publicKey = createPublicKey({ key: key.bytes, format: 'der', type: 'spki' });
  const names = namesIn(attributes);
  const attributesOf = (id: string): readonly string[] =>
    valuesIn(subject.content)
      .flatMap(({ content }) => valuesIn(content))
      .map(({ content }) => valuesIn(content))
      .filter(([type]) => type?.content.toString('hex') === id)
      .map(([, value]) => textOf(value));
  return {
    subject: subject.bytes,
    commonName: attributesOf(ids.commonName).at(-1) ?? '',
    organizations: attributesOf(ids.organization),
    names,
    nameKinds: new Set(
      valuesIn(names === undefined ? undefined : valueIn(names).content).flatMap(({ tag }) => nameKinds.get(tag) ?? []),
    ),
    publicKey,
    signatureError: signatureError(info.bytes, publicKey, valuesIn(algorithm?.content), signature.content.subarray(1)),
  };
}

function signatureError(
  signed: Buffer,
  key: KeyObject,
  [type, parameters]: readonly DerValue[],
  signature: Buffer,
): string | undefined {
  const id = type?.content.toString('hex') ?? '';
  const algorithm = id === pss ? pssAlgorithm(parameters) : algorithms.get(id);
  if (algorithm === undefined) return 'x509: cannot verify signature: algorithm unimplemented';
  const { digest, failure, isPss } = algorithm;
  const padding = isPss === true && {
    padding: constants.RSA_PKCS1_PSS_PADDING,
    saltLength: constants.RSA_PSS_SALTLEN_DIGEST,
  };
  return verify(digest, signed, { key, ...padding }, signature) ? undefined : failure;
}

function pssAlgorithm(parameters: DerValue | undefined): SignatureAlgorithm | undefined {
  const [hash] = valuesIn(parameters?.content);
  const [id] = valuesIn(hash === undefined ? undefined : valueIn(hash.content).content);
  const digest = pssDigests.get(id?.content.toString('hex') ?? '');
  return digest === undefined ? undefined : { digest, failure: 'crypto/rsa: verification error', isPss: true };
}

const bmpString = 0x1e;

/** Returns the text of a string. A BMPString contains two bytes for each character, the higher byte first. */
function textOf(value: DerValue | undefined): string {
  if (value === undefined) return '';
  return value.tag === bmpString
    ? Buffer.from(value.content).swap16().toString('utf16le')
    : value.content.toString('utf8');
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
