import type { Steps } from '@kubewright/api/apply';
import { messageOf } from '@kubewright/api/errors';
import type { Authorizer } from '../../authorization/authorizer.js';
import type { AdmissionRequest, Validator } from '../../registry/admission/admission-check.js';
import type { ResourceDefinition } from '../../registry/definitions/resource-definition.js';
import { internalError } from '../../registry/requests/status-errors.js';
import { waitFor } from '../../registry/webhooks/wait-for.js';
import { isExempt, type ReviewedVersion } from '../matching/reviewed-resource.js';
import { validatedObjects, type VersionedObjects } from '../matching/reviewed-objects.js';

import { type Review, reviewOf } from './review.js';
import { ConfiguredWebhooks, type Webhook } from './webhook.js';
import { callWebhook, checkDeadline, checkSideEffects } from './webhook-call.js';
import { WebhookFailure } from './webhook-failure.js';
import { webhookMatch } from './webhook-match.js';

/** Returns the validator that calls the webhooks of ValidatingWebhookConfigurations in parallel, and throws the first error. */
export function validatingWebhooks(authorizer: Authorizer): Validator {
  const configured = new ConfiguredWebhooks('validating');
  return function* (request) {
    const webhooks = configured.in(request.registry.store);
    if (webhooks.length === 0 || isExempt(request)) return;
    const calls = yield* matchingCalls(webhooks, request, authorizer);
    if (calls.length === 0) return;
    checkDeadline(request);
    const errors: unknown[] = [];
    const call = async ({ webhook, review }: Call): Promise<void> => {
      try {
        await validated(webhook, request, review);
      } catch (error) {
        errors.push(error);
      }
    };
    yield* waitFor(() => Promise.all(calls.map(call)));
    checkDeadline(request);
    if (errors.length > 0) throw errors[0];
  };
}

interface Call {
  readonly webhook: Webhook;
  /** Returns the review to send. Throws a WebhookFailure if the webhook accepts no version that the server supports. */
  readonly review: () => Review;
}

function* matchingCalls(
  webhooks: readonly Webhook[],
  request: AdmissionRequest,
  authorizer: Authorizer,
): Steps<readonly Call[]> {
  const calls: Call[] = [];
  const known = new Map<ResourceDefinition, VersionedObjects>();
  const versioned = function* ({ kind }: ReviewedVersion): Steps<VersionedObjects> {
    yield;
    try {
      const objects = known.get(kind) ?? (yield* validatedObjects(request, kind));
      known.set(kind, objects);
      return objects;
    } catch (error) {
      throw internalError(messageOf(error));
    }
  };
  const objects = { labeled: { object: request.object, old: request.old }, in: versioned };
  for (const webhook of webhooks) {
    const version = yield* webhookMatch(webhook, request, { objects, authorizer });
    if (version === undefined) continue;
    const reviewed = { version, objects: yield* versioned(version) };
    yield;
    calls.push({ webhook, review: () => reviewOf(webhook, request, reviewed) });
  }
  return calls;
}

/** Calls a webhook. Rejects if the webhook denies the request, or if the call fails and the failurePolicy is `Fail`. */
async function validated(webhook: Webhook, request: AdmissionRequest, review: () => Review): Promise<void> {
  try {
    checkSideEffects(webhook, request);
    await callWebhook(webhook, review(), { request, isMutating: false });
  } catch (error) {
    if (!(error instanceof WebhookFailure)) throw error;
    if (webhook.failurePolicy === 'Fail') throw internalError(error.message);
  }
}
