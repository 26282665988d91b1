// A second quantifier for spaces would take quadratic time.
const block = /-----BEGIN CERTIFICATE REQUEST-----([A-Za-z0-9+/=\s]*)-----END CERTIFICATE REQUEST-----/;
const sequence = 0x30;

/** Returns the bytes of a certificate request in PEM, or undefined if the text does not contain a certificate request. */
export function certificateRequestBytes(pem: string): Buffer | undefined {
  const found = block.exec(pem);
  return found === null ? undefined : Buffer.from(found[1] ?? '', 'base64');
}

/** Returns the error in the outer structure of a PKCS#10 request in PEM, in the words of Go, or undefined. */
export function outerError(pem: string): string | undefined {
  const bytes = certificateRequestBytes(pem);
  if (bytes === undefined) return 'PEM block type must be CERTIFICATE REQUEST';
  const [tag = 0, length = 0] = bytes;
  const sized = length < 0x80 ? 0 : length - 0x80;
  const content = sized === 0 ? length : bytes.subarray(2, 2 + sized).reduce((sum, byte) => sum * 256 + byte, 0);
  if (tag !== sequence) {
    const header = `class:${tag >> 6} tag:${tag & 0x1f} length:${content} isCompound:${(tag & 0x20) !== 0}`;
    const parameters =
      'optional:false explicit:false application:false private:false defaultValue:<nil> tag:<nil> stringType:0 ' +
      'timeType:0 set:false omitEmpty:false';
    return `asn1: structure error: tags don't match (16 vs {${header}}) {${parameters}} certificateRequest @2`;
  }
  return bytes.length < 2 + sized + content ? 'asn1: syntax error: data truncated' : undefined;
}
