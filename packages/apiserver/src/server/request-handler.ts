import type { Clock } from '@kubewright/api/clock';
import { ApiError } from '@kubewright/api/errors';
import { InvalidCredentialsError } from '../authentication/authenticated.js';
import { type Authenticator, headerWarning } from '../authentication/authenticator.js';
import { impersonatedUser } from '../authorization/impersonation-headers.js';
import { type Answer, type AnswerStream, statusAnswer, text } from '../handlers/answers/answer.js';
import type { ProtobufWriter } from '../handlers/protobuf/protobuf-writer.js';
import type { Router } from '../handlers/router.js';
import { requestSignal } from '../handlers/request-end.js';
import { requestInfo } from '../handlers/request-info.js';
import { checkTimeout, deadlineMs } from '../handlers/request-timeout.js';
import { warningHeaders } from '../handlers/answers/warning-headers.js';
import { emptyObject } from '../registry/objects/json-object.js';
import { failure } from '../registry/requests/status-errors.js';
import type { User } from '../registry/requests/user.js';
import { DurableStream } from './durable-stream.js';
import { encodedAnswer } from './encoded-answer.js';
import type { Exchange } from './exchange.js';
import { SlowBodyError } from './read-body.js';
import { isRequestTarget, requestTarget } from './request-target.js';

/**
 * Handles each request: authenticates the user, reads the body, routes the request and sends the response. Never throws. Sends a response
 * only after the writes that the response can report are durable.
 */
export class RequestHandler {
  readonly #router: Router;
  readonly #authenticator: Authenticator;
  readonly #durable: () => Promise<void> | undefined;
  readonly #onDone: () => void;
  readonly #bodyLimitMs: number | undefined;
  readonly #clock: Clock;
  readonly #protobuf: ProtobufWriter;
  #open = 0;

  constructor(
    router: Router,
    options: {
      readonly authenticator: Authenticator;
      /** Resolves when all writes so far are durable. Returns undefined if all of them are already durable. */
      readonly durable: () => Promise<void> | undefined;
      readonly onDone: () => void;
      /** The clock for the time limits of requests. */
      readonly clock: Clock;
      readonly protobuf: ProtobufWriter;
      /** The maximum time for receiving a body, in milliseconds. @default 60,000 */
      readonly bodyLimitMs?: number;
    },
  ) {
    this.#router = router;
    this.#authenticator = options.authenticator;
    this.#durable = options.durable;
    this.#onDone = options.onDone;
    this.#bodyLimitMs = options.bodyLimitMs;
    this.#clock = options.clock;
    this.#protobuf = options.protobuf;
  }

  /** The number of requests in progress. A watch counts until it has started. */
  get open(): number {
    return this.#open;
  }

  async handle(exchange: Exchange): Promise<void> {
    this.#open += 1;
    try {
      await this.#send(exchange);
    } catch {
      // The client has disconnected, or the response ended early.
      exchange.destroy();
    } finally {
      this.#open -= 1;
      this.#onDone();
    }
  }

  async #send(exchange: Exchange): Promise<void> {
    const answer = await encodedAnswer(await this.#answer(exchange), exchange, this.#protobuf);
    if (answer.kind !== 'stream') return exchange.send(answer);
    const run = (stream: AnswerStream): void => answer.run(new DurableStream(stream, this.#durable));
    return exchange.send({ ...answer, run });
  }

  async #answer(exchange: Exchange): Promise<Answer> {
    try {
      const warning = headerWarning(exchange.headers.authorization);
      const warnings = warning === undefined ? [] : [warning];
      const answer = warned(await this.#handled(exchange, warnings), warnings);
      // An error response can also report that an object exists or is deleted.
      await this.#durable();
      return answer;
    } catch (error) {
      return statusAnswer(internalError(error).body);
    }
  }

  async #handled(exchange: Exchange, warnings: string[]): Promise<Answer> {
    try {
      const { method, url } = exchange;
      if (!isRequestTarget(url)) return text('400 Bad Request', 400);
      const target = requestTarget(url);
      const info = requestInfo(method, target.path, target.query);
      checkTimeout(target.query, info);
      const limit = deadlineMs(target.query, info, this.#clock);
      const user = this.#user(exchange);
      const impersonate = impersonatedUser(exchange.rawHeaders);
      const body = await exchange.readBody(this.#bodyLimitMs);
      const isAbandoned = (): boolean => exchange.isAbandoned();
      const onClose = (listener: () => void): void => exchange.onClose(listener);
      return await this.#router.route({
        method,
        ...target,
        headers: oneEach(exchange.headers),
        body,
        user,
        warnings,
        canUpgrade: exchange.canUpgrade,
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

  #user(exchange: Exchange): User {
    const { authorization } = exchange.headers;
    try {
      return this.#authenticator.authenticate({ authorization, certificate: exchange.certificateUser() });
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

function oneEach(headers: Exchange['headers']): Readonly<Record<string, string | undefined>> {
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
