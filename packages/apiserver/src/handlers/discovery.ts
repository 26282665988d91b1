import { createHash } from 'node:crypto';
import type { Registry } from '../registry/registry.js';
import type { ResourceDefinition } from '../registry/resource-definition.js';

/** A group and its versions, the preferred one first. */
export interface GroupVersions {
  readonly group: string;
  readonly versions: readonly { readonly version: string; readonly resources: readonly ResourceDefinition[] }[];
}

/** The groups that the server has, in the order of the registry; the core group is ''. */
export function discoveredGroups(registry: Pick<Registry, 'all'>): readonly GroupVersions[] {
  const groups = new Map<string, Map<string, ResourceDefinition[]>>();
  for (const definition of registry.all()) {
    const versions = groups.get(definition.group) ?? new Map<string, ResourceDefinition[]>();
    groups.set(definition.group, versions);
    versions.set(definition.version, [...(versions.get(definition.version) ?? []), definition]);
  }
  return [...groups].map(([group, versions]) => ({
    group,
    versions: [...versions]
      .map(([version, resources]) => ({ version, resources: resources.toSorted(byPlural) }))
      .toSorted((a, b) => compareVersions(a.version, b.version)),
  }));
}

/** Orders API versions as Kubernetes does: v2 before v1, v1 before v1beta1, that before v1alpha1, others last. */
export function compareVersions(left: string, right: string): number {
  const a = parsed(left);
  const b = parsed(right);
  if (a === undefined || b === undefined) {
    if (a === undefined && b === undefined) return left < right ? -1 : Number(left > right);
    return a === undefined ? 1 : -1;
  }
  return b.stability - a.stability || b.major - a.major || b.minor - a.minor;
}

/** A strong ETag of what discovery says, without the quotes. */
export function contentHash(content: string): string {
  return createHash('sha512').update(content).digest('hex').toUpperCase();
}

function parsed(version: string): { stability: number; major: number; minor: number } | undefined {
  const match = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version);
  if (match === null) return undefined;
  const stability = match[2] === undefined ? 2 : Number(match[2] === 'beta');
  return { stability, major: Number(match[1]), minor: Number(match[3] ?? 0) };
}

function byPlural(a: ResourceDefinition, b: ResourceDefinition): number {
  return a.plural < b.plural ? -1 : Number(a.plural > b.plural);
}
