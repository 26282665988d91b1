import type { PolicyRule } from '../generated/rbac/v1.js';
import { isUrlPermission, type ResourcePermission, type Permission } from './permission.js';

/**
 * Whether an RBAC rule allows a request, as in Kubernetes. A rule with resource names does not allow a request without a name, such as a
 * list or a create. The namespace of the request is ignored, because the binding of the rule determines the namespace.
 */
export function ruleAllows(rule: PolicyRule, request: Permission): boolean {
  if (!isAmong(rule.verbs, request.verb)) return false;
  if (isUrlPermission(request)) return rule.nonResourceURLs?.some((url) => urlMatches(url, request.url)) ?? false;
  return (
    isAmong(rule.apiGroups ?? [], request.group) &&
    (rule.resources ?? []).some((resource) => resourceMatches(resource, request.resource)) &&
    namesAllow(rule.resourceNames ?? [], request)
  );
}

/** Whether at least one of the rules allows the request. */
export function isAllowed(rules: readonly PolicyRule[], request: Permission): boolean {
  return rules.some((rule) => ruleAllows(rule, request));
}

/** Whether a URL of a rule, which can end in '*', matches a path. */
export function urlMatches(ofRule: string, url: string): boolean {
  if (ofRule === url) return true;
  let end = ofRule.length;
  while (ofRule[end - 1] === '*') end -= 1;
  return end < ofRule.length && url.startsWith(ofRule.slice(0, end));
}

/**
 * Whether a resource of a rule matches a resource or subresource. `*` matches all of them. An asterisk followed by a slash and a
 * subresource matches this subresource of every resource.
 */
export function resourceMatches(ofRule: string, resource: string): boolean {
  if (ofRule === '*' || ofRule === resource) return true;
  const slash = resource.indexOf('/');
  return slash >= 0 && ofRule === `*${resource.slice(slash)}`;
}

function isAmong(allowed: readonly string[], requested: string): boolean {
  return allowed.includes('*') || allowed.includes(requested);
}
function namesAllow(names: readonly string[], { name = '' }: ResourcePermission): boolean {
  return names.length === 0 || names.includes(name);
}
