import { isAborted, KubewrightError, messageOf } from '@kubewright/api/errors';
import { abortable } from '../../waiting/abortable.js';
import type { CaFile } from '../credentials/ca-file.js';
import type { Connection } from '../connection/connection.js';
import type { Credential } from '../connection/credential-source.js';
import { type Admission, admissionOf, type Headers } from '../credentials/credentials.js';
import type { RequestDeadline } from './request-deadline.js';
import type { ResolvedTransportOptions } from './resolved-transport-options.js';
import type { RequestLimit } from '../request/request-limit.js';
import { retryAfterSeconds, retryDelaySeconds } from './retry.js';
import type { Route } from '../stream/route.js';
import type { Routes } from '../stream/routes.js';
import type { ServerOutage } from './server-outage.js';
import type { ObservedAttempt, RequestProgress } from '../request/transport-observer.js';
import { underJoined } from '../../waiting/under-signals.js';

/**
 * The minimum wait for the client-side request limit, in milliseconds, that is logged at level info. Shorter waits of at least
 * `NOTED_WAIT_MS` are logged at level debug.
 */
const LONG_WAIT_MS = 1000;
const NOTED_WAIT_MS = 50;

/** The objects that all requests of a transport use. */
export interface RequestContext {
  readonly connection: Connection;
  readonly options: ResolvedTransportOptions;
  readonly routes: Routes;
  readonly caFile: CaFile | undefined;
  readonly outage: ServerOutage;
  /** Aborted when the transport is closed. The reason is the error for pending requests. */
  readonly closing: AbortSignal;
}

/** A request, regardless of whether its response is read at once or as a stream. */
export interface AttemptedRequest<A> {
  readonly method: string;
  readonly attempted: string;
  readonly headers: Readonly<Headers>;
  readonly deadline: RequestDeadline;
  readonly progress: RequestProgress | undefined;
  /** Whether the first attempt waits for the request limit. Retries always wait. */
  readonly limited: boolean;
  /** Sends the request once. */
  readonly send: (route: Route, headers: Headers) => Promise<A>;
  /** Releases the connection of a response that is not read. */
  readonly discard: (answer: A) => void;
}

interface AnswerHead {
  readonly code: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The body. Undefined if the response is a stream. */
  readonly body?: Uint8Array;
}

/**
 * Sends a request, and retries it if necessary. Each attempt, except the first attempt of a stream, waits for the request limit. The
 * attempt then gets credentials and sends the request. Reports each attempt to the observers. `retryDelaySeconds` determines whether there
 * is another attempt. After a 401, renews the credentials. If the credential source then returns a different credential, sends the request
 * once more. This is safe, because the server has not executed a request with invalid credentials.
 */
export class RequestAttempts<A extends AnswerHead> {
  /** The number of retries. */
  retries = 0;
  readonly #around: RequestContext;
  readonly #request: AttemptedRequest<A>;
  #renewed = false;
  #sentMs = 0;
  #observed: ObservedAttempt | undefined;

  constructor(around: RequestContext, request: AttemptedRequest<A>) {
    this.#around = around;
    this.#request = request;
  }

  /**
   * Returns the last response, whether or not it reports success. If there is no response, rejects with the errors of `Transport.request`.
   */
  async answer(): Promise<A> {
    for (;;) {
      const request = this.#request;
      const { closing, options } = this.#around;
      closing.throwIfAborted();
      request.deadline.signal?.throwIfAborted();
      const { requestLimit } = options;
      if (requestLimit !== undefined && (request.limited || this.retries > 0)) await this.#throttle(requestLimit);
      // Usually the credentials and the certificate authorities are known, and the request is sent without waiting.
      const pending = this.#admission();
      const { headers, credential } = pending instanceof Promise ? await pending : pending;
      const current = this.#certificateAuthorities();
      const ca = current instanceof Promise ? await current : current;
      const route = this.#around.routes.of({ ca, credential });
      this.#sentMs = options.clock.monotonicMs();
      let outcome: Outcome<A>;
      try {
        outcome = { answer: await request.send(route, headers) };
      } catch (error) {
        outcome = { error };
      }
      this.#ended(outcome);
      if ('answer' in outcome && outcome.answer.code < 400) return outcome.answer;
      const waitMs = await this.#waitBeforeNext(outcome, credential);
      if (waitMs === undefined) {
        if ('answer' in outcome) return outcome.answer;
        throw this.#unanswered(outcome.error);
      }
      if ('answer' in outcome) request.discard(outcome.answer);
      if (this.#observed !== undefined) request.progress?.retried?.(this.#observed, waitMs);
      this.retries++;
      if (waitMs > 0) await this.#whileOpen((signal) => options.clock.sleep(`${waitMs}ms`, signal));
    }
  }

  async #throttle(requestLimit: RequestLimit): Promise<void> {
    const { logger } = this.#around.options;
    const { deadline, progress, attempted } = this.#request;
    const { waitMs } = requestLimit;
    deadline.checkWait(waitMs, 'waiting for the client-side request limit');
    await (waitMs > 0 ? this.#whileOpen((signal) => requestLimit.take(signal)) : requestLimit.take());
    progress?.throttled?.(waitMs);
    if (waitMs < NOTED_WAIT_MS) return;
    const fields = { waitMs: Math.round(waitMs), attempted };
    const message = 'a request was delayed by the client-side request limit, not by the server';
    if (waitMs < LONG_WAIT_MS) logger?.debug(message, fields);
    else logger?.info(message, fields);
  }

  #admission(): Admission | Promise<Admission> {
    const { connection, closing } = this.#around;
    const { deadline, headers } = this.#request;
    const failed = (error: unknown): never => {
      throw this.#notAdmitted(error);
    };
    try {
      const admission = admissionOf(connection, headers);
      if (!(admission instanceof Promise)) return admission;
      return abortable(admission, deadline.signal, closing).catch(failed);
    } catch (error) {
      return failed(error);
    }
  }

