import { durationMs } from '@kubewright/api/clock';
import { isAborted, KubewrightError } from '@kubewright/api/errors';
import { parseJson, stringifyJson } from '@kubewright/api/json';
import { apiErrorOf, isProtobuf, shownBody } from '../answer/answer.js';
import { isUnsupportedProtobuf } from '../answer/protobuf-kind.js';
import { CaFile } from '../credentials/ca-file.js';
import type { Connection } from '../connection/connection.js';
import { connectionProxy } from '../proxy/connection-proxy.js';
import type { Headers } from '../credentials/credentials.js';
import type { Answer } from '../stream/dispatch.js';
import { lookupOptions } from '../observation/measured-lookup.js';
import { masked } from '../proxy/masked-connection.js';
import type { AnsweredRequest } from '../answer/masked-status.js';
import { ObservedStream } from '../stream/observed-stream.js';
import { describeProxy, type ProxyAddress } from '../proxy/proxy-address.js';
import { invalidResponse } from '../answer/list-answer.js';
import { pathWithQuery } from '../request/query.js';
import type { OpenedStream } from '../stream/readable-bytes.js';
import { RequestAttempts, type RequestContext } from './request-attempts.js';
import { RequestDeadline } from './request-deadline.js';
import type {
  ByteStream,
  CommonRequestOptions,
  RequestOptions,
  StreamOptions,
  TransportOptions,
} from '../request/request-options.js';
import { observed } from '../observation/request-progress.js';
import { positive, type ResolvedTransportOptions, resolveTransportOptions } from './resolved-transport-options.js';
import { retryAfterSeconds } from './retry.js';
import { Routes } from '../stream/routes.js';
import { ServerOutage } from './server-outage.js';
import type { ObservedEnd, RequestProgress } from '../request/transport-observer.js';
import { warningsOf } from '../request/warnings.js';
import { bothFences, currentFence } from '../request/write-fence.js';

const JSON_TYPE = 'application/json';
/** The number of bytes after which the body of a rejected stream is not read further. */
const MOST_ERROR_BYTES = 1_000_000;

/**
 * The connection to an API server, through which the runtime sends all requests. Single requests share an HTTP/2 connection, or use a pool
 * of connections if the server only supports HTTP/1.1. Streams use separate connections, so that many events do not delay requests.
 */
export class Transport implements AsyncDisposable {
  readonly connection: Connection;
  /** Tracks whether the API server responds. */
  readonly outage: ServerOutage;
  /** Whether to request built-in kinds as protobuf. */
  readonly acceptsProtobuf: boolean;
  readonly #options: ResolvedTransportOptions;
  readonly #around: RequestContext;
  readonly #url: URL;
  readonly #host: string;
  readonly #basePath: string;
  readonly #closing = new AbortController();

