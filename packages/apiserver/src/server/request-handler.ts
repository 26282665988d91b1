import { ApiError } from '@kubewright/api/errors';
import { InvalidCredentialsError } from '../authentication/authenticated.js';
import { type Authenticator, headerWarning } from '../authentication/authenticator.js';
import { impersonatedUser } from '../authorization/impersonation-headers.js';
import { type Answer, type AnswerStream, statusAnswer, text } from '../handlers/answers/answer.js';
import type { Router } from '../handlers/router.js';
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

/**
 * Handles each request: authenticates the user, reads the body, routes the request and sends the answer. Never throws. Sends an answer only
 * after the writes that the answer can report are durable.
 */
export class RequestHandler {
  readonly #router: Router;
  readonly #authenticator: Authenticator;
  readonly #certificates: ClientCertificates;
  readonly #durable: () => Promise<void> | undefined;
  readonly #onDone: () => void;
  readonly #bodyLimitMs: number | undefined;
  #open = 0;

  constructor(
    router: Router,
    options: {
      readonly authenticator: Authenticator;
      readonly certificates: ClientCertificates;
      /** Resolves when all writes so far are durable. Returns undefined if all of them are already durable. */
      readonly durable: () => Promise<void> | undefined;
      readonly onDone: () => void;
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
      // The client has disconnected, or the answer ended early. HTTP/2 streams must not be reset while Node.js processes received frames.
      setImmediate(() => response.destroy());
    } finally {
      this.#open -= 1;
      this.#onDone();
    }
  }

  async #send(request: HttpRequest, response: HttpResponse): Promise<void> {
    const answer = await this.#answer(request);
    if (answer.kind !== 'stream') return sendAnswer(request, response, answer);
    const run = (stream: AnswerStream): void => answer.run(new DurableStream(stream, this.#durable));
    return sendAnswer(request, response, { ...answer, run });
  }

  async #answer(request: HttpRequest): Promise<Answer> {
    try {
      const warning = headerWarning(request.headers.authorization);
      const warnings = warning === undefined ? [] : [warning];
      const answer = warned(await this.#handled(request, warnings), warnings);
      // An error answer can also report that an object exists or is deleted.
      await this.#durable();
      return answer;
    } catch (error) {
      return statusAnswer(internalError(error).body);
    }
  }

  async #handled(request: HttpRequest, warnings: string[]): Promise<Answer> {
    try {
      const url = request.url ?? '/';
      if (!isRequestTarget(url)) return text('400 Bad Request', 400);
      const user = this.#user(request);
      const impersonate = impersonatedUser(request.rawHeaders);
      const body = await readBody(request, { limitMs: this.#bodyLimitMs });
      return await this.#router.route({
        method: request.method ?? 'GET',
        ...requestTarget(url),
        headers: oneEach(request.headers),
        body,
        user,
        warnings,
        isAbandoned: () => ('stream' in request ? request.stream.destroyed : request.socket.destroyed),
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

/** Adds the warnings of a request to its answer, including error answers. */
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
