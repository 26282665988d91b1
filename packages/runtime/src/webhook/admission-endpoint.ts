import type { IncomingMessage, ServerResponse } from 'node:http';
import type { KubeObject, AdmissionRequest } from '@kubewright/api';
import type { Clock } from '@kubewright/api/clock';
import { ApiError, DeniedError, messageOf } from '@kubewright/api/errors';
import { type JsonObject, objectAt, stringAt } from '@kubewright/api/json';
import { type AdmissionType, kindOf } from '@kubewright/api/metadata';
import { maskText } from '@kubewright/api/secrets';
import { withLogger } from '../client/scope/current-logger.js';
import type { Logger } from '../log/logger.js';
import type { WebhookMetrics } from '../metrics/webhook-metrics.js';
import type { DescribedAdmissionWebhook } from '../rbac/described-webhooks.js';
import type { RequestHandler } from '../serving/http-endpoint.js';
import { type AdmissionHandler, mutate, validate } from './admission-call.js';
import { admissionRequest } from './admission-request.js';
import { type AdmissionDecision, admissionResponse, denied } from './admission-response.js';
import { BodyDeadlines } from './body-deadlines.js';
import { MAX_ADMISSION_BYTES, readBody } from './read-body.js';
import { signalOf } from './response-signal.js';
import { parseReview, type Review, sendJson } from './review.js';

/** A webhook, and the handlers that it calls. */
export interface ServedAdmission {
  readonly type: AdmissionType;
  readonly webhook: DescribedAdmissionWebhook;
  readonly handlers: readonly AdmissionHandler[];
}
export interface AdmissionEndpointUsing {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: WebhookMetrics;
  /**
   * Calls the handlers of a request. A program can set this function to extend their asynchronous context. @default calls the handlers
   * directly
   */
  readonly around?: AroundWebhook | undefined;
}
/** Calls `handle` for an HTTP request, for example in the context of an `AsyncLocalStorage`. */
export type AroundWebhook = (request: IncomingMessage, handle: () => Promise<void>) => Promise<void>;

const REVIEW = { group: 'admission.k8s.io', kind: 'AdmissionReview' } as const;

/**
 * Returns the HTTP handler of an admission webhook. Every response has the HTTP status 200 and is an AdmissionReview; the status of a
 * rejected request is part of the review. The same applies to a request that is not a valid AdmissionReview.
 */
export function admissionEndpoint(served: ServedAdmission, using: AdmissionEndpointUsing): RequestHandler {
  const endpoint = new AdmissionEndpoint(served, using);
  return (request, response) => endpoint.answer(request, response);
}

class AdmissionEndpoint {
  readonly #served: ServedAdmission;
  readonly #using: AdmissionEndpointUsing;
  readonly #deadlines: BodyDeadlines;

  constructor(served: ServedAdmission, using: AdmissionEndpointUsing) {
    this.#served = served;
    this.#using = using;
    this.#deadlines = new BodyDeadlines(using.clock);
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { around } = this.#using;
    const body = await readBody(request, { deadlines: this.#deadlines, maxBytes: MAX_ADMISSION_BYTES });
    if (!Buffer.isBuffer(body)) {
      this.#logProblem(body.message);
      const decision = denied({ code: body.code, message: body.message });
      return sendJson(response, reviewOf('', decision), { close: body.code !== 400 });
    }
    const review = parseReview(body, REVIEW);
    if (typeof review === 'string') {
      this.#logProblem(review);
      return sendJson(response, reviewOf('', denied({ code: 400, reason: 'BadRequest', message: review })));
    }
    const handle = (): Promise<void> => this.#handle(review, response);
    await (around === undefined ? handle() : around(request, handle));
  }

  async #handle({ apiVersion, request }: Review, response: ServerResponse): Promise<void> {
    const warnings: string[] = [];
    const logger = this.#loggerOf(request);
    const warn = (message: string): void => void warnings.push(message);
    const decision = await this.#decide(request, { signal: signalOf(response), warn, logger });
    sendJson(response, reviewOf(stringAt(request, 'uid'), decision, { apiVersion, warnings }));
  }

  async #decide(
    given: JsonObject,
    using: { readonly signal: () => AbortSignal; readonly warn: (message: string) => void; readonly logger: Logger },
  ): Promise<AdmissionDecision> {
    const request = admissionRequest(given, using);
    const problem = typeof request === 'string' ? request : this.#kindProblem(given);
    if (typeof request === 'string' || problem !== undefined) {
      this.#logProblem(problem ?? '');
      return denied({ code: 400, reason: 'BadRequest', message: problem ?? '' });
    }
    try {
      return await withLogger(using.logger, () => this.#call(request, given));
    } catch (error) {
      return this.#failed(error, using.logger);
    }
  }

  #call(request: AdmissionRequest<KubeObject>, given: JsonObject): Promise<AdmissionDecision> {
    const { type, webhook, handlers } = this.#served;
    if (webhook.type === 'mutating') return mutate(type, handlers, request);
    const requested = objectAt(given, 'kind');
    const kind = { group: stringAt(requested, 'group'), kind: stringAt(requested, 'kind') };
    return validate(type, handlers, request, kind);
  }

  /** Returns the decision for an error of a handler. An unexpected error is logged and counted. */
  #failed(error: unknown, logger: Logger): AdmissionDecision {
    if (error instanceof DeniedError) return denied({ code: 403, reason: 'Forbidden', message: error.message });
    if (error instanceof ApiError) return denied(statusOf(error));
    this.#using.metrics.panicked();
    logger.error('the webhook failed', { error });
    const message = `the webhook '${this.#served.webhook.name}' failed: ${maskText(messageOf(error))}`;
    return denied({ code: 500, reason: 'InternalError', message });
  }

  /** Returns the problem of a request for another kind. A wrong rule in a webhook configuration causes such requests. */
  #kindProblem(request: JsonObject): string | undefined {
    const { kind: ref, name } = this.#served.webhook;
    const expected = kindOf(ref);
    const { group = '', version = '', kind } = objectAt(request, 'kind');
    // The object of a subresource can have another kind.
    if (kind === undefined || stringAt(request, 'subResource') !== '') return undefined;
    if (kind === expected.kind && group === expected.group && version === expected.version) return undefined;
    const given = `${group === '' ? '' : `${String(group)}/`}${String(version)} ${String(kind)}`;
    return `webhook '${name}' handles ${expected.apiVersion} ${expected.kind}, but the object is ${given}; correct the rules in the webhook configuration`;
  }

  #loggerOf(request: JsonObject): Logger {
    return this.#using.logger.with({
      webhook: this.#served.webhook.name,
      object: { namespace: stringAt(request, 'namespace'), name: stringAt(request, 'name') },
      operation: stringAt(request, 'operation'),
      user: stringAt(request, 'userInfo', 'username'),
      requestId: stringAt(request, 'uid'),
    });
  }
  #logProblem(problem: string): void {
    this.#using.logger.warn('rejected an invalid admission request', { webhook: this.#served.webhook.name, problem });
  }
}

function reviewOf(
  uid: string,
  decision: AdmissionDecision,
  {
    apiVersion = `${REVIEW.group}/v1`,
    warnings = [],
  }: { readonly apiVersion?: string; readonly warnings?: readonly string[] } = {},
): object {
  return { kind: REVIEW.kind, apiVersion, response: admissionResponse(uid, decision, warnings) };
}

function statusOf({ status, reason, message, body }: ApiError): AdmissionDecision['status'] {
  const { details } = body;
  return { code: status, reason, message, ...(details !== undefined && { details }) };
}
