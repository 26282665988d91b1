import { append } from '@kubewright/api/json';
import { isObject } from '../../registry/objects/json-object.js';
import type { AdmissionRequest } from '../../registry/admission/admission-check.js';
import { failure } from '../../registry/requests/status-errors.js';
import { WebhookCallError, WebhookSetupError } from '../../registry/webhooks/webhook-call-error.js';
import type { Review } from './review.js';
import { InvalidResponseError, type ReviewResponse, reviewResponse } from './review-response.js';
import type { Webhook } from './webhook.js';
import { dryRunUnsupported, webhookDenial } from './webhook-denial.js';
import { WebhookFailure } from './webhook-failure.js';

const withoutSideEffects: ReadonlySet<string> = new Set(['None', 'NoneOnDryRun']);

/** Throws 400 for a dry run if the webhook has side effects. */
export function checkSideEffects({ name, sideEffects }: Webhook, { context }: AdmissionRequest): void {
  if (context.dryRun && !withoutSideEffects.has(sideEffects)) throw dryRunUnsupported(name);
}

/**
 * Sends a review to a webhook, adds the warnings of the response to the request, and returns the response. Rejects with an ApiError if the
 * webhook denies the request, and with a WebhookFailure if the call fails or the response is not valid.
 */
export async function callWebhook(
  webhook: Webhook,
  review: Review,
  { request, isMutating }: { readonly request: AdmissionRequest; readonly isMutating: boolean },
): Promise<ReviewResponse> {
  const { name } = webhook;
  try {
    const answer = await request.registry.webhooks.call({
      clientConfig: webhook.clientConfig,
      body: review.body,
      timeoutMs: timeoutMs(webhook, request),
      ...(request.context.signal === undefined ? {} : { signal: request.context.signal() }),
    });
    const response = reviewResponse(isObject(answer) ? answer : {}, review, isMutating);
    append(request.context.warnings, response.warnings);
    if (!response.allowed) throw webhookDenial(name, response.status);
    return response;
  } catch (error) {
    if (error instanceof InvalidResponseError) throw new WebhookFailure(name, error.message, { cause: error });
    if (!(error instanceof WebhookCallError)) throw error;
    const what = error instanceof WebhookSetupError ? 'could not get REST client' : 'failed to call webhook';
    throw new WebhookFailure(name, `${what}: ${error.message}`, { cause: error });
  }
}

/** Throws 504 if the request has timed out. */
export function checkDeadline({ context, registry }: AdmissionRequest): void {
  if (context.deadlineMs === undefined || registry.clock.monotonicMs() < context.deadlineMs) return;
  const why = 'request did not complete within requested timeout - context deadline exceeded';
  throw failure(504, 'Timeout', { message: `Timeout: ${why}`, details: {} });
}

function timeoutMs({ timeoutSeconds }: Webhook, { context, registry }: AdmissionRequest): number {
  const own = timeoutSeconds * 1000;
  if (context.deadlineMs === undefined) return own;
  return Math.max(1, Math.min(own, context.deadlineMs - registry.clock.monotonicMs()));
}
