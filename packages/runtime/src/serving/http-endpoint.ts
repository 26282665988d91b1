import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { TlsOptions } from 'node:tls';
import type { Clock } from '@kubewright/api/clock';
import { KubewrightError } from '@kubewright/api/errors';
import type { Logger } from '../log/logger.js';
import type { KeyPair } from './key-pair.js';
import type { ServedEndpoint } from './served-endpoint.js';

/** Handles a request. If the handler throws or rejects, the error is logged and the response is a 500. */
export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

export interface HttpEndpointOptions {
  /** The name of the endpoint in messages, such as 'metrics'. */
  readonly name: string;
  /** The option that sets the port, for error messages, such as 'metrics.port'. */
  readonly portOption: string;
  readonly port: number;
  readonly host: string | undefined;
  /** The certificate and the key. If set, the endpoint serves HTTPS with TLS 1.2 or later. */
  readonly keyPair?: KeyPair | undefined;
  /** More TLS options. Take precedence over the certificate and the minimum version. @default none */
  readonly tls?: TlsOptions | undefined;
}

const HEADERS_TIMEOUT_MS = 32_000;
const IDLE_TIMEOUT_MS = 90_000;
const MAX_HEADER_BYTES = 2 ** 20;
/** The time limit in milliseconds for open requests when the endpoint is closed. */
const CLOSE_MS = 1000;

/** An HTTP server with limits for the size of headers, the time to receive headers, and the time of idle connections. */
export class HttpEndpoint implements ServedEndpoint {
  readonly #options: HttpEndpointOptions;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #handler: RequestHandler;
  readonly #server: Server;
  readonly #setKeyPair: (keyPair: KeyPair) => void;
  /** All open sockets, including sockets whose TLS handshake is not complete. */
  readonly #sockets = new Set<Socket>();

  constructor(
    options: HttpEndpointOptions,
    using: { readonly clock: Clock; readonly logger: Logger; readonly handler: RequestHandler },
  ) {
    this.#options = options;
    this.#clock = using.clock;
    this.#logger = using.logger;
    this.#handler = using.handler;
    const limits = { maxHeaderSize: MAX_HEADER_BYTES, headersTimeout: HEADERS_TIMEOUT_MS };
    const listener: RequestListener = (request, response) => void this.#answer(request, response);
    if (options.keyPair === undefined) {
      this.#server = createServer(limits, listener);
      this.#setKeyPair = () => undefined;
    } else {
      const withDefaults = (keyPair: KeyPair): TlsOptions => ({ minVersion: 'TLSv1.2', ...keyPair, ...options.tls });
      const server = createTlsServer({ ...limits, ...withDefaults(options.keyPair) }, listener);
      this.#server = server;
      this.#setKeyPair = (keyPair) => server.setSecureContext(withDefaults(keyPair));
    }
    this.#server.keepAliveTimeout = IDLE_TIMEOUT_MS;
    this.#server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
  }

  get address(): { readonly host: string; readonly port: number } | undefined {
    const address = this.#server.address() as AddressInfo | null;
    return address === null ? undefined : { host: address.address, port: address.port };
  }

  listen(): Promise<void> {
    const { port, host } = this.#options;
    return new Promise((resolve, reject) => {
      const fail = (error: NodeJS.ErrnoException): void => reject(this.#cannotListen(error));
      this.#server.once('error', fail);
      this.#server.listen({ port, ...(host !== undefined && { host }) }, () => {
        this.#server.off('error', fail);
        this.#server.on('error', (error) => this.#logger.error(`the ${this.#options.name} server failed`, { error }));
        resolve();
      });
    });
  }

  /** Sets the certificate that new connections use. */
  use(keyPair: KeyPair): void {
    this.#setKeyPair(keyPair);
  }

  /** Stops accepting connections. Open requests can continue for up to 1 s. Resolves when all connections are closed. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#server.listening) return;
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeIdleConnections();
    const timer = this.#clock.schedule(CLOSE_MS, () => {
      for (const socket of this.#sockets) socket.destroy();
    });
    await closed;
    timer.cancel();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader('x-content-type-options', 'nosniff');
    try {
      await this.#handler(request, response);
    } catch (error) {
      this.#logger.error(`the ${this.#options.name} server failed to handle a request`, {
        path: pathOf(request),
        error,
      });
      if (response.headersSent) response.destroy();
      else sendText(response, 500, 'internal server error\n');
    }
  }

  #cannotListen(error: NodeJS.ErrnoException): KubewrightError {
    const { name, port, host, portOption } = this.#options;
    const attempted = `cannot serve ${name} on ${host ?? 'every address'}, port ${port}`;
    if (error.code === 'EADDRINUSE') {
      const remedy = `stop the process that uses it, or set ${portOption} to another port (0 selects a free port)`;
      return new KubewrightError('ADDRESS_IN_USE', `${attempted}: the port is already in use; ${remedy}`, {
        cause: error,
      });
    }
    return new KubewrightError('CANNOT_LISTEN', `${attempted}: ${error.message}`, { cause: error });
  }
}

/** Returns the path of a request without the query. Returns '/' for an empty path. */
export function pathOf(request: IncomingMessage): string {
  return (request.url ?? '/').split('?', 1)[0] || '/';
}

/** Sends a plain text as the response. */
export function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}
