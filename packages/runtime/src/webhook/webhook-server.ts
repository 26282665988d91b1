import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'node:tls';
import type { TlsOptions } from 'node:tls';
import type { Clock } from '@kubewright/api/clock';
import { KubewrightError, messageOf } from '@kubewright/api/errors';
import type { Logger } from '../log/logger.js';
import type { Metrics } from '../metrics/metrics.js';
import { HttpEndpoint, pathOf, type RequestHandler, sendText } from '../serving/http-endpoint.js';
import { listenPort } from '../serving/listen-port.js';
import type { ListenOptions, ServedEndpoint } from '../serving/served-endpoint.js';
import type { KeyPair } from '../serving/key-pair.js';
import type { ServingCertificates } from '../serving/serving-certificates.js';

/** A server that serves webhooks by their HTTP paths. `WebhookServer` implements this interface. */
export interface WebhookEndpoint extends ServedEndpoint {
  /** Adds a handler for a path. Throws DUPLICATE_WEBHOOK if the path already has a handler. */
  handle(path: string, handler: RequestHandler): void;
  /**
   * Resolves with the reason why the server does not accept connections, or with undefined if the server accepts connections.
   * @default always undefined
   */
  check?(): Promise<string | undefined>;
}

/** The options of the webhook server. */
export interface WebhookServerOptions extends ListenOptions {
  /** The port from 0 to 65535. 0 selects a free port. @default 9443 */
  readonly port?: number;
  /** The source of the certificate. */
  readonly certificates: ServingCertificates;
  /**
   * More TLS options of Node.js, such as `ca` and `requestCert` for client certificates. They take precedence over the certificate and the
   * minimum version TLS 1.2. @default none
   */
  readonly tls?: TlsOptions;
}

const PORT = 9443;
const DIAL_MS = 10_000;

/** Returns the port of the webhook server. Throws INVALID_SERVING_OPTIONS. */
export function webhookPort(port: number | undefined): number {
  return listenPort('webhooks.port', port, PORT);
}

/** Serves webhooks over HTTPS. A manager creates this server if the operator has webhooks. */
export class WebhookServer implements WebhookEndpoint {
  readonly #options: WebhookServerOptions;
  readonly #port: number;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #metrics: Metrics;
  readonly #handlers = new Map<string, RequestHandler>();
  readonly #starting = new AbortController();
  #endpoint: HttpEndpoint | undefined;
  #removeListener: () => void = () => undefined;

  /** Creates the server without listening. Throws INVALID_SERVING_OPTIONS. */
  constructor(
    options: WebhookServerOptions,
    using: { readonly clock: Clock; readonly logger: Logger; readonly metrics: Metrics },
  ) {
    this.#options = options;
    this.#port = webhookPort(options.port);
    this.#clock = using.clock;
    this.#logger = using.logger;
    this.#metrics = using.metrics;
  }

  get address(): { readonly host: string; readonly port: number } | undefined {
    return this.#endpoint?.address;
  }

  /** Adds a handler for a path. The path is served immediately if the server listens. Throws DUPLICATE_WEBHOOK. */
  handle(path: string, handler: RequestHandler): void {
    if (this.#handlers.has(path)) {
      throw new KubewrightError(
        'DUPLICATE_WEBHOOK',
        `cannot serve a webhook at '${path}': another webhook has this path; set the option path of one of the webhooks`,
      );
    }
    this.#handlers.set(path, this.#measured(path, handler));
  }

  /**
   * Waits for the first certificate, and starts to listen. Rejects with ADDRESS_IN_USE, CANNOT_LISTEN, INVALID_CERTIFICATE and the errors
   * of the source of the certificate.
   */
  async listen(): Promise<void> {
    const { certificates, host, tls } = this.#options;
    let endpoint: HttpEndpoint | undefined;
    let changed: KeyPair | undefined;
    // The certificate can already change before the server exists.
    this.#removeListener = certificates.onChange((keyPair) => {
      changed = keyPair;
      endpoint?.use(keyPair);
    });
    const first = await certificates.start(this.#starting.signal);
    endpoint = new HttpEndpoint(
      { name: 'webhooks', portOption: 'webhooks.port', port: this.#port, host, keyPair: changed ?? first, tls },
      {
        clock: this.#clock,
        logger: this.#logger,
        handler: (request, response) => this.#answer(request, response),
      },
    );
    await endpoint.listen();
    this.#endpoint = endpoint;
  }

  /**
   * Connects to the server itself with TLS. Resolves with the problem if the server does not complete the handshake within 10 s, and with
   * undefined otherwise.
   */
  async check(): Promise<string | undefined> {
    const { address } = this;
    if (address === undefined) return 'the webhook server is not listening';
    const host = { '::': '::1', '0.0.0.0': '127.0.0.1' }[address.host] ?? address.host;
    return new Promise((resolve) => {
      // Only checks that the server responds. The API server verifies the certificate.
      const socket = connect({ host, port: address.port, rejectUnauthorized: false });
      const end = (problem?: string): void => {
        timer.cancel();
        socket.destroy();
        resolve(problem);
      };
      const late = `the webhook server did not respond within ${DIAL_MS / 1000} s`;
      const timer = this.#clock.schedule(DIAL_MS, () => end(late));
      socket.once('secureConnect', () => end());
      socket.once('error', (error) => end(`cannot connect to the webhook server: ${messageOf(error)}`));
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#starting.abort();
    this.#removeListener();
    await this.#endpoint?.[Symbol.asyncDispose]();
    await this.#options.certificates[Symbol.asyncDispose]();
  }

  #answer(request: IncomingMessage, response: ServerResponse): void | Promise<void> {
    const handler = this.#handlers.get(pathOf(request));
    if (handler === undefined) {
      this.#logger.warn('no webhook has the path of a request; check the path in the webhook configuration', {
        path: pathOf(request),
      });
      return sendText(response, 404, 'not found\n');
    }
    return handler(request, response);
  }

  #measured(path: string, handler: RequestHandler): RequestHandler {
    const metrics = this.#metrics.webhook(path);
    return async (request, response) => {
      const ended = metrics.began(() => this.#clock.monotonicMs());
      let code = 500;
      try {
        await handler(request, response);
        code = response.statusCode;
      } finally {
        ended(code);
      }
    };
  }
}
