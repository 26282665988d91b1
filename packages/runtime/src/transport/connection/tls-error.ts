/** The error codes of Node.js and OpenSSL for a server certificate that is not trusted. */
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

/**
 * Returns the error among the causes of `error` that reports an untrusted certificate of the server. Returns undefined if there is none.
 */
export function tlsErrorOf(error: unknown): Error | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (UNTRUSTED.has(String((at as { readonly code?: unknown }).code))) return at;
  }
  return undefined;
}
