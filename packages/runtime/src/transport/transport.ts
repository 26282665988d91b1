import { arch, platform } from 'node:os';
import { type Clock, SystemClock } from '@kubewright/api/clock';
import { isAborted, KubewrightError } from '@kubewright/api/errors';
import { parseJson, stringifyJson } from '@kubewright/api/json';
import { Pool } from 'undici';
import type { ClientMetrics, MeasuredRequest } from '../metrics/client-metrics.js';
import { apiErrorOf } from './answer.js';
import type { Connection } from './connection.js';
import { credentialHeaders, tlsOptionsOf } from './credentials.js';
import { type Answer, dispatch } from './dispatch.js';
import { lookupOptions } from './measured-lookup.js';
import { pathWithQuery } from './query.js';
import type { ByteStream, RequestOptions, StreamOptions, TransportOptions } from './request-options.js';
import { MAX_RETRIES, isBrokenConnection, isRetryable, retryAfterSeconds } from './retry.js';
import { StreamOpener } from './stream-opener.js';
import { WarningLog } from './warnings.js';

const DEFAULT_MAX_CONNECTIONS = 32;
const VERSION = '0.1.0';

/**
 * The way to one API server. Single requests share a pool of HTTP/1.1 connections; streams run on connections of their own, so
 * that a burst of events holds up no request. Nothing else in the runtime sends requests.
 */
export class Transport implements AsyncDisposable {
  readonly connection: Connection;
  readonly #pool: Pool;
  readonly #basePath: string;
  readonly #clock: Clock;
  readonly #userAgent: string;
  readonly #warnings: WarningLog;
  readonly #metrics: ClientMetrics | undefined;
  readonly #streams: StreamOpener;
  readonly #closing = new AbortController();

  constructor(connection: Connection, options: TransportOptions = {}) {
    this.connection = connection;
    const url = serverUrl(connection);
    this.#basePath = url.pathname.replace(/\/+$/, '');
    this.#clock = options.clock ?? new SystemClock();
    this.#userAgent = options.userAgent ?? `kubewright/${VERSION} (${platform()}/${arch()})`;
    this.#warnings = new WarningLog(options.logger);
    this.#metrics = options.metrics?.client(url.host);
    const connecting = { ...tlsOptionsOf(connection), ...lookupOptions(this.#metrics, this.#clock) };
    this.#pool = new Pool(url.origin, {
      connections: options.maxConnections ?? DEFAULT_MAX_CONNECTIONS,
      pipelining: 1,
      connect: { ...connecting, timeout: 30_000 },
    });
    this.#streams = new StreamOpener(url, connecting, this.#clock);
  }

  /**
   * Sends a request and resolves with the JSON of the answer. Rejects with an ApiError for an answer that is no success, and with
   * REQUEST_FAILED when none came. A 429 or 5xx that names a time is sent again after it, at most ten times; a GET whose idle
   * connection turned out dead is sent once more. Nothing else is ever sent twice.
   */
  async request<T>(options: RequestOptions): Promise<T> {
    const attempted = options.attempted ?? `${options.method} ${options.path}`;
    const body = options.body === undefined ? null : stringifyJson(options.body);
    for (let attempt = 0; ; attempt++) {
      const answer = await this.#send({ options, body, attempted });
      const seconds = retryAfterSeconds(answer.headers['retry-after']);
      if (answer.code < 400) return parsedAnswer<T>(answer, attempted);
      if (attempt >= MAX_RETRIES || !isRetryable(answer.code, seconds)) {
        throw apiErrorOf({ code: answer.code, body: answer.body, retryAfterSeconds: seconds, attempted });
      }
      this.#metrics?.retried(options.method, answer.code);
      await this.#clock.sleep(`${seconds ?? 0}s`, this.#whileOpen(options.signal));
    }
  }

  /** Opens a stream and resolves with its first bytes outstanding. Rejects as `request` does, but sends nothing again. */
  async stream(options: StreamOptions): Promise<ByteStream> {
    const attempted = options.attempted ?? `GET ${options.path}`;
    this.#closing.signal.throwIfAborted();
    options.signal?.throwIfAborted();
    const headers = { ...(await this.#headers(attempted)), accept: options.accept ?? 'application/json' };
    const path = this.#basePath + pathWithQuery(options.path, options.query);
    const measured = this.#measure({ method: 'GET', body: null });
    const answer = await this.#streams.open({ path, headers, signal: options.signal }).catch((error: unknown) => {
      measured(undefined);
      throw this.#failed(attempted, error);
    });
    measured({ code: answer.code });
    this.#warnings.note(answer.headers.warning, attempted);
    if (answer.code < 400) return answer;
    throw apiErrorOf({
      code: answer.code,
      body: await bodyOf(answer),
      retryAfterSeconds: retryAfterSeconds(answer.headers['retry-after']),
      attempted,
    });
  }

