import type { X509Certificate } from 'node:crypto';
import { Agent, type RequestOptions } from 'node:https';
import type { Duplex } from 'node:stream';
import { connect, createSecureContext, type SecureContext, type TLSSocket } from 'node:tls';
import type { Clock } from '@kubewright/api/clock';
import { certificateFault } from './certificate-fault.js';
import { dialFault } from './connection-fault.js';
import type { Endpoint } from './service-endpoint.js';
import { WebhookCallError } from './webhook-call-error.js';

/** The options of a `WebhookAgent`. */
export interface WebhookAgentOptions {
  readonly clock: Clock;
  /** The trusted certificate authorities. Undefined for the authorities that Node.js trusts. */
  readonly authorities: readonly X509Certificate[] | undefined;
  /**
   * Returns the address of the Service with this host name, or undefined for other hosts. Throws a WebhookCallError if the Service, its
   * port or an endpoint is missing.
   */
  readonly endpoint: (host: string) => Endpoint | undefined;
  /** Whether the agent verifies certificates. @default true */
  readonly isVerified?: boolean;
  /** The client certificate of the agent and its private key, as PEM. @default no client certificate */
  readonly identity?: { readonly certificate: string; readonly key: string };
}

/**
 * The time, in milliseconds, after which an unused connection is closed. This time is shorter than the keep-alive timeout of Node.js
 * servers, which is 5 s.
 */
const unusedMs = 4000;
/** The maximum time, in milliseconds, until a connection is open and its certificate is verified. */
const connectMs = 30_000;

/**
 * Opens the connections to a webhook, and keeps unused connections open for 4 s. A connection carries no data before its certificate is
 * verified. Connection errors are WebhookCallErrors with Go's error texts.
 */
export class WebhookAgent extends Agent {
  readonly #options: WebhookAgentOptions;
  readonly #secureContext: SecureContext;
  /** The connections whose certificate is not verified yet. */
  readonly #opening = new Set<TLSSocket>();

  constructor(options: WebhookAgentOptions) {
    super({ keepAlive: true, timeout: unusedMs, scheduling: 'lifo' });
    this.#options = options;
    const ca = options.authorities?.map((each) => each.toString());
    // Like Go, accepts a chain that ends with any certificate of the bundle, not only with a self-signed certificate.
    this.#secureContext = createSecureContext({
      ...(ca === undefined ? {} : { ca }),
      ...(options.identity === undefined ? {} : { cert: options.identity.certificate, key: options.identity.key }),
      allowPartialTrustChain: true,
    });
  }

  /** Opens a connection, verifies its certificate, and passes the connection to `callback`. Node.js calls this method. */
  override createConnection(
    { host, port, servername }: RequestOptions & { readonly servername?: string },
    callback?: (error: Error | null, stream: Duplex) => void,
  ): undefined {
    const named = { host: String(host).replace(/^\[|\]$/g, ''), port: Number(port) };
    const address = this.#options.endpoint(named.host) ?? named;
    const socket = this.#connect(address, servername);
    const end = (error: WebhookCallError | null): void => {
      this.#opening.delete(socket);
      timer.cancel();
      socket.removeAllListeners('error');
      socket.on('error', () => undefined);
      if (error !== null) socket.destroy();
      callback?.(error, socket);
    };
    const fail = (why: string, cause?: unknown): void => end(new WebhookCallError(why, { cause }));
    const timer = this.#options.clock.schedule(connectMs, () => {
      fail(`dial tcp ${address.host}:${address.port}: i/o timeout`);
    });
    this.#opening.add(socket);
    socket.on('error', (error) => fail(dialFault(error, address.host), error));
    socket.once('secureConnect', () => {
      const { authorities, isVerified = true } = this.#options;
      if (!isVerified) return end(null);
      // The validity of a certificate is compared with the system time, because the server's clock can be simulated.
      const fault = certificateFault(socket, { serverName: named.host, authorities, now: new Date() });
      if (fault === undefined) end(null);
      else fail(fault);
    });
    return undefined;
  }

  /** Closes all connections. */
  override destroy(): void {
    for (const socket of this.#opening) socket.destroy();
    super.destroy();
  }

  /** Closes the unused connections. Calls that use a connection continue. */
  retire(): void {
    for (const sockets of Object.values(this.freeSockets)) for (const socket of sockets ?? []) socket.destroy();
  }

  #connect({ host, port }: Endpoint, servername: string | undefined): TLSSocket {
    return connect({
      host,
      port,
      ...(servername === undefined ? {} : { servername }),
      secureContext: this.#secureContext,
      ALPNProtocols: ['http/1.1'],
      // `createConnection` verifies the certificate as Go does.
      rejectUnauthorized: false,
      checkServerIdentity: () => undefined,
    });
  }
}
