import { X509Certificate } from 'node:crypto';

/** Returns the error in `status.certificate`, certificates in PEM and base64, in the words of Go, or undefined. */
export function issuedCertificateError(certificate: string): string | undefined {
  if (certificate === '') return undefined;
  let isFound = false;
  // Takes linear time, even if no block ends.
  for (const text of Buffer.from(certificate, 'base64')
    .toString('latin1')
    .split(/(?:^|\n)-----BEGIN /)
    .slice(1)) {
    const block = blockIn(text);
    if (block === undefined) continue;
    if (block.type !== 'CERTIFICATE') {
      return `only CERTIFICATE PEM blocks are allowed, found ${JSON.stringify(block.type)}`;
    }
    if (block.body.includes(':')) return 'no PEM block headers are permitted';
    isFound = true;
    const wrong = certificateError(Buffer.from(block.body, 'base64'));
    if (wrong !== undefined) return wrong;
  }
  return isFound ? undefined : 'must contain at least one CERTIFICATE PEM block';
}

/** Returns the PEM block at the start of the text, after `-----BEGIN `. Like Go, ignores a block without an end or with damaged base64. */
function blockIn(text: string): { readonly type: string; readonly body: string } | undefined {
  const lineEnd = text.indexOf('\n');
  const title = text.slice(0, Math.max(lineEnd, 0)).trimEnd();
  if (!title.endsWith('-----')) return undefined;
  const type = title.slice(0, -'-----'.length);
  const end = text.indexOf(`\n-----END ${type}-----`, lineEnd);
  if (end < 0) return undefined;
  const body = text.slice(lineEnd, end).trim();
  return body.includes(':') || /^[A-Za-z0-9+/\s]*={0,2}$/.test(body) ? { type, body } : undefined;
}

function certificateError(bytes: Buffer): string | undefined {
  if (bytes.length === 0) return 'found CERTIFICATE PEM block containing 0 certificates';
  try {
    void new X509Certificate(bytes);
    return undefined;
  } catch {
    // The errors of Node.js depend on the version of OpenSSL.
    return 'x509: malformed certificate';
  }
}
