import { type ServiceAccountTokens, tokenIssuer } from '../../authentication/service-account-tokens.js';
import { checkServed } from '../answers/accept.js';
import { type Answer, json } from '../answers/answer.js';
import type { ApiRequest } from '../api-request.js';

const configurationPath = '/.well-known/openid-configuration';
const keysPath = '/openid/v1/jwks';
const keysType = 'application/jwk-set+json';
const cached = { 'cache-control': 'public, max-age=3600' };

/** Returns whether `tokenDiscovery` answers the path. */
export function isTokenDiscovery(path: string): boolean {
  return path === configurationPath || path === keysPath;
}

/**
 * Returns the documents for verifying ServiceAccount tokens: the OpenID configuration and the keys. Returns undefined for other paths.
 * Throws 406 if the client does not accept the type of the document.
 */
export function tokenDiscovery(
  { path, headers: { accept } }: Pick<ApiRequest, 'path' | 'headers'>,
  { tokens, address }: { readonly tokens: ServiceAccountTokens; readonly address: () => string },
): Answer | undefined {
  if (path === configurationPath) {
    const document = {
      issuer: tokenIssuer,
      jwks_uri: `https://${address()}${keysPath}`,
      response_types_supported: ['id_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['ES256'],
    };
    checkServed(accept, ['application/json']);
    return json(document, 200, cached);
  }
  if (path !== keysPath) return undefined;
  checkServed(accept, [keysType]);
  const headers = { ...cached, 'content-type': keysType };
  return json({ keys: [tokens.publicKey()] }, 200, headers);
}
