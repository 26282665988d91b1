import { isAborted, KubewrightError, messageOf } from '@kubewright/api/errors';
import { abortable } from './abortable.js';
import type { CaFile } from './ca-file.js';
import type { Connection } from './connection.js';
import type { Credential } from './credential-source.js';
import { type Admission, admissionOf, type Headers } from './credentials.js';
import type { RequestDeadline } from './request-deadline.js';
import type { ResolvedTransportOptions } from './resolved-transport-options.js';
import type { RequestLimit } from './request-limit.js';
import { retryAfterSeconds, retryDelaySeconds } from './retry.js';
import type { Route } from './route.js';
import type { Routes } from './routes.js';
import type { ServerOutage } from './server-outage.js';
import type { ObservedAttempt, RequestProgress } from './transport-observer.js';
import { underSignals } from './under-signals.js';

/** A wait for the limit of this side that people are told of. */
const LONG_WAIT_MS = 1000;
const NOTED_WAIT_MS = 50;

/** What the requests of a transport have in common. */
export interface RequestSurroundings {
  readonly connection: Connection;
  readonly options: ResolvedTransportOptions;
  readonly routes: Routes;
  readonly caFile: CaFile | undefined;
  readonly outage: ServerOutage;
  /** Aborted with the error that is told when the transport is closed. */
  readonly closing: AbortSignal;
}

/** A request, however its answer is read. */
export interface AttemptedRequest<A> {
  readonly method: string;
  readonly attempted: string;
  readonly headers: Readonly<Headers>;
  readonly deadline: RequestDeadline;
  readonly progress: RequestProgress | undefined;
  /** Whether its first attempt, too, takes from the limit of requests. */
  readonly limited: boolean;
  /** Sends it once. */
  readonly send: (route: Route, headers: Headers) => Promise<A>;
  /** Ends an answer that is not read, so that its connection is free. */
  readonly discard: (answer: A) => void;
}

interface AnswerHead {
  readonly code: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Of an answer that is not a stream. */
  readonly body?: Uint8Array;
}

/**
 * Sends a request as often as it has to be. Each attempt waits for the limit of requests, then asks for credentials, then is sent;
 * what came of it is told, and decides by `retryDelaySeconds` whether there is another. A 401 renews credentials that change, and is
 * followed by one attempt with the new ones, since whoever is not known has changed nothing.
 */
export class RequestAttempts<A extends AnswerHead> {
  /** How often it was sent again. */
  retries = 0;
  readonly #around: RequestSurroundings;
  readonly #request: AttemptedRequest<A>;
  #renewed = false;
  #sentMs = 0;
  #observed: ObservedAttempt | undefined;

  constructor(around: RequestSurroundings, request: AttemptedRequest<A>) {
    this.#around = around;
    this.#request = request;
  }

