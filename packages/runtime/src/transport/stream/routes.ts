import type { Connection } from '../connection/connection.js';
import type { Credential } from '../connection/credential-source.js';
import { InProcessRoute } from './in-process-route.js';
import { NetworkRoute, type Route, type RouteOptions } from './route.js';
import { inProcessServerOf } from '../connection/in-process-server.js';
import { type TlsMaterial, tlsOptionsOf } from '../connection/tls-options.js';

/**
 * Provides the route for the current certificates. If the certificate authorities change, new connections use the new certificate
 * authorities, and requests and streams on old connections continue. If the client certificate changes, streams on old connections are also
 * closed, because the old certificate may be invalid.
 */
export class Routes {
  readonly #connection: Connection;
  readonly #options: Omit<RouteOptions, 'tls'>;
  /** Previous routes that may still have requests or streams. */
  #retired: readonly Route[] = [];
  #material: TlsMaterial;
  #current: Route;

  constructor(connection: Connection, options: Omit<RouteOptions, 'tls'>) {
    this.#connection = connection;
    this.#options = options;
    this.#material = { ca: connection.ca, clientCertificate: connection.clientCertificate };
    this.#current = this.#make();
  }

  /** Returns the route for these certificates. Without a credential, the client certificate does not change. */
  of({ ca, credential }: { readonly ca: string | undefined; readonly credential: Credential | undefined }): Route {
    const before = this.#material;
    const clientCertificate =
      credential === undefined
        ? before.clientCertificate
        : (credential.clientCertificate ?? this.#connection.clientCertificate);
    const material = { ca, clientCertificate };
    const sameClient = sameCertificate(before.clientCertificate, material.clientCertificate);
    if (before.ca === material.ca && sameClient) return this.#current;
    const replaced = this.#current;
    this.#material = material;
    this.#current = this.#make();
    replaced.retire();
    if (!sameClient) replaced.replaceStreams();
    this.#retired = [...this.#retired, replaced].filter((route) => !route.isIdle);
    return this.#current;
  }

  /** Closes all connections. */
  async close(): Promise<void> {
    await Promise.all([this.#current, ...this.#retired].map((route) => route.close()));
  }

  #make(): Route {
    const server = inProcessServerOf(this.#connection);
    if (server === undefined) {
      return new NetworkRoute({ ...this.#options, tls: tlsOptionsOf(this.#connection, this.#material) });
    }
    return new InProcessRoute({ ...this.#options, server, certificate: this.#material.clientCertificate?.cert });
  }
}

function sameCertificate(a: TlsMaterial['clientCertificate'], b: TlsMaterial['clientCertificate']): boolean {
  return a?.cert === b?.cert && a?.key === b?.key;
}
