import type { ResourceDefinition } from '../../registry/definitions/resource-definition.js';
import { discoveredVerbs, type GroupVersions, storageVersionHash } from './discovery.js';

/** Returns the document of /api: the versions of the core group. */
export function coreVersions(groups: readonly GroupVersions[], address: string): object {
  const core = groups.find(({ group }) => group === '');
  return {
    kind: 'APIVersions',
    versions: core?.versions.map(({ version }) => version) ?? [],
    serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: address }],
  };
}

/** Returns the document of /apis: the named groups. */
export function groupList(groups: readonly GroupVersions[]): object {
  return { kind: 'APIGroupList', apiVersion: 'v1', groups: groups.filter(({ group }) => group !== '').map(described) };
}

/** Returns the document of /apis/GROUP. */
export function oneGroup(group: GroupVersions): object {
  return { kind: 'APIGroup', apiVersion: 'v1', ...described(group) };
}

/** Returns the document of /api/v1 or /apis/GROUP/VERSION: the resources and their subresources. */
export function resourceList(groupVersion: string, resources: readonly ResourceDefinition[]): object {
  return {
    kind: 'APIResourceList',
    // The list of the core group has no apiVersion.
    ...(groupVersion.includes('/') ? { apiVersion: 'v1' } : {}),
    groupVersion,
    resources: resources.flatMap((definition) => [ownEntry(definition), ...subresourceEntries(definition)]),
  };
}

function described({ group, versions }: GroupVersions): object {
  const entries = versions.map(({ version }) => ({ groupVersion: `${group}/${version}`, version }));
  return { name: group, versions: entries, preferredVersion: entries[0] };
}

function ownEntry(definition: ResourceDefinition): object {
  const { plural, singular, namespaced, kind, shortNames, categories } = definition;
  return {
    name: plural,
    singularName: singular,
    namespaced,
    kind,
    verbs: discoveredVerbs(definition),
    ...(shortNames.length === 0 ? {} : { shortNames }),
    ...(categories.length === 0 ? {} : { categories }),
    ...(definition.verbs.includes('create') && definition.verbs.includes('get')
      ? { storageVersionHash: storageVersionHash(definition) }
      : {}),
  };
}

function subresourceEntries(definition: ResourceDefinition): readonly object[] {
  return [...definition.subresources.values()].map(({ name, kind, group, version, verbs }) => ({
    name: `${definition.plural}/${name}`,
    singularName: '',
    namespaced: definition.namespaced,
    ...(group === definition.group && version === definition.version ? {} : { group, version }),
    kind,
    verbs,
  }));
}
