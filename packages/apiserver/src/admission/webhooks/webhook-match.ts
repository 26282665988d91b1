import type { Steps } from '@kubewright/api/apply';
import type { Authorizer } from '../../authorization/authorizer.js';
import type { AdmissionRequest } from '../../registry/admission/admission-check.js';
import type { JsonObject } from '../../registry/objects/api-object.js';
import { forbidden } from '../../registry/requests/status-errors.js';
import { expressionAuthorizer } from '../matching/expression-authorizer.js';
import { matchedVersion } from '../matching/match-rules.js';
import { namespaceMatches, objectMatches } from '../matching/match-selectors.js';
import { reviewRequest } from '../matching/review-request.js';
import { namespaceOf, type ReviewedVersion, subresourceOf } from '../matching/reviewed-resource.js';
import type { VersionedObjects } from '../matching/reviewed-objects.js';
import type { Webhook } from './webhook.js';

/** The objects of a request that a webhook can match. */
export interface MatchedObjects {
  /** The objects in any version, for the objectSelector. */
  readonly labeled: { readonly object: JsonObject | undefined; readonly old: JsonObject | undefined };
  /** Returns the objects in the version that the webhook receives. */
  readonly in: (version: ReviewedVersion) => Steps<VersionedObjects>;
}

/**
 * Determines in steps which version of the request the webhook reviews. Returns undefined if the webhook does not match. Throws 404 if the
 * namespace of the request does not exist, and 403 if a match condition fails and the failurePolicy is `Fail`.
 */
export function* webhookMatch(
  webhook: Webhook,
  request: AdmissionRequest,
  { objects, authorizer }: { readonly objects: MatchedObjects; readonly authorizer: Authorizer },
): Steps<ReviewedVersion | undefined> {
  const version = matchedVersion(webhook, request);
  if (version === undefined || !objectMatches(webhook, objects.labeled)) return undefined;
  if (!namespaceMatches(webhook, request)) return undefined;
  const conditions = webhook.conditions();
  if (conditions === undefined) return version;
  const { definition, name, context } = request;
  const { group, plural: resource } = version.resource;
  const verdict = conditions.match(
    {
      ...(yield* objects.in(version)),
      request: reviewRequest(request, version),
      authorize: expressionAuthorizer(authorizer, context.user),
      requestResource: { group, resource, subresource: subresourceOf(request), namespace: namespaceOf(request), name },
    },
    webhook.failurePolicy,
  );
  yield;
  if ('error' in verdict) throw forbidden(definition, name, { why: verdict.error });
  return verdict.matches ? version : undefined;
}
