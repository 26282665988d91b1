import type { X509Certificate } from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import type { User } from '../registry/requests/user.js';
import type { ClientAuthority } from './certificates/client-authority.js';
import type { HttpRequest } from './listener.js';

/**
 * The user of a connection's client certificate. Undefined if there is no certificate or the certificate has no user name, and 'invalid'
 * for a certificate that is not accepted.
 */
export type CertificateUser = User | 'invalid' | undefined;

/** Returns the users of client certificates. Each connection's certificate is verified once. */
export class ClientCertificates {
  readonly #authority: ClientAuthority;
  readonly #known = new WeakMap<object, { readonly user: CertificateUser }>();

  constructor(authority: ClientAuthority) {
    this.#authority = authority;
  }

  /** Returns the user of the client certificate of the request's connection. */
  user(request: HttpRequest): CertificateUser {
    const connection = 'stream' in request ? (request.stream.session ?? request.socket) : request.socket;
    const known = this.#known.get(connection);
    if (known !== undefined) return known.user;
    const user = this.userOf(peerCertificate(request));
    this.#known.set(connection, { user });
    return user;
  }

  /** Returns the user of a client certificate. */
  userOf(certificate: X509Certificate | undefined): CertificateUser {
    if (certificate === undefined) return undefined;
    const user = this.#authority.user(certificate);
    if (user === undefined) return 'invalid';
    return user.name === '' ? undefined : user;
  }
}

function peerCertificate(request: HttpRequest): X509Certificate | undefined {
  return (request.socket as TLSSocket).getPeerX509Certificate();
}