  constructor(connection: Connection, options: TransportOptions = {}) {
    this.connection = masked({ ...connection });
    this.acceptsProtobuf = options.protobuf ?? true;
    this.#url = serverUrl(connection);
    this.#host = this.#url.host;
    const metrics = options.metrics?.client(this.#host);
    this.#options = resolveTransportOptions(options, metrics);
    this.#basePath = this.#url.pathname.replace(/\/+$/, '');
    const { clock, maxConnections, silenceMs, logger } = this.#options;
    this.outage = new ServerOutage({ server: this.#url.origin, clock, logger });
    this.#around = {
      connection,
      options: this.#options,
      routes: new Routes(connection, {
        url: this.#url,
        clock,
        maxConnections,
        silenceMs,
        proxy: this.#proxy(options.env ?? process.env),
        ...lookupOptions(metrics, clock),
      }),
      caFile: this.#caFile(),
      outage: this.outage,
      closing: this.#closing.signal,
    };
  }

  /**
   * Sends a request, and resolves with the parsed JSON of the response, with the result of `decode` if the response is protobuf, or with
   * undefined if the body is empty. Rejects with an ApiError if the response is an error, with INVALID_RESPONSE if a successful response
   * cannot be parsed, with REQUEST_FAILED if the request fails without a response, and with REQUEST_TIMEOUT if the response does not arrive
   * in time. Also rejects with CREDENTIALS_FAILED if the credential source fails, with TRANSPORT_CLOSED if the transport is closed, and
   * with the reason of the signal if the signal is aborted.
   *
   * A request is retried in three cases. After a 429 or 5xx with a Retry-After time, a request is retried if the delay is within the
   * timeout or, without a timeout, within a minute. A GET is retried if its connection broke. After a 401, a request is retried once if the
   * credentials can be renewed. There are at most ten retries. Fences check a write when this method is called and before each attempt. If
   * a fence throws, the request rejects with the error of the fence.
   */
  async request<T>(options: RequestOptions): Promise<T> {
    const attempted = options.attempted ?? `${options.method} ${options.path}`;
    const fence = options.method === 'GET' ? undefined : bothFences(currentFence(), options.fence);
    fence?.();
    const body = options.body === undefined ? null : stringifyJson(options.body);
    const { timeout } = options;
    const timeoutMs = timeout === undefined ? this.#options.requestTimeoutMs : positive('timeout', timeout);
    const query = timeout === undefined ? options.query : { ...options.query, timeout: serverTimeout(timeout) };
    const path = this.#basePath + pathWithQuery(options.path, query);
    const headers = this.#headersOf(options);
    if (body !== null) headers['content-type'] = options.contentType ?? JSON_TYPE;
    const progress = this.#observed({ verb: options.method, attempted, headers, body, options });
    const deadline = new RequestDeadline({ timeoutMs, clock: this.#options.clock, attempted, signal: options.signal });
    const attempts = new RequestAttempts<Answer>(this.#around, {
      method: options.method,
      attempted,
      headers,
      deadline,
      progress,
      limited: true,
      send: (route, admitted) =>
        route.send({ method: options.method, path, headers: admitted, body }, { signal: deadline.signal, fence }),
      discard: () => undefined,
    });
    const end = this.#endOf(progress, attempts);
    try {
      const answer = await attempts.answer();
      end?.({ code: answer.code, responseBytes: answer.body.length });
      options.onHeaders?.(answer.headers);
      this.#warn(options, answer.headers['warning'], attempted);
      if (answer.code < 400) return parsedAnswer<T>(answer, attempted, options.decode);
      throw failedAnswer(answer, answer.body, { ...options, attempted });
    } catch (error) {
      end?.({ code: undefined, responseBytes: 0, error });
      throw error;
    } finally {
      deadline.close();
    }
  }

  /**
   * Opens a stream. Resolves when the head of the response arrives. Rejects with the errors of `request`, and with INVALID_RESPONSE if the
   * response has another media type than requested. After a 429 or 5xx with a Retry-After time of up to a minute, retries at most ten
   * times. Retries after a 401 in the same way as `request`. Does not retry after the connection broke, because only the caller knows the
   * position in the stream.
   */
  async stream(options: StreamOptions): Promise<ByteStream> {
    const attempted = options.attempted ?? `GET ${options.path}`;
    const headers = this.#headersOf(options);
    const path = this.#basePath + pathWithQuery(options.path, options.query);
    const progress = this.#observed({ verb: 'GET', attempted, headers, body: null, options, stream: true });
    const { clock } = this.#options;
    const deadline = new RequestDeadline({ timeoutMs: undefined, clock, attempted, signal: options.signal });
    const attempts = new RequestAttempts<OpenedStream>(this.#around, {
      method: 'STREAM',
      attempted,
      headers,
      deadline,
      progress,
      limited: false,
      send: (route, admitted) => route.open({ path, headers: admitted, signal: options.signal }),
      discard: (answer) => answer.close(),
    });
    const end = this.#endOf(progress, attempts);
    try {
      const answer = await attempts.answer();
      options.onHeaders?.(answer.headers);
      this.#warn(options, answer.headers['warning'], attempted);
      if (answer.code >= 400) throw failedAnswer(answer, await bodyOf(answer), { ...options, attempted });
      checkContent(answer, options.accept ?? JSON_TYPE, attempted);
      if (end === undefined) return answer;
      return new ObservedStream(answer, (ended) => end({ code: answer.code, ...ended }));
    } catch (error) {
      end?.({ code: codeOf(error), responseBytes: 0, error });
      throw error;
    }
  }

  /** Aborts pending requests and closes all connections. */
  async close(): Promise<void> {
    if (!this.#closing.signal.aborted)
      this.#closing.abort(new KubewrightError('TRANSPORT_CLOSED', 'the transport was closed'));
    this.outage.close();
    await this.#around.routes.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #proxy(env: NonNullable<TransportOptions['env']>): ProxyAddress | undefined {
    const proxy = connectionProxy(this.connection, env);
    const { logger } = this.#options;
    if (proxy !== undefined)
      logger?.debug('using a proxy to connect to the API server', {
        server: this.#url.origin,
        proxy: describeProxy(proxy),
      });
    return proxy;
  }

  #caFile(): CaFile | undefined {
    const { ca: initial, caFile: file } = this.connection;
    if (file === undefined) return undefined;
    const { clock, logger, observers } = this.#options;
    return new CaFile({
      file,
      initial,
      clock,
      logger,
      onReload: (outcome) => {
        for (const observer of observers) observer.caReloaded?.(outcome);
      },
    });
  }

  #headersOf({ headers, accept }: Pick<RequestOptions, 'headers' | 'accept'>): Headers {
    const own: Headers = { 'user-agent': this.#options.userAgent, accept: accept ?? JSON_TYPE };
    return headers === undefined ? own : Object.assign(own, headers);
  }

  #observed({ verb, attempted, headers, body, options, stream = false }: Begun): RequestProgress | undefined {
    const { observers } = this.#options;
    if (observers.length === 0) return undefined;
    return observed(observers, {
      verb,
      host: this.#host,
      path: this.#basePath + options.path,
      query: pathWithQuery('', options.query).slice(1),
      attempted,
      stream,
      headers,
      body: body ?? undefined,
      schema: options.schema,
      requestBytes: body === null ? 0 : Buffer.byteLength(body),
    });
  }

  /**
   * Returns a function that reports the end of a request to the observers. Only the first call reports the end. Returns undefined if no
   * observer has the method `ended`.
   */
  #endOf(
    progress: RequestProgress | undefined,
    attempts: { readonly retries: number },
  ): ((end: Omit<ObservedEnd, 'durationMs' | 'retries'>) => void) | undefined {
    if (progress?.ended === undefined) return undefined;
    const { clock } = this.#options;
    const startedMs = clock.monotonicMs();
    let reported = false;
    return (end) => {
      if (reported) return;
      reported = true;
      progress.ended?.({ ...end, durationMs: clock.monotonicMs() - startedMs, retries: attempts.retries });
    };
  }

