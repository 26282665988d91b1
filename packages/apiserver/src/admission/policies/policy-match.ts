import type { AdmissionRequest } from '../../registry/admission/admission-check.js';
import type { JsonObject } from '../../registry/objects/api-object.js';
import { isObject, objectsAt, stringAt, textsAt } from '../../registry/objects/json-object.js';
import { matchedVersion } from '../matching/match-rules.js';
import { namespaceMatches, objectMatches, selectorsOf } from '../matching/match-selectors.js';
import { requestedVersion, type ReviewedVersion } from '../matching/reviewed-resource.js';

/**
 * Returns the version of the request that the `matchConstraints` of a policy or the `matchResources` of a binding match, or undefined.
 * Unset `matchResources` match every request.
 */
export function policyMatch(resources: unknown, request: AdmissionRequest): ReviewedVersion | undefined {
  if (!isObject(resources)) return requestedVersion(request);
  const selectors = selectorsOf(resources);
  if (!objectMatches(selectors, request)) return undefined;
  if (rulesMatch(resources, 'excludeResourceRules', request) !== undefined) return undefined;
  const isUnrestricted = objectsAt(resources, 'resourceRules').length === 0;
  const version = isUnrestricted ? requestedVersion(request) : rulesMatch(resources, 'resourceRules', request);
  return version !== undefined && namespaceMatches(selectors, request) ? version : undefined;
}

function rulesMatch(resources: JsonObject, field: string, request: AdmissionRequest): ReviewedVersion | undefined {
  const rules = objectsAt(resources, field).filter((rule) => {
    const names = textsAt(rule, 'resourceNames');
    return names.length === 0 || names.includes(request.name);
  });
  return matchedVersion({ rules, matchPolicy: stringAt(resources, 'matchPolicy') }, request);
}
