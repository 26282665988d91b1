import { messageOf } from '@kubewright/api/errors';
import type { Logger } from '../log/logger.js';
import { bodyText } from './answer.js';
import type { ObservedAttempt, ObservedRequest, RequestProgress, TransportObserver } from './transport-observer.js';

const MASK = '<masked>';
/** Resources whose objects are secrets, or hold them. */
const SECRET_PATHS = /\/(?:secrets|tokenreviews|token|certificatesigningrequests)(?:\/|$)/;

/** Where a `RequestLog` tells of requests, and how much. */
export interface RequestLogOptions {
  /** Gets a line at level debug for each attempt. */
  readonly logger: Logger;
  /** Bytes of each body that are shown; the rest is counted. Those of Secrets and tokens never are. @default 0: none are */
  readonly maxBodyBytes?: number;
}

/**
 * Logs the requests to the API server, for finding out what goes on. No header is ever logged, and no body of what is secret.
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

  request({ verb, path, attempted, body }: ObservedRequest): RequestProgress {
    const sent = this.#shown(path, body === undefined ? undefined : Buffer.from(body));
    const fieldsOf = ({ code, durationMs, error, body: answered }: ObservedAttempt): Record<string, unknown> => ({
      verb,
      path,
      attempted,
      code,
      durationMs: Math.round(durationMs),
      ...(error === undefined ? {} : { error: messageOf(error) }),
      ...(sent === undefined ? {} : { sent }),
      ...optional('answered', this.#shown(path, answered)),
    });
    return {
      throttled: (waitedMs) => {
        if (waitedMs > 0) this.#logger.debug('held back a request', { verb, path, waitedMs: Math.round(waitedMs) });
      },
      answered: (attempt) => this.#logger.debug('asked the API server', fieldsOf(attempt)),
      retried: ({ code }, waitMs) => this.#logger.debug('will ask again', { verb, path, code, waitMs }),
    };
  }

  #shown(path: string, body: Uint8Array | undefined): string | undefined {
    if (this.#maxBodyBytes === 0 || body === undefined || body.length === 0) return undefined;
    return SECRET_PATHS.test(path) ? MASK : bodyText(body, this.#maxBodyBytes);
  }
}

function optional(name: string, value: string | undefined): Record<string, string> {
  return value === undefined ? {} : { [name]: value };
}
