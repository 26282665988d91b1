import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AuthenticatedUser, AuthenticationContext, Authenticator } from '@kubewright/api';
import type { Clock } from '@kubewright/api/clock';
import { messageOf } from '@kubewright/api/errors';
import { type JsonObject, stringAt } from '@kubewright/api/json';
import { MASK, maskText } from '@kubewright/api/secrets';
import { withLogger } from '../client/scope/current-logger.js';
import type { Logger } from '../log/logger.js';
import type { WebhookMetrics } from '../metrics/webhook-metrics.js';
import type { RequestHandler } from '../serving/http-endpoint.js';
import { LazySignal } from '../waiting/lazy-signal.js';
import type { AroundWebhook } from './admission-endpoint.js';
import { BodyDeadlines } from './body-deadlines.js';
import { readBody } from './read-body.js';
import { signalOf } from './response-signal.js';
import { parseReview, sendJson } from './review.js';

/** The objects that the endpoint of an authenticator uses. */
export interface TokenReviewEndpointUsing {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: WebhookMetrics;
  readonly around?: AroundWebhook | undefined;
}

/** The status of a TokenReview. */
interface TokenReviewStatus {
  readonly authenticated: boolean;
  readonly user?: object;
  readonly audiences?: readonly string[];
  readonly error?: string;
}

const REVIEW = { group: 'authentication.k8s.io', kind: 'TokenReview', content: 'spec' } as const;
const V1 = `${REVIEW.group}/v1`;
/** The maximum size of a TokenReview in bytes. A TokenReview contains little more than a token of a few KiB. */
const MAX_BYTES = 2 ** 20;

/**
 * Returns the HTTP handler of an authenticator. Every response has the HTTP status 200 and is a TokenReview; for an invalid request, its
 * status contains the error.
 */
export function tokenReviewEndpoint(authenticator: Authenticator, using: TokenReviewEndpointUsing): RequestHandler {
  const deadlines = new BodyDeadlines(using.clock);
  return (request, response) => answer(request, response, { ...using, authenticator, deadlines });
}

type Using = TokenReviewEndpointUsing & { readonly authenticator: Authenticator; readonly deadlines: BodyDeadlines };

async function answer(request: IncomingMessage, response: ServerResponse, using: Using): Promise<void> {
  const { deadlines, around } = using;
  const body = await readBody(request, { deadlines, maxBytes: MAX_BYTES });
  if (!Buffer.isBuffer(body)) {
    return sendJson(response, reviewOf(V1, '', invalid(body.message, using)), { close: body.code !== 400 });
  }
  const review = parseReview(body, REVIEW);
  if (typeof review === 'string') return sendJson(response, reviewOf(V1, '', invalid(review, using)));
  const handle = async (): Promise<void> => {
    const { apiVersion, document, request: spec } = review;
    const status = await statusOf(spec, signalOf(response), using);
    sendJson(response, reviewOf(apiVersion, stringAt(document, 'metadata', 'uid'), status));
  };
  await (around === undefined ? handle() : around(request, handle));
}

class ReviewContext extends LazySignal implements AuthenticationContext {
  readonly audiences: readonly string[];

  constructor(audiences: readonly string[], signal: () => AbortSignal) {
    super(signal);
    this.audiences = audiences;
  }
}

async function statusOf(spec: JsonObject, signal: () => AbortSignal, using: Using): Promise<TokenReviewStatus> {
  const { authenticator, logger } = using;
  const token = stringAt(spec, 'token');
  if (token === '') return invalid('the TokenReview has no token', using);
  const { audiences } = spec;
  const context = new ReviewContext(Array.isArray(audiences) ? (audiences as readonly string[]) : [], signal);
  try {
    const user = await withLogger(logger, () => authenticator.authenticate(token, context));
    return user === undefined ? { authenticated: false } : authenticated(user);
  } catch (error) {
    using.metrics.panicked();
    logger.error('the authenticator failed', { error: loggedError(error, token) });
    return { authenticated: false, error: maskText(messageOf(error)).replaceAll(token, MASK) };
  }
}
/**
 * Returns the error of an authenticator for the log. If the error contains the token, returns the message and the stack as text, with the
 * token masked.
 */
function loggedError(error: unknown, token: string): unknown {
  const text = error instanceof Error ? `${error.message}\n${error.stack ?? ''}` : messageOf(error);
  return text.includes(token) ? text.replaceAll(token, MASK) : error;
}
function authenticated({ name, uid, groups, extra, audiences }: AuthenticatedUser): TokenReviewStatus {
  return {
    authenticated: true,
    user: { username: name, ...(uid !== undefined && { uid }), ...(groups && { groups }), ...(extra && { extra }) },
    ...(audiences && { audiences }),
  };
}
function invalid(problem: string, { logger }: Using): TokenReviewStatus {
  logger.warn('rejected an invalid authentication request', { problem });
  return { authenticated: false, error: problem };
}
function reviewOf(apiVersion: string, uid: string, status: TokenReviewStatus): object {
  return { kind: REVIEW.kind, apiVersion, metadata: uid === '' ? {} : { uid }, spec: {}, status };
}
