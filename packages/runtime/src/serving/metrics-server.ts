import type { IncomingMessage, ServerResponse } from 'node:http';
import { hostname } from 'node:os';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Clock } from '@kubewright/api/clock';
import { KubewrightError } from '@kubewright/api/errors';
import type { Logger } from '../log/logger.js';
import type { Metrics } from '../metrics/metrics.js';
import type { MetricsOptions } from '../metrics/metrics-options.js';
import type { Transport } from '../transport/sending/transport.js';
import { type CertificateFiles, CertificateWatcher } from './certificate-watcher.js';
import { HttpEndpoint, pathOf, type RequestHandler, sendText } from './http-endpoint.js';
import type { KeyPair } from './key-pair.js';
import { listenPort } from './listen-port.js';
import { RequestGuard } from './request-guard.js';
import type { ListenOptions, ServedEndpoint } from './served-endpoint.js';

/** The options of the metrics server. */
export interface MetricsServerOptions extends ListenOptions, MetricsOptions {
  /** The port from 0 to 65535. 0 selects a free port. @default 8080, or 8443 with HTTPS */
  readonly port?: number;
  /**
   * Whether to serve HTTPS. Pass `CertificateFiles` to use a certificate from files, which is reloaded when the files change. With `true`,
   * the server creates a self-signed certificate at the start. Clients cannot verify this certificate. @default the value of `protect`
   */
  readonly secure?: boolean | CertificateFiles;
  /**
   * Whether requests need a bearer token. The API server must accept the token (TokenReview), and the user of the token needs permission to
   * `get` the non-resource URL `/metrics` (SubjectAccessReview). The operator then needs permission to create TokenReviews and
   * SubjectAccessReviews.
   * @default true in a Pod; false outside a Pod or if `secure` is false
   */
  readonly protect?: boolean;
  /** Additional request handlers by path. `protect` also applies to them. @default none */
  readonly handlers?: Readonly<Record<string, RequestHandler>>;
}

const PATH = '/metrics';

/** Returns the port, and whether the endpoint serves HTTPS and requires a token. Throws INVALID_SERVING_OPTIONS. */
export function metricsEndpoint({ port, secure, protect = false }: MetricsServerOptions): {
  readonly port: number;
  readonly secure: boolean;
  readonly protect: boolean;
} {
  const isSecure = secure === undefined ? protect : secure !== false;
  return { port: listenPort('metrics.port', port, isSecure ? 8443 : 8080), secure: isSecure, protect };
}
const compress = promisify(gzip);

/** Serves `/metrics` and the paths of additional handlers. */
export class MetricsServer implements ServedEndpoint {
  readonly #options: MetricsServerOptions;
  readonly #metrics: Metrics;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #port: number;
  readonly #isSecure: boolean;
  readonly #guard: RequestGuard | undefined;
  readonly #watcher: CertificateWatcher | undefined;
  readonly #handlers = new Map<string, RequestHandler>();
  readonly #reported = new Set<string>();
  #endpoint: HttpEndpoint | undefined;

  /** Creates the server without listening. Throws INVALID_SERVING_OPTIONS. */
  constructor(
    options: MetricsServerOptions,
    using: {
      readonly metrics: Metrics;
      readonly clock: Clock;
      readonly logger: Logger;
      /** Returns the transport to the API server, with which requests are authorized. */
      readonly transport: () => Promise<Pick<Transport, 'request'>>;
    },
  ) {
    this.#options = options;
    this.#metrics = using.metrics;
    this.#clock = using.clock;
    this.#logger = using.logger;
    const { port, secure: isSecure, protect } = metricsEndpoint(options);
    this.#port = port;
    this.#isSecure = isSecure;
    if (protect) this.#guard = new RequestGuard(using);
    const { secure } = options;
    if (typeof secure === 'object') this.#watcher = new CertificateWatcher(secure, using);
    this.#handlers.set(PATH, (request, response) => this.#serveMetrics(request, response));
    for (const [path, handler] of Object.entries(options.handlers ?? {})) this.handle(path, handler);
  }

  get address(): { readonly host: string; readonly port: number } | undefined {
    return this.#endpoint?.address;
  }

  /** Adds a handler for a path. Throws INVALID_SERVING_OPTIONS if the path is already used or is not valid. */
  handle(path: string, handler: RequestHandler): void {
    if (!path.startsWith('/')) throw invalid(`cannot serve '${path}': a path must start with '/'`);
    if (this.#handlers.has(path))
      throw invalid(`cannot serve '${path}': the path already has a handler; use another path`);
    this.#handlers.set(path, handler);
  }

  /** Starts to listen. Resolves when the server listens. Rejects with ADDRESS_IN_USE, CANNOT_LISTEN and INVALID_CERTIFICATE. */
  async listen(): Promise<void> {
    const keyPair = await this.#keyPair();
    const endpoint = new HttpEndpoint(
      { name: 'metrics', portOption: 'metrics.port', port: this.#port, host: this.#options.host, keyPair },
      {
        clock: this.#clock,
        logger: this.#logger,
        handler: (request, response) => this.#answer(request, response),
      },
    );
    this.#endpoint = endpoint;
    await endpoint.listen();
    this.#watcher?.watch((changed) => endpoint.use(changed));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#watcher?.[Symbol.dispose]();
    await this.#endpoint?.[Symbol.asyncDispose]();
  }

  async #keyPair(): Promise<KeyPair | undefined> {
    if (!this.#isSecure) return undefined;
    if (this.#watcher !== undefined) return this.#watcher.read();
    const { host } = this.#options;
    const { selfSignedCertificate } = await import('./self-signed-certificate.js');
    return selfSignedCertificate([...new Set([host ?? hostname(), 'localhost', '127.0.0.1', '::1'])]);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refusal = await this.#guard?.refusal(request);
    if (refusal !== undefined) return sendText(response, refusal.status, `${refusal.message}\n`);
    const handler = this.#handlers.get(pathOf(request));
    if (handler === undefined) return sendText(response, 404, 'not found\n');
    await handler(request, response);
  }

  async #serveMetrics(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('allow', 'GET, HEAD');
      return sendText(response, 405, 'metrics are read-only\n');
    }
    const text = await this.#metrics.text();
    for (const [name, problem] of this.#metrics.problems) this.#logProblem(name, problem);
    const packed = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
    const body = packed ? await compress(text) : Buffer.from(text);
    response.writeHead(200, {
      'content-type': this.#metrics.contentType,
      'content-length': body.length,
      ...(packed && { 'content-encoding': 'gzip' }),
      vary: 'accept-encoding',
    });
    response.end(request.method === 'HEAD' ? undefined : body);
  }
  /** Logs the first problem of each metric. */
  #logProblem(name: string, problem: unknown): void {
    if (this.#reported.has(name)) return;
    this.#reported.add(name);
    this.#logger.warn('ignored a metric', { metric: name, error: problem });
  }
}

function invalid(message: string): KubewrightError {
  return new KubewrightError('INVALID_SERVING_OPTIONS', message);
}
