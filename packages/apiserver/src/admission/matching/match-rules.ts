import type { AdmissionRequest } from '../../registry/admission/admission-check.js';
import type { JsonObject } from '../../registry/objects/api-object.js';
import { stringAt, textsAt } from '../../registry/objects/json-object.js';
import {
  isOnNamespace,
  namespaceOf,
  requestedVersion,
  type ReviewedVersion,
  subresourceOf,
  type VersionedResource,
} from './reviewed-resource.js';

/** The rules of a webhook or a policy: `rules`, or `resourceRules` of `matchConstraints`. */
export interface RuleSelection {
  readonly rules: readonly JsonObject[];
  /** `Exact` matches only the requested version. `Equivalent` also matches other versions of the resource. */
  readonly matchPolicy: string;
}

/**
 * Returns the version of the request that the rules match, or undefined if no rule matches. Prefers the requested version. If no rule
 * matches the requested version and the matchPolicy is `Equivalent`, returns the other version that the first matching rule matches.
 */
export function matchedVersion(
  { rules, matchPolicy }: RuleSelection,
  request: AdmissionRequest,
): ReviewedVersion | undefined {
  const requested = requestedVersion(request);
  if (rules.some((rule) => ruleMatches(rule, requested.resource, request))) return requested;
  if (matchPolicy !== 'Equivalent') return undefined;
  const others = equivalentVersions(request);
  for (const rule of rules) {
    const found = others.find(({ resource }) => ruleMatches(rule, resource, request));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether a rule matches the operation, the scope and the resource of a request, in the given version of the resource. */
export function ruleMatches(rule: JsonObject, resource: VersionedResource, request: AdmissionRequest): boolean {
  return (
    scopeMatches(stringAt(rule, 'scope'), request) &&
    includes(textsAt(rule, 'operations'), request.operation) &&
    includes(textsAt(rule, 'apiGroups'), resource.group) &&
    includes(textsAt(rule, 'apiVersions'), resource.version) &&
    textsAt(rule, 'resources').some((text) => resourceMatches(text, resource.plural, subresourceOf(request)))
  );
}

function includes(texts: readonly string[], text: string): boolean {
  return texts.includes('*') || texts.includes(text);
}

function scopeMatches(scope: string, request: AdmissionRequest): boolean {
  const isNamespaced = !isOnNamespace(request) && namespaceOf(request) !== '';
  if (scope === 'Namespaced') return isNamespaced;
  return scope === 'Cluster' ? !isNamespaced : true;
}

function resourceMatches(text: string, plural: string, subresource: string): boolean {
  const slash = text.indexOf('/');
  const [resource, sub] = slash === -1 ? [text, ''] : [text.slice(0, slash), text.slice(slash + 1)];
  return (resource === '*' || resource === plural) && (sub === '*' || sub === subresource);
}

/**
 * Returns the requested resource in the other versions and API groups that the server serves. Omits versions that do not have the requested
 * subresource.
 */
function equivalentVersions(request: AdmissionRequest): readonly ReviewedVersion[] {
  const { definition, kind, registry } = request;
  const subresource = subresourceOf(request);
  return registry.inBucketOf(definition).flatMap((other) => {
    if (other.group === definition.group && other.version === definition.version) return [];
    if (subresource !== '' && !other.subresources.has(subresource)) return [];
    // A subresource with its own kind, such as Scale, has this kind in all versions of the resource.
    return [{ resource: other, kind: kind === definition ? other : kind }];
  });
}
