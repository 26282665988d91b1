import type { AdmissionRequest } from '../../registry/admission/admission-check.js';
import type { JsonObject } from '../../registry/objects/api-object.js';
import type { User } from '../../registry/requests/user.js';
import type { ResourceDefinition } from '../../registry/definitions/resource-definition.js';
import { namespaceOf, type ReviewedVersion, subresourceOf, type VersionedResource } from './reviewed-resource.js';

const optionsKinds = { CREATE: 'CreateOptions', UPDATE: 'UpdateOptions', DELETE: 'DeleteOptions' } as const;

/**
 * Returns the fields of a request that an AdmissionReview contains, except uid, object and oldObject. These are also the fields of the
 * variable `request` in CEL expressions. Empty fields are omitted.
 */
export function reviewRequest(request: AdmissionRequest, reviewed: ReviewedVersion): JsonObject {
  const { definition, kind, name, operation, context } = request;
  const subresource = subresourceOf(request);
  const namespace = namespaceOf(request);
  return {
    kind: kindOf(reviewed.kind),
    resource: resourceOf(reviewed.resource),
    ...(subresource === '' ? {} : { subResource: subresource }),
    requestKind: kindOf(kind),
    requestResource: resourceOf(definition),
    ...(subresource === '' ? {} : { requestSubResource: subresource }),
    ...(name === '' ? {} : { name }),
    ...(namespace === '' ? {} : { namespace }),
    operation,
    userInfo: userInfo(context.user),
    dryRun: context.dryRun,
    options: operation === 'CONNECT' ? null : optionsOf(optionsKinds[operation], context.options),
  };
}

function kindOf({ group, version, kind }: ResourceDefinition): JsonObject {
  return { group, version, kind };
}

function resourceOf({ group, version, plural }: VersionedResource): JsonObject {
  return { group, version, resource: plural };
}

function optionsOf(kind: string, options: JsonObject | undefined): JsonObject {
  return { kind, apiVersion: 'meta.k8s.io/v1', ...options };
}

function userInfo({ name, uid, groups, extra = {} }: User): JsonObject {
  return {
    ...(name === '' ? {} : { username: name }),
    ...(uid === undefined || uid === '' ? {} : { uid }),
    ...(groups.length === 0 ? {} : { groups }),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
}
