import { X509Certificate } from 'node:crypto';
import type { Connection } from './connection.js';

/** Returns a description of the user of a connection for messages. Contains the name of the user if the connection contains it. */
export function identityOf({ impersonate, token, basic, clientCertificate, credentials }: Connection): string {
  if (impersonate?.user !== undefined) return `user '${impersonate.user}' (impersonated)`;
  if (typeof token === 'string') return subjectOf(token) ?? 'the bearer of a token';
  if (token !== undefined) return 'the bearer of the current token';
  if (basic !== undefined) return `user '${basic.username}'`;
  if (clientCertificate !== undefined) return certifiedUser(clientCertificate.cert);
  return credentials === undefined ? 'an anonymous user' : 'the bearer of the current credentials';
}

/**
 * Returns the user of a JWT for messages, such as "user 'system:serviceaccount:<namespace>:<name>'". Returns undefined if the token is not
 * a JWT or has no subject.
 */
function subjectOf(token: string): string | undefined {
  const [, payload] = token.split('.');
  if (payload === undefined) return undefined;
  try {
    const { sub } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { readonly sub?: unknown };
    return typeof sub === 'string' ? `user '${sub}'` : undefined;
  } catch {
    // The token contains dots, but is not a JWT.
    return undefined;
  }
}

function certifiedUser(pem: string): string {
  const name = /^CN=(.*)$/m.exec(new X509Certificate(pem).subject)?.[1];
  return name === undefined ? 'the bearer of a client certificate' : `user '${name}'`;
}
