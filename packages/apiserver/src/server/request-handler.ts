import type { Clock } from '@kubewright/api/clock';
import { ApiError } from '@kubewright/api/errors';
import { InvalidCredentialsError } from '../authentication/authenticated.js';
import { type Authenticator, headerWarning } from '../authentication/authenticator.js';
import { impersonatedUser } from '../authorization/impersonation-headers.js';
import { type Answer, type AnswerStream, statusAnswer, text } from '../handlers/answers/answer.js';
import type { Router } from '../handlers/router.js';
import { requestSignal } from '../handlers/request-end.js';
import { requestInfo } from '../handlers/request-info.js';
import { checkTimeout, deadlineMs } from '../handlers/request-timeout.js';
import { warningHeaders } from '../handlers/answers/warning-headers.js';
import { emptyObject } from '../registry/objects/json-object.js';
import { failure } from '../registry/requests/status-errors.js';
import type { User } from '../registry/requests/user.js';
import type { ClientCertificates } from './client-certificates.js';
import { DurableStream } from './durable-stream.js';
import { sendAnswer } from './exchange.js';
import type { HttpRequest, HttpResponse } from './listener.js';
import { readBody, SlowBodyError } from './read-body.js';
import { isRequestTarget, requestTarget } from './request-target.js';

interface Exchange {
  readonly request: HttpRequest;
  readonly response: HttpResponse;
}

/**
 * Handles each request: authenticates the user, reads the body, routes the request and sends the response. Never throws. Sends a response
 * only after the writes that the response can report are durable.
 */
export class RequestHandler {
  readonly #router: Router;
  readonly #authenticator: Authenticator;
  readonly #certificates: ClientCertificates;
  readonly #durable: () => Promise<void> | undefined;
  readonly #onDone: () => void;
  readonly #bodyLimitMs: number | undefined;
  readonly #clock: Clock;
  #open = 0;

  constructor(
    router: Router,
    options: {
      readonly authenticator: Authenticator;
      readonly certificates: ClientCertificates;
      /** Resolves when all writes so far are durable. Returns undefined if all of them are already durable. */
      readonly durable: () => Promise<void> | undefined;
      readonly onDone: () => void;
      /** The clock for the time limits of requests. */
      readonly clock: Clock;
      /** The maximum time for receiving a body, in milliseconds. @default 60,000 */
      readonly bodyLimitMs?: number;
    },
  ) {
    this.#router = router;
    this.#authenticator = options.authenticator;
    this.#certificates = options.certificates;
    this.#durable = options.durable;
    this.#onDone = options.onDone;
    this.#bodyLimitMs = options.bodyLimitMs;
    this.#clock = options.clock;
  }

  /** The number of requests in progress. A watch counts until it has started. */
  get open(): number {
    return this.#open;
  }

  async handle(request: HttpRequest, response: HttpResponse): Promise<void> {
    this.#open += 1;
    try {
      await this.#send(request, response);
    } catch {
      // The client has disconnected, or the response ended early. HTTP/2 streams must not be reset while Node.js processes received frames.
      setImmediate(() => response.destroy());
    } finally {
      this.#open -= 1;
      this.#onDone();
    }
  }

  async #send(request: HttpRequest, response: HttpResponse): Promise<void> {
    const answer = await this.#answer({ request, response });
    if (answer.kind !== 'stream') return sendAnswer(request, response, answer);
    const run = (stream: AnswerStream): void => answer.run(new DurableStream(stream, this.#durable));
    return sendAnswer(request, response, { ...answer, run });
  }

  async #answer(exchange: Exchange): Promise<Answer> {
    try {
      const warning = headerWarning(exchange.request.headers.authorization);
      const warnings = warning === undefined ? [] : [warning];
      const answer = warned(await this.#handled(exchange, warnings), warnings);
      // An error response can also report that an object exists or is deleted.
      await this.#durable();
      return answer;
    } catch (error) {
      return statusAnswer(internalError(error).body);
    }
  }

  async #handled({ request, response }: Exchange, warnings: string[]): Promise<Answer> {
    try {
      const url = request.url ?? '/';
      if (!isRequestTarget(url)) return text('400 Bad Request', 400);
      const target = requestTarget(url);
      const method = request.method ?? 'GET';
      const info = requestInfo(method, target.path, target.query);
      checkTimeout(target.query, info);
      const limit = deadlineMs(target.query, info, this.#clock);
      const user = this.#user(request);
      const impersonate = impersonatedUser(request.rawHeaders);
      const body = await readBody(request, { limitMs: this.#bodyLimitMs });
      const isAbandoned = (): boolean => ('stream' in request ? request.stream.destroyed : request.socket.destroyed);
      const onClose = (listener: () => void): void => void response.once('close', listener);
      return await this.#router.route({
        method,
        ...target,
        headers: oneEach(request.headers),
        body,
        user,
        warnings,
        isAbandoned,
        ...(limit === undefined ? {} : { deadlineMs: limit }),
        signal: requestSignal({ clock: this.#clock, deadlineMs: limit, info, isAbandoned, onClose }),
        ...(impersonate === undefined ? {} : { impersonate }),
      });
    } catch (error) {
      if (error instanceof SlowBodyError) return { kind: 'cut' };
      return statusAnswer((error instanceof ApiError ? error : internalError(error)).body);
    }
  }

  #user(request: HttpRequest): User {
    const { authorization } = request.headers;
    try {
      return this.#authenticator.authenticate({ authorization, certificate: this.#certificates.user(request) });
    } catch (error) {
      if (!(error instanceof InvalidCredentialsError)) throw error;
      throw failure(401, 'Unauthorized', { message: 'Unauthorized' });
    }
  }
}

/** Adds the warnings of a request to its response, including error responses. */
function warned(answer: Answer, warnings: readonly string[]): Answer {
  if (warnings.length === 0 || answer.kind === 'cut') return answer;
  return { ...answer, headers: { ...answer.headers, ...warningHeaders(warnings) } };
}

function oneEach(headers: HttpRequest['headers']): Readonly<Record<string, string | undefined>> {
  const single = emptyObject() as Record<string, string | undefined>;
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    single[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return single;
}

function internalError(error: unknown): ApiError {
  const warning = error instanceof Error ? error.message : String(error);
  return failure(500, 'InternalError', {
    message: `Internal error occurred: ${warning}`,
    details: { causes: [{ message: warning }] },
  });
}