  #warn(options: CommonRequestOptions, header: string | string[] | undefined, attempted: string): void {
    const handler = options.onWarning ?? this.#options.onWarning;
    if (header === undefined || handler === undefined) return;
    for (const { text, context } of warningsOf(header, attempted)) handler(text, context);
  }
}

interface Begun {
  readonly verb: string;
  readonly attempted: string;
  readonly headers: Headers;
  readonly body: string | null;
  readonly options: CommonRequestOptions & Pick<RequestOptions, 'schema'>;
  readonly stream?: boolean;
}

function serverUrl(connection: Connection): URL {
  if (!URL.canParse(connection.server) || !/^https?:$/.test(new URL(connection.server).protocol)) {
    throw new KubewrightError(
      'INVALID_SERVER',
      `'${connection.server}' is not the URL of an API server: it must start with https:// or http://`,
    );
  }
  return new URL(connection.server);
}

/** Returns a duration in the format of Go, for the query parameter `timeout`. The server then also limits the request. */
function serverTimeout(timeout: NonNullable<RequestOptions['timeout']>): string {
  return `${Math.ceil(durationMs(timeout))}ms`;
}

function parsedAnswer<T>(answer: Answer, attempted: string, decode: CommonRequestOptions['decode']): T {
  if (answer.body.length === 0) return undefined as T;
  try {
    if (decode !== undefined && isProtobuf(answer.body)) return decode(answer.body) as T;
    return parseJson(answer.body) as T;
  } catch (error) {
    if (isUnsupportedProtobuf(error)) throw error;
    const body = shownBody(answer.body, 200);
    const defect = `the server returned HTTP ${answer.code} with a body that is not ${isProtobuf(answer.body) ? 'valid' : 'JSON'}: ${body}`;
    throw invalidResponse(attempted, defect, error);
  }
}

function failedAnswer(
  answer: Pick<Answer, 'code' | 'headers'>,
  body: Buffer,
  request: AnsweredRequest & { readonly attempted: string; readonly decode?: CommonRequestOptions['decode'] },
): KubewrightError {
  const seconds = retryAfterSeconds(answer.headers['retry-after']);
  const { attempted, decode } = request;
  return apiErrorOf({ code: answer.code, body, decode, retryAfterSeconds: seconds, attempted, request });
}

/** Throws INVALID_RESPONSE if the response has another media type than requested. Accepts a response without a media type. */
function checkContent(answer: OpenedStream, accept: string, attempted: string): void {
  const [type = ''] = answer.contentType.toLowerCase().split(';');
  const accepted = accept.split(',').map((one) => one.split(';')[0]?.trim().toLowerCase());
  if (type.trim() === '' || accepted.includes(type.trim()) || accepted.includes('*/*')) return;
  answer.close();
  throw invalidResponse(attempted, `the server returned ${answer.contentType} instead of ${accept}`);
}

function codeOf(error: unknown): number | undefined {
  return (error as { readonly status?: unknown }).status as number | undefined;
}

async function bodyOf(stream: ByteStream): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of stream) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > MOST_ERROR_BYTES) break;
    }
  } catch (error) {
    if (isAborted(error)) throw error;
    // The body is incomplete, but its start can still explain the error.
    return Buffer.concat(chunks);
  } finally {
    stream.close();
  }
  return Buffer.concat(chunks);
}
