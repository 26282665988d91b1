/** Codes of errors of Node.js and OpenSSL about the certificate of a server. */
const UNTRUSTED: ReadonlySet<string> = new Set([
  'CERT_HAS_EXPIRED',
  'CERT_SIGNATURE_FAILURE',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** Returns the error in the cause chain that rejects the certificate of the server; undefined if there is none. */
export function tlsErrorOf(error: unknown): Error | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (UNTRUSTED.has(String((at as { readonly code?: unknown }).code))) return at;
  }
  return undefined;
}
