import { stringifyJson } from '@kubewright/api/json';
import type { AdmissionRequest } from '../../registry/admission/admission-check.js';
import type { JsonObject } from '../../registry/objects/api-object.js';
import { reviewRequest } from '../matching/review-request.js';
import type { ReviewedVersion } from '../matching/reviewed-resource.js';
import type { VersionedObjects } from '../matching/reviewed-objects.js';
import type { Webhook } from './webhook.js';
import { WebhookFailure } from './webhook-failure.js';

const group = 'admission.k8s.io';
const supportedVersions = ['v1', 'v1beta1'];

/** A review to send to a webhook. */
export interface Review {
  readonly uid: string;
  readonly version: 'v1' | 'v1beta1';
  readonly body: string;
}

/**
 * Returns the review in the first of the webhook's `admissionReviewVersions` that the server supports. Throws a WebhookFailure if the
 * server supports none of these versions.
 */
export function reviewOf(
  webhook: Webhook,
  request: AdmissionRequest,
  { version, objects }: { readonly version: ReviewedVersion; readonly objects: VersionedObjects },
): Review {
  const accepted = webhook.reviewVersions.find((each) => supportedVersions.includes(each));
  if (accepted === undefined) {
    const known = `webhook does not accept known AdmissionReview versions (${supportedVersions.join(', ')})`;
    throw new WebhookFailure(webhook.name, `could not create admission objects: ${known}`);
  }
  const uid = request.registry.webhooks.random.uuid();
  const { dryRun, options, ...fields } = reviewRequest(request, version);
  const { object = null, oldObject = null } = objects;
  const review: JsonObject = {
    kind: 'AdmissionReview',
    apiVersion: `${group}/${accepted}`,
    request: { uid, ...fields, object, oldObject, dryRun, options },
  };
  return { uid, version: accepted === 'v1' ? 'v1' : 'v1beta1', body: stringifyJson(review) };
}
