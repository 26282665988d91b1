import { createHash } from 'node:crypto';
import { compareVersions } from '@kubewright/api/names';
import { blankObject } from '../../registry/definitions/blank-object.js';
import type { ApiObject } from '../../registry/objects/api-object.js';
import type { Registry } from '../../registry/registry.js';
import type { ResourceDefinition } from '../../registry/definitions/resource-definition.js';

/** A group and its versions. The first version is the preferred version. */
export interface GroupVersions {
  readonly group: string;
  readonly versions: readonly {
    readonly version: string;
    readonly resources: readonly ResourceDefinition[];
    /** The APIService of a version that another server implements. */
    readonly apiService?: ApiObject;
  }[];
}

/** Returns the groups of the server in the order of the registry. The core group is ''. */
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

/** Returns a strong ETag of discovery content, without the quotes. */
export function contentHash(content: string): string {
  return createHash('sha512').update(content).digest('hex').toUpperCase();
}

function byPlural(a: ResourceDefinition, b: ResourceDefinition): number {
  return a.plural < b.plural ? -1 : Number(a.plural > b.plural);
}

/** Returns the verbs for discovery. A resource whose definition is being deleted only lists verbs for reading and deletion. */
export function discoveredVerbs({ verbs, terminating }: ResourceDefinition): readonly string[] {
  return terminating ? ['delete', 'deletecollection', 'get', 'list', 'watch'] : verbs;
}

/** Returns a short hash of the stored version of a resource. A changed hash indicates that clients must migrate stored objects. */
export function storageVersionHash(definition: ResourceDefinition): string {
  const { group, kind, strategy } = definition;
  const { storedVersion } = strategy;
  const stored = storedVersion === undefined ? convertedVersion(definition) : `${group}/${storedVersion}`;
  const version = stored.includes('/') ? stored : `/${stored}`;
  return createHash('sha256').update(`${version}/${kind}`).digest().subarray(0, 8).toString('base64');
}

function convertedVersion(definition: ResourceDefinition): string {
  return definition.toStored(blankObject(definition, { name: '' })).apiVersion;
}