  #notAdmitted(error: unknown): unknown {
    const { deadline, attempted } = this.#request;
    if (deadline.signal?.aborted || this.#around.closing.aborted) return this.#failed(error);
    const message = `${attempted}: no credentials available: ${messageOf(error)}`;
    return new KubewrightError('CREDENTIALS_FAILED', message, { cause: error });
  }

  #certificateAuthorities(): string | undefined | Promise<string | undefined> {
    const { caFile, connection } = this.#around;
    return caFile === undefined ? connection.ca : caFile.current();
  }

  /** Reports the end of an attempt. Throws if the attempt failed because the request is aborted or the transport is closed. */
  #ended(outcome: Outcome<A>): void {
    const { progress, deadline } = this.#request;
    const { options, outage, closing } = this.#around;
    if ('answer' in outcome) outage.answered(this.#sentMs);
    if (progress !== undefined) {
      this.#observed = observedAttempt(outcome, options.clock.monotonicMs() - this.#sentMs);
      progress.answered?.(this.#observed);
    }
    if ('error' in outcome && (deadline.signal?.aborted || closing.aborted)) throw this.#unanswered(outcome.error);
  }

  /** Returns the delay in milliseconds before the next attempt. Returns undefined if the request is not retried. */
  async #waitBeforeNext(outcome: Outcome<A>, used: Credential | undefined): Promise<number | undefined> {
    const { method, deadline } = this.#request;
    const { code, error } = observedAttempt(outcome, 0);
    if (code === 401) return (await this.#renew(used)) ? 0 : undefined;
    const after = 'answer' in outcome ? retryAfterSeconds(outcome.answer.headers['retry-after']) : undefined;
    const seconds = retryDelaySeconds({ method, code, error, retryAfterSeconds: after, retries: this.retries });
    return seconds !== undefined && deadline.allowsRequested(seconds * 1000) ? seconds * 1000 : undefined;
  }

  /**
   * Renews the credentials that the server has rejected, at most once per request. Returns whether the credential source now returns a
   * different credential. Returns false without a credential source, and if the renewal fails.
   */
  async #renew(used: Credential | undefined): Promise<boolean> {
    const { credentials } = this.#around.connection;
    if (this.#renewed || used === undefined || credentials === undefined) return false;
    this.#renewed = true;
    credentials.refused(used);
    try {
      return (await credentials.get()) !== used;
    } catch {
      // The response of the server is more helpful than the error of the renewal.
      return false;
    }
  }

  #whileOpen(wait: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const { signal } = this.#request.deadline;
    const { closing } = this.#around;
    return underJoined(signal === undefined ? [closing] : [signal, closing], wait);
  }

  /** Returns the error of an attempt that was sent and got no response. Also reports the error to `outage`. */
  #unanswered(error: unknown): unknown {
    const failed = this.#failed(error);
    this.#around.outage.failed(failed, this.#sentMs);
    return failed;
  }

  #failed(error: unknown): unknown {
    const { closing } = this.#around;
    if (closing.aborted) return closing.reason;
    if (isAborted(error) || error instanceof KubewrightError) return error;
    const { attempted, deadline } = this.#request;
    if (deadline.signal?.aborted) return error;
    if (isSilence(error)) {
      const message = `${attempted}: no data received for ${this.#around.options.silenceMs / 1000} s, closing the connection`;
      return new KubewrightError('REQUEST_TIMEOUT', message, { cause: error });
    }
    return new KubewrightError('REQUEST_FAILED', `${attempted}: ${messageOf(error)}`, { cause: error });
  }
}

type Outcome<A> = { readonly answer: A } | { readonly error: unknown };

function observedAttempt(outcome: Outcome<AnswerHead>, durationMs: number): ObservedAttempt {
  if ('error' in outcome) return { code: undefined, error: outcome.error, durationMs };
  const { code, body } = outcome.answer;
  return { code, body: body instanceof Uint8Array ? body : undefined, durationMs };
}

function isSilence(error: unknown): boolean {
  const code = (error as { readonly code?: unknown }).code;
  return code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT' || code === 'STREAM_SILENT';
}
