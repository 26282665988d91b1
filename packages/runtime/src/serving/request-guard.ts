import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Clock } from '@kubewright/api/clock';
import type { Logger } from '../log/logger.js';
import { withinDeadline } from '../waiting/deadline.js';
import { isPassing } from '../transport/sending/retry.js';
import type { Transport } from '../transport/sending/transport.js';
import { ExpiringAnswers } from './expiring-answers.js';
import { pathOf } from './http-endpoint.js';
import { logFailure } from '../transport/sending/server-outage.js';

const AUTHENTICATED_MS = 60_000;
const ALLOWED_MS = 300_000;
const DENIED_MS = 30_000;
const REVIEW_TIMEOUT_MS = 10_000;
const TRIES = 5;
const RETRY_MS = 500;
const RETRY_FACTOR = 1.5;

/** The response to a request that is not allowed. */
export interface Refusal {
  readonly status: 401 | 403 | 500;
  readonly message: string;
}
interface User {
  readonly username?: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/**
 * Authenticates and authorizes requests with the API server. A TokenReview checks the bearer token. A SubjectAccessReview checks whether
 * the user may access the path; the verb is the method in lower case. Users are cached for one minute, allowed requests for five minutes,
 * and denied requests for 30 s.
 */
export class RequestGuard {
  readonly #transport: () => Promise<Pick<Transport, 'request'>>;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #users: ExpiringAnswers<User | undefined>;
  readonly #decisions: ExpiringAnswers<boolean>;

  constructor(using: {
    readonly transport: () => Promise<Pick<Transport, 'request'>>;
    readonly clock: Clock;
    readonly logger: Logger;
  }) {
    this.#transport = using.transport;
    this.#clock = using.clock;
    this.#logger = using.logger;
    this.#users = new ExpiringAnswers(using.clock);
    this.#decisions = new ExpiringAnswers(using.clock);
  }

  /**
   * Returns undefined for an allowed request. Otherwise returns the response: 401 without a valid token, 403 without permission, or 500 if
   * the check of the request fails.
   */
  async refusal(request: IncomingMessage): Promise<Refusal | undefined> {
    const path = pathOf(request);
    const verb = (request.method ?? 'GET').toLowerCase();
    try {
      const user = await this.#userOf(request);
      if (user === undefined) return { status: 401, message: 'Unauthorized' };
      if (await this.#mayDo(user, { path, verb })) return undefined;
      return { status: 403, message: `${user.username ?? 'the user'} is not allowed to ${verb} ${path}` };
    } catch (error) {
      const message = 'cannot determine whether a request is allowed';
      logFailure(this.#logger, error, { level: 'error', message, fields: { path, error } });
      return { status: 500, message: 'cannot determine whether the request is allowed' };
    }
  }

  async #userOf(request: IncomingMessage): Promise<User | undefined> {
    const [, token] = /^Bearer +([^\s]+)$/i.exec(request.headers.authorization ?? '') ?? [];
    if (token === undefined) return undefined;
    const digest = createHash('sha256').update(token).digest('base64');
    return this.#users.get(digest, async () => {
      const review = await this.#review<{ status?: { authenticated?: boolean; user?: User } }>({
        path: '/apis/authentication.k8s.io/v1/tokenreviews',
        body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: { token } },
        attempted: 'create a TokenReview',
      });
      const { authenticated, user } = review.status ?? {};
      return { value: authenticated === true ? (user ?? {}) : undefined, validMs: AUTHENTICATED_MS };
    });
  }

  #mayDo(user: User, nonResourceAttributes: { readonly path: string; readonly verb: string }): Promise<boolean> {
    const { username, uid, groups, extra } = user;
    const spec = { user: username, uid, groups, extra, nonResourceAttributes };
    return this.#decisions.get(JSON.stringify(spec), async () => {
      const review = await this.#review<{ status?: { allowed?: boolean } }>({
        path: '/apis/authorization.k8s.io/v1/subjectaccessreviews',
        body: { apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', spec },
        attempted: 'create a SubjectAccessReview',
      });
      const allowed = review.status?.allowed === true;
      return { value: allowed, validMs: allowed ? ALLOWED_MS : DENIED_MS };
    });
  }

  /** Sends a review. After a transient error of the server, retries with increasing delays. */
  async #review<T>(review: { readonly path: string; readonly body: unknown; readonly attempted: string }): Promise<T> {
    const transport = await this.#transport();
    const tooLate = (): Error => new Error('no response within 10 s');
    return withinDeadline({ clock: this.#clock, ms: REVIEW_TIMEOUT_MS, tooLate }, async (signal) => {
      for (let attempt = 1; ; attempt++) {
        try {
          return await transport.request<T>({ method: 'POST', ...review, signal });
        } catch (error) {
          if (attempt >= TRIES || signal.aborted || !isPassing(error)) throw error;
        }
        await this.#clock.sleep(`${RETRY_MS * RETRY_FACTOR ** (attempt - 1)}ms`, signal);
      }
    });
  }
}
