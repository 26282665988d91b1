import type { Steps } from '@kubewright/api/apply';
import { copyJson } from '@kubewright/api/json';
import { deepEqual } from '@kubewright/api/patch';
import type { Authorizer } from '../../authorization/authorizer.js';
import type { AdmissionRequest, Mutator } from '../../registry/admission/admission-check.js';
import type { IncomingObject } from '../../registry/objects/api-object.js';
import { internalError } from '../../registry/requests/status-errors.js';
import { MutableObjects } from '../matching/reviewed-objects.js';
import { isExempt, type ReviewedVersion } from '../matching/reviewed-resource.js';
import { waitFor } from '../../registry/webhooks/wait-for.js';
import { patchedObject } from './patched-object.js';
import { reviewOf } from './review.js';
import { ConfiguredWebhooks, type Webhook } from './webhook.js';
import { callWebhook, checkDeadline, checkSideEffects } from './webhook-call.js';
import { WebhookFailure } from './webhook-failure.js';
import { webhookMatch } from './webhook-match.js';

/**
 * Returns the mutator that calls the webhooks of MutatingWebhookConfigurations, one after the other. The second round only repeats calls to
 * webhooks with the reinvocationPolicy `IfNeeded`, and only if the object has changed after the first call.
 */
export function mutatingWebhooks(authorizer: Authorizer): Mutator {
  const configured = new ConfiguredWebhooks('mutating');
  return (request) => {
    if (configured.in(request.registry.store).length === 0 || isExempt(request)) return undefined;
    const review = new MutatingReview(request, authorizer);
    return (isAgain) => review.run(configured.in(request.registry.store), isAgain);
  };
}

/** The review of one request by mutating webhooks. */
class MutatingReview {
  readonly #request: AdmissionRequest;
  readonly #authorizer: Authorizer;
  /** The called webhooks that must be called again after a later change. */
  #called = new Set<string>();
  readonly #reinvoked = new Set<string>();
  /** The object after the first round. */
  #output: IncomingObject | undefined;

  constructor(request: AdmissionRequest, authorizer: Authorizer) {
    this.#request = request;
    this.#authorizer = authorizer;
  }

  /** Runs one round. Returns whether a webhook has changed the object. */
  *run(webhooks: readonly Webhook[], isAgain: boolean): Steps<boolean> {
    const { object } = this.#request;
    if (isAgain && this.#called.size > 0 && !deepEqual(this.#output, object)) this.#changed();
    const objects = new MutableObjects(this.#request);
    let isChanged = false;
    for (const webhook of webhooks) {
      if (isAgain && !this.#reinvoked.has(webhook.id)) continue;
      const version = yield* webhookMatch(webhook, this.#request, {
        objects: { labeled: objects.labeled, in: ({ kind }) => objects.in(kind) },
        authorizer: this.#authorizer,
      });
      if (version === undefined) continue;
      if (yield* this.#calls(webhook, version, objects)) {
        isChanged = true;
        this.#changed();
      }
      if (webhook.isReinvoked) this.#called.add(webhook.id);
    }
    yield* objects.writeBack();
    if (!isAgain && this.#called.size > 0 && object !== undefined) this.#output = copyJson(object);
    return isChanged;
  }

  #changed(): void {
    for (const id of this.#called) this.#reinvoked.add(id);
    this.#called = new Set();
  }

  /**
   * Calls a webhook. Returns whether the webhook has changed the object. If the call fails, throws 500 if the failurePolicy is `Fail`, and
   * otherwise returns false.
   */
  *#calls(webhook: Webhook, version: ReviewedVersion, objects: MutableObjects): Steps<boolean> {
    try {
      return yield* this.#call(webhook, version, objects);
    } catch (error) {
      if (!(error instanceof WebhookFailure)) throw error;
      checkDeadline(this.#request);
      if (webhook.failurePolicy === 'Fail') throw internalError(error.message);
      return false;
    }
  }

  *#call(webhook: Webhook, version: ReviewedVersion, objects: MutableObjects): Steps<boolean> {
    const request = this.#request;
    checkSideEffects(webhook, request);
    const sent = yield* objects.in(version.kind);
    const review = reviewOf(webhook, request, { version, objects: sent });
    yield;
    const response = yield* waitFor(() => callWebhook(webhook, review, { request, isMutating: true }));
    const changed = yield* patchedObject(response, { webhook, object: sent.object });
    return changed !== undefined && (yield* objects.replace(changed));
  }
}
