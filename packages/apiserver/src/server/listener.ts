import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  createSecureServer,
  type Http2SecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Session,
} from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { KubewrightError } from '@kubewright/api/errors';
import type { ServingCertificate } from './certificates.js';

/** A request over either version of HTTP. */
export type HttpRequest = IncomingMessage | Http2ServerRequest;
/** Its answer. */
export type HttpResponse = ServerResponse | Http2ServerResponse;

/** A port that speaks HTTP/1.1 and HTTP/2 over TLS, whichever a client asks for by ALPN. */
export class Listener {
  readonly #server: Http2SecureServer;
  readonly #sockets = new Set<Socket>();
  readonly #sessions = new Set<ServerHttp2Session>();

  private constructor(server: Http2SecureServer) {
    this.#server = server;
    server.on('connection', (socket: Socket) => remember(this.#sockets, socket));
    server.on('secureConnection', readInTurn);
    server.on('session', (session: ServerHttp2Session) => remember(this.#sessions, session));
    // A client that breaks off, or does not trust the certificate, is no concern of the server.
    server.on('sessionError', () => undefined);
    server.on('tlsClientError', (_error, socket) => socket.destroy());
  }

  /** Listens. Rejects with PORT_IN_USE when another process has the port. */
  static async open(options: {
    readonly host: string;
    readonly port: number;
    readonly certificate: ServingCertificate;
    readonly onRequest: (request: HttpRequest, response: HttpResponse) => void;
  }): Promise<Listener> {
    const { host, port, certificate } = options;
    const server = createSecureServer({
      allowHTTP1: true,
      cert: certificate.certificate,
      key: certificate.key,
      // Who shows a certificate is found out by a request, not here; none of the system's authorities has a say in it.
      requestCert: true,
      rejectUnauthorized: false,
      ca: [],
      settings: { maxConcurrentStreams: 4096, initialWindowSize: 1 << 20 },
    });
    server.on('request', options.onRequest);
    const listener = new Listener(server);
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error) => reject(listenError(error, host, port)));
      server.listen(port, host, resolve);
    });
    return listener;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Ends every connection at once and frees the port. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const session of this.#sessions) session.destroy();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  /** Breaks every connection and goes on listening, as a network does that fails for a moment. */
  cutConnections(): void {
    for (const session of this.#sessions) session.destroy();
    for (const socket of this.#sockets) socket.destroy();
  }
}

/**
 * Makes an HTTP/1.1 connection wait while the server has much to send. Without a listener of the socket, Node.js passes the bytes of TLS to
 * the parser also while the parser is paused, which fails: a client that sends a large body right after a large answer loses its connection.
 */
function readInTurn(socket: TLSSocket): void {
  if (socket.alpnProtocol !== 'h2') socket.on('data', () => undefined);
}

function remember<T extends Socket | ServerHttp2Session>(open: Set<T>, connection: T): void {
  open.add(connection);
  connection.on('close', () => open.delete(connection));
  connection.on('error', () => undefined);
}

function listenError(error: Error, host: string, port: number): KubewrightError {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') {
    const message = `cannot serve on ${host}:${port}: the port is in use; choose another one, or 0 for any that is free`;
    return new KubewrightError('PORT_IN_USE', message, { cause: error });
  }
  return new KubewrightError('CANNOT_LISTEN', `cannot serve on ${host}:${port}: ${error.message}`, { cause: error });
}
