import { type IncomingMessage, ServerResponse } from 'node:http';
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
import type { ServingCertificate } from './certificates/certificates.js';

/** A request over either version of HTTP. */
export type HttpRequest = IncomingMessage | Http2ServerRequest;
/** The response to an `HttpRequest`. */
export type HttpResponse = ServerResponse | Http2ServerResponse;

/** Serves HTTP/1.1 and HTTP/2 over TLS on a port. The client selects the version by ALPN. */
export class Listener {
  readonly #server: Http2SecureServer;
  readonly #sockets = new Set<Socket>();
  readonly #sessions = new Set<ServerHttp2Session>();

  private constructor(server: Http2SecureServer) {
    this.#server = server;
    server.on('connection', (socket: Socket) => remember(this.#sockets, socket));
    server.on('secureConnection', readInTurn);
    server.on('session', (session: ServerHttp2Session) => remember(this.#sessions, session));
    // The server ignores connections that fail or whose client does not trust the certificate.
    server.on('sessionError', () => undefined);
    server.on('tlsClientError', (_error, socket) => socket.destroy());
  }

  /** Listens on a port. Rejects with PORT_IN_USE if the port is in use, and with CANNOT_LISTEN for other errors. */
  static async open(options: {
    readonly host: string;
    readonly port: number;
    readonly certificate: ServingCertificate;
    /** Handles a request. The request has a socket if the client requests another protocol for the connection. */
    readonly onRequest: (request: HttpRequest, response: HttpResponse, socket?: Socket) => void;
  }): Promise<Listener> {
    const { host, port, certificate } = options;
    const server = createSecureServer({
      allowHTTP1: true,
      cert: certificate.certificate,
      key: certificate.key,
      // The authenticator verifies client certificates for each request, so TLS accepts every client certificate and trusts no system
      // authorities.
      requestCert: true,
      rejectUnauthorized: false,
      ca: [],
      settings: { maxConcurrentStreams: 4096, initialWindowSize: 1 << 20 },
    });
    server.on('request', (request, response) => options.onRequest(request, response));
    server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
      options.onRequest(request, upgradeResponse(request, socket, head), socket);
    });
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

  /** Closes all connections immediately and frees the port. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const session of this.#sessions) session.destroy();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  /** Breaks all connections and continues to listen, like a short network failure. */
  cutConnections(): void {
    for (const session of this.#sessions) session.destroy();
    for (const socket of this.#sockets) socket.destroy();
  }
}

/**
 * Adds a data listener to an HTTP/1.1 connection, so that Node.js pauses the connection while the server has a lot of data to send. Without
 * this listener, Node.js passes TLS data to a paused parser, which fails: a client that sends a large body after a large response loses its
 * connection.
 */
function readInTurn(socket: TLSSocket): void {
  if (socket.alpnProtocol !== 'h2') socket.on('data', () => undefined);
}

/**
 * Returns the response to a request to change the protocol of the connection. If the server does not change the protocol, the
 * connection ends with the response. The socket keeps the received bytes until the new protocol reads them.
 */
function upgradeResponse(request: IncomingMessage, socket: Socket, head: Buffer): ServerResponse {
  socket.removeAllListeners('data');
  socket.pause();
  if (head.length > 0) socket.unshift(head);
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket);
  response.once('finish', () => socket.end());
  return response;
}

function remember<T extends Socket | ServerHttp2Session>(open: Set<T>, connection: T): void {
  open.add(connection);
  connection.on('close', () => open.delete(connection));
  connection.on('error', () => undefined);
}

function listenError(error: Error, host: string, port: number): KubewrightError {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') {
    const message = `cannot serve on ${host}:${port}: the port is in use; use another port, or 0 for a free port`;
    return new KubewrightError('PORT_IN_USE', message, { cause: error });
  }
  return new KubewrightError('CANNOT_LISTEN', `cannot serve on ${host}:${port}: ${error.message}`, { cause: error });
}
