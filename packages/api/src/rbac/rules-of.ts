import type { PolicyRule } from '../generated/rbac/v1.js';
import { widestOf } from './covers.js';
import { isUrlPermission, type Permission } from './permission.js';

/** An RBAC rule under construction: all of its verbs on all of its resources or URLs in all of its groups. */
interface Block {
  readonly groups: readonly string[];
  readonly resources: readonly string[];
  /** The names of the objects. Empty for all names. */
  readonly names: readonly string[];
  readonly urls: readonly string[];
  readonly verbs: readonly string[];
}
type Side = keyof Block;

/**
 * Returns the RBAC rules that allow exactly the given permissions. The rules are few but readable: sorted, with equal lists of verbs,
 * names, resources and groups merged. Omits permissions that a wider permission covers, such as `get` next to `*`. Ignores namespaces,
 * because a rule has no namespace. The function starts with single permissions, and merges two rules only if they differ in exactly one
 * list. The merge therefore neither adds nor removes permissions.
 * @example
 * rulesOf([{ group: '', resource: 'pods', verb: 'list' }, { group: '', resource: 'pods', verb: 'get' }]);
 * // [{ apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] }]
 */
export function rulesOf(permissions: Iterable<Permission>): readonly PolicyRule[] {
  const sides: readonly Side[] = ['verbs', 'names', 'resources', 'groups', 'urls'];
  return sides
    .reduce<readonly Block[]>(
      (joined, side) => joinedOn(side, joined),
      widestOf([...permissions].map(anywhere)).map(blockOf),
    )
    .map((block) => [sortKey(block), ruleOf(block)] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : Number(a > b)))
    .map(([, rule]) => rule);
}

function anywhere(permission: Permission): Permission {
  if (isUrlPermission(permission)) return permission;
  const { group, resource, verb, name } = permission;
  return { group, resource, verb, ...(name !== undefined && { name }) };
}
function blockOf(permission: Permission): Block {
  if (isUrlPermission(permission))
    return { groups: [], resources: [], names: [], urls: [permission.url], verbs: [permission.verb] };
  const { group, resource, verb, name } = permission;
  return { groups: [group], resources: [resource], names: name === undefined ? [] : [name], urls: [], verbs: [verb] };
}

/** Merges the blocks that differ only in the given list. */
function joinedOn(side: Side, blocks: readonly Block[]): readonly Block[] {
  const byRest = new Map<string, Block>();
  for (const block of blocks) {
    // An empty list of names means all names, so merging it with a list of names would narrow the rule.
    const key = JSON.stringify([{ ...block, [side]: [] }, side === 'names' && block.names.length > 0]);
    const known = byRest.get(key);
    const values = [...(known?.[side] ?? []), ...block[side]];
    byRest.set(key, { ...block, [side]: [...new Set(values)].toSorted() });
  }
  return [...byRest.values()];
}

function ruleOf({ groups, resources, names, urls, verbs }: Block): PolicyRule {
  if (urls.length > 0) return { nonResourceURLs: urls, verbs };
  return { apiGroups: groups, resources, ...(names.length > 0 && { resourceNames: names }), verbs };
}
/** Returns a sort key: group, resource and name. URLs sort last. */
function sortKey({ groups, resources, names, urls, verbs }: Block): string {
  return [urls, groups, resources, names, verbs].map((values) => values.join('\u0001')).join('\u0000');
}
