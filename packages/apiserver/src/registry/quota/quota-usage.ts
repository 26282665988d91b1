import type { ApiObject, JsonObject } from '../objects/api-object.js';
import { objectsAt, textsAt } from '../objects/json-object.js';
import type { QuotaRules } from './quota-rules.js';
import { type Amounts, countOf } from './resource-amounts.js';

/** The fields of a definition that determine how quotas count the objects of the resource. */
export interface CountedResource {
  readonly group: string;
  readonly plural: string;
  readonly strategy: { readonly quotaRules?: QuotaRules };
}

const one = countOf(1);
const usingGroups: ReadonlySet<string> = new Set(['', 'resource.k8s.io']);

/** Returns the amounts that one object uses, by the name of the limit in a quota. */
export function quotaUsage(resource: CountedResource, object: JsonObject): Amounts {
  return new Map([[countName(resource), one], ...(resource.strategy.quotaRules?.usage?.(object) ?? [])]);
}

/** Whether the object matches all scopes of the quota. A quota without scopes matches every object. */
export function inScopes(quota: ApiObject, { strategy }: CountedResource, object: JsonObject): boolean {
  const selectors = [
    ...textsAt(quota, 'spec', 'scopes').map((scopeName) => ({ scopeName, operator: 'Exists' })),
    ...objectsAt(quota, 'spec', 'scopeSelector', 'matchExpressions'),
  ];
  return selectors.every((selector) => strategy.quotaRules?.isInScope?.(object, selector) ?? false);
}

/**
 * Returns the names of the limits in `hard` that apply to objects of the resource. Only `count/<resource>` applies to most kinds, so this
 * function does not search `hard` for these kinds.
 */
export function limitedNames(hard: JsonObject, resource: CountedResource): readonly string[] {
  const counted = countName(resource);
  const isCounted = (): boolean => resource.strategy.quotaRules?.ignored !== true;
  // Only kinds of these groups define `uses`. The check of the group avoids loading the strategies of other groups.
  const uses = usingGroups.has(resource.group) ? resource.strategy.quotaRules?.uses : undefined;
  if (uses === undefined) return Object.hasOwn(hard, counted) && isCounted() ? [counted] : [];
  return Object.keys(hard).filter((name) => (name === counted ? isCounted() : uses(name)));
}

function countName({ group, plural }: CountedResource): string {
  return group === '' ? `count/${plural}` : `count/${plural}.${group}`;
}