  /** Ends what is under way and closes every connection. */
  async close(): Promise<void> {
    if (!this.#closing.signal.aborted)
      this.#closing.abort(new KubewrightError('TRANSPORT_CLOSED', 'the transport was closed'));
    this.#streams.close();
    if (!this.#pool.destroyed) await this.#pool.destroy();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #send(request: SingleRequest): Promise<Answer> {
    const { options, body, attempted } = request;
    this.#closing.signal.throwIfAborted();
    const headers = await this.#headers(attempted);
    headers.accept = options.accept ?? 'application/json';
    if (body !== null) headers['content-type'] = options.contentType ?? 'application/json';
    const path = this.#basePath + pathWithQuery(options.path, options.query);
    const send = (): Promise<Answer> =>
      dispatch(this.#pool, { method: options.method, path, headers, body }, options.signal);
    const mayRepeat = options.method === 'GET';
    const measured = this.#measure({ method: options.method, body });
    const answer = await send()
      .catch((error: unknown) => {
        if (!mayRepeat || !isBrokenConnection(error) || options.signal?.aborted) throw error;
        this.#metrics?.retried(options.method, undefined);
        return send();
      })
      .catch((error: unknown) => {
        measured(undefined);
        throw this.#failed(attempted, error);
      });
    measured(answer);
    this.#warnings.note(answer.headers.warning, attempted, options.onWarning);
    return answer;
  }

  /** Begins to measure a request; what it gives is called with the answer, or without one. */
  #measure(request: Pick<MeasuredRequest, 'method' | 'body'>): (answer: MeasuredRequest['answer']) => void {
    const startedMs = this.#clock.monotonicMs();
    return (answer) =>
      this.#metrics?.requested({ ...request, answer, durationMs: this.#clock.monotonicMs() - startedMs });
  }

  #whileOpen(signal: AbortSignal | undefined): AbortSignal {
    return signal === undefined ? this.#closing.signal : AbortSignal.any([signal, this.#closing.signal]);
  }

  #failed(attempted: string, error: unknown): unknown {
    if (this.#closing.signal.aborted) return this.#closing.signal.reason;
    if (isAborted(error) || error instanceof KubewrightError) return error;
    return new KubewrightError('REQUEST_FAILED', `${attempted}: ${messageOf(error)}`, { cause: error });
  }

  async #headers(attempted: string): Promise<Record<string, string | string[]>> {
    try {
      return { 'user-agent': this.#userAgent, ...(await credentialHeaders(this.connection)) };
    } catch (error) {
      throw new KubewrightError(
        'CREDENTIALS_FAILED',
        `${attempted}: no credentials could be had: ${messageOf(error)}`,
        { cause: error },
      );
    }
  }
}

interface SingleRequest {
  readonly options: RequestOptions;
  readonly body: string | null;
  readonly attempted: string;
}

function serverUrl(connection: Connection): URL {
  if (!URL.canParse(connection.server) || !/^https?:$/.test(new URL(connection.server).protocol)) {
    throw new KubewrightError(
      'INVALID_SERVER',
      `'${connection.server}' is not the URL of an API server: it has to start with https:// or http://`,
    );
  }
  return new URL(connection.server);
}

function parsedAnswer<T>(answer: Answer, attempted: string): T {
  if (answer.body.length === 0) return undefined as T;
  try {
    return parseJson(answer.body) as T;
  } catch (error) {
    const text = answer.body.subarray(0, 200).toString('utf8');
    throw new KubewrightError(
      'INVALID_ANSWER',
      `${attempted}: the server answered HTTP ${answer.code} with something that is not JSON: ${text}`,
      { cause: error },
    );
  }
}

async function bodyOf(stream: ByteStream): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of stream) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > 1_000_000) break;
    }
  } catch (error) {
    if (isAborted(error)) throw error;
    return Buffer.concat(chunks);
  } finally {
    stream.close();
  }
  return Buffer.concat(chunks);
}

function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(messageOf).join(', ');
  return error instanceof Error ? error.message : String(error);
}