  /** The last answer, be it a success or not. Rejects as `Transport.request` does when there is none. */
  async answer(): Promise<A> {
    for (;;) {
      const request = this.#request;
      const { closing, options } = this.#around;
      closing.throwIfAborted();
      request.deadline.signal?.throwIfAborted();
      const { requestLimit } = options;
      if (requestLimit !== undefined && (request.limited || this.retries > 0)) await this.#throttle(requestLimit);
      const admission = await this.#admission();
      const outcome = await this.#attempt(admission);
      if ('answer' in outcome && outcome.answer.code < 400) return outcome.answer;
      const waitMs = await this.#waitBeforeNext(outcome, admission.credential);
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
    deadline.checkWait(waitMs, 'the wait for the limit of requests of this client');
    await (waitMs > 0 ? this.#whileOpen((signal) => requestLimit.take(signal)) : requestLimit.take());
    progress?.throttled?.(waitMs);
    if (waitMs < NOTED_WAIT_MS) return;
    const fields = { waitMs: Math.round(waitMs), attempted };
    const message = 'a request waited for the limit of this client, not for the server';
    if (waitMs < LONG_WAIT_MS) logger?.debug(message, fields);
    else logger?.info(message, fields);
  }

  async #admission(): Promise<Admission> {
    const { connection, closing } = this.#around;
    const { deadline, headers, attempted } = this.#request;
    try {
      return await abortable(admissionOf(connection, headers), deadline.signal, closing);
    } catch (error) {
      if (deadline.signal?.aborted || closing.aborted) throw this.#failed(error);
      const message = `${attempted}: no credentials could be had: ${messageOf(error)}`;
      throw new KubewrightError('CREDENTIALS_FAILED', message, { cause: error });
    }
  }

  async #attempt({ headers, credential }: Admission): Promise<Outcome<A>> {
    const { send, progress, deadline } = this.#request;
    const { connection, routes, caFile, options, outage } = this.#around;
    const ca = caFile === undefined ? connection.ca : await caFile.current();
    const route = routes.of({ ca, credential });
    const { clock } = options;
    const sentMs = clock.monotonicMs();
    this.#sentMs = sentMs;
    let outcome: Outcome<A>;
    try {
      outcome = { answer: await send(route, headers) };
      outage.answered(sentMs);
    } catch (error) {
      outcome = { error };
    }
    if (progress !== undefined) {
      this.#observed = { ...seen(outcome), durationMs: clock.monotonicMs() - sentMs };
      progress.answered?.(this.#observed);
    }
    if ('error' in outcome && (deadline.signal?.aborted || this.#around.closing.aborted))
      throw this.#unanswered(outcome.error);
    return outcome;
  }

  /** How long to wait before a request that failed is sent again; undefined when it is not. */
  async #waitBeforeNext(outcome: Outcome<A>, used: Credential | undefined): Promise<number | undefined> {
    const { method, deadline } = this.#request;
    const { code, error } = seen(outcome);
    if (code === 401) return (await this.#renew(used)) ? 0 : undefined;
    const after = 'answer' in outcome ? retryAfterSeconds(outcome.answer.headers['retry-after']) : undefined;
    const seconds = retryDelaySeconds({ method, code, error, retryAfterSeconds: after, retries: this.retries });
    return seconds !== undefined && deadline.allowsAsked(seconds * 1000) ? seconds * 1000 : undefined;
  }

  /** Whether there are other credentials than those that were refused. */
  async #renew(used: Credential | undefined): Promise<boolean> {
    const { credentials } = this.#around.connection;
    if (this.#renewed || used === undefined || credentials === undefined) return false;
    this.#renewed = true;
    credentials.refused(used);
    try {
      return (await credentials.get()) !== used;
    } catch {
      // The server's answer says more than that there are no others.
      return false;
    }
  }

  #whileOpen(wait: (signal: AbortSignal | undefined) => Promise<void>): Promise<void> {
    const { signal } = this.#request.deadline;
    const { closing } = this.#around;
    return underSignals(signal === undefined ? [closing] : [signal, closing], wait);
  }

  /** The error of an attempt that was sent and got no answer. */
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
      const message = `${attempted}: no byte of an answer came for ${this.#around.options.silenceMs / 1000} s, so the connection was given up`;
      return new KubewrightError('REQUEST_TIMEOUT', message, { cause: error });
    }
    return new KubewrightError('REQUEST_FAILED', `${attempted}: ${messageOf(error)}`, { cause: error });
  }
}

type Outcome<A> = { readonly answer: A } | { readonly error: unknown };

function seen(outcome: Outcome<AnswerHead>): Omit<ObservedAttempt, 'durationMs'> {
  if ('error' in outcome) return { code: undefined, error: outcome.error };
  const { code, body } = outcome.answer;
  return { code, body: body instanceof Uint8Array ? body : undefined };
}

function isSilence(error: unknown): boolean {
  const code = (error as { readonly code?: unknown }).code;
  return code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT' || code === 'STREAM_SILENT';
}
