import { messageOf } from '@kubewright/api/errors';
import { InvalidJsonError, isJsonObject, parseJson, stringifyJson } from '@kubewright/api/json';
import { maskSecretFields } from '@kubewright/api/secrets';
import type { Logger } from '../../log/logger.js';
import { isFailureStatus, isProtobuf, maskedBodyText, shownBody } from '../answer/answer.js';
import { maskedStatus } from '../answer/masked-status.js';
import type {
  ObservedAttempt,
  ObservedRequest,
  RequestProgress,
  TransportObserver,
} from '../request/transport-observer.js';

const MASK = '<masked>';
/** Matches the paths of resources whose objects contain secrets. */
const SECRET_PATHS = /\/(?:secrets|tokenreviews|token|certificatesigningrequests)(?:\/|$)/;

/** The options of a `RequestLog`. */
export interface RequestLogOptions {
  /** The logger that receives a line at level debug for each attempt. */
  readonly logger: Logger;
  /**
   * The maximum number of bytes of each body that are logged. If a body is longer, the number of omitted bytes is logged. Secret fields are
   * masked, and bodies of Secrets and tokens are never logged. @default 0: bodies are not logged
   */
  readonly maxBodyBytes?: number;
}

/**
 * An observer that logs the requests to the API server, for debugging. Never logs headers, or bodies of resources that contain secrets.
 *
 * @example
 * const manager = new Manager({ observers: [new RequestLog({ logger, maxBodyBytes: 1024 })] });
 */
export class RequestLog implements TransportObserver {
  readonly #logger: Logger;
  readonly #maxBodyBytes: number;

  constructor({ logger, maxBodyBytes = 0 }: RequestLogOptions) {
    this.#logger = logger;
    this.#maxBodyBytes = maxBodyBytes;
  }

  request({ verb, path, attempted, body, schema }: ObservedRequest): RequestProgress {
    const request = { path, schema, body };
    const sent = this.#shown(request, body === undefined ? undefined : Buffer.from(body));
    const fieldsOf = ({ code, durationMs, error, body: answered }: ObservedAttempt): Record<string, unknown> => ({
      verb,
      path,
      attempted,
      code,
      durationMs: Math.round(durationMs),
      ...(error === undefined ? {} : { error: messageOf(error) }),
      ...(sent === undefined ? {} : { sent }),
      ...optional('answered', this.#shown(request, answered)),
    });
    return {
      throttled: (waitedMs) => {
        if (waitedMs > 0) this.#logger.debug('delayed a request', { verb, path, waitedMs: Math.round(waitedMs) });
      },
      answered: (attempt) => this.#logger.debug('sent a request to the API server', fieldsOf(attempt)),
      retried: ({ code }, waitMs) => this.#logger.debug('retrying a request', { verb, path, code, waitMs }),
    };
  }

  #shown(request: LoggedRequest, body: Uint8Array | undefined): string | undefined {
    if (this.#maxBodyBytes === 0 || body === undefined || body.length === 0) return undefined;
    // The secret fields of protobuf cannot be masked without its schema.
    if (isProtobuf(body)) return shownBody(body);
    return SECRET_PATHS.test(request.path) ? MASK : maskedBodyText(maskedBody(body, request), this.#maxBodyBytes);
  }
}

type LoggedRequest = Pick<ObservedRequest, 'path' | 'schema' | 'body'>;

/**
 * Returns a body with secret fields masked. The body may be an object, a list with objects in `items`, or a Status. Returns a body that is
 * not JSON unchanged.
 */
function maskedBody(body: Uint8Array, { path, schema, body: sent }: LoggedRequest): Uint8Array {
  try {
    const list = { properties: { items: { items: schema ?? {} } } };
    const value = parseJson(body);
    if (isFailureStatus(value)) {
      const request = { path, schema, body: sent === undefined ? undefined : parseJson(sent) };
      return Buffer.from(stringifyJson(maskedStatus(value, request)));
    }
    const isList = isJsonObject(value) && Array.isArray(value['items']);
    return Buffer.from(stringifyJson(maskSecretFields(value, { schema: isList ? list : schema })));
  } catch (error) {
    if (error instanceof InvalidJsonError) return body;
    throw error;
  }
}

function optional(name: string, value: string | undefined): Record<string, string> {
  return value === undefined ? {} : { [name]: value };
}
