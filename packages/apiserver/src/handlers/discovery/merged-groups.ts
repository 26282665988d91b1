import { compareVersions } from '@kubewright/api/names';
import { aggregatedApiServices, apiServiceBucket } from '../../registry/aggregation/aggregated-service.js';
import type { ApiObject } from '../../registry/objects/api-object.js';
import { numberAt, stringAt } from '../../registry/objects/json-object.js';
import type { Registry } from '../../registry/registry.js';
import { discoveredGroups, type GroupVersions } from './discovery.js';

/** The priorities of the APIServices that kube-apiserver creates for CustomResourceDefinitions. */
const customPriorities = { group: 1000, version: 100 };

/** Returns the groups of the server and of aggregated API servers, in the order of the priorities of their APIServices. */
export function mergedGroups(registry: Pick<Registry, 'all' | 'store'>): readonly GroupVersions[] {
  const groups = [...discoveredGroups(registry)];
  const aggregated = aggregatedApiServices(registry.store);
  if (aggregated.length === 0) return groups;
  const apiServices = new Map(registry.store.list(apiServiceBucket).map((each) => [each.metadata.name, each]));
  const groupPriority = ({ group, versions }: GroupVersions): number =>
    versions.reduce((most, { version }) => Math.max(most, priorityOf(apiServices.get(`${version}.${group}`)).group), 0);
  for (const apiService of aggregated) {
    const [group, version] = [stringAt(apiService, 'spec', 'group'), stringAt(apiService, 'spec', 'version')];
    const known = groups.find((each) => each.group === group);
    const others = known?.versions.filter((each) => each.version !== version) ?? [];
    const versionPriority = (each: string): number => priorityOf(apiServices.get(`${each}.${group}`)).version;
    const versions = [...others, { version, resources: [], apiService }].toSorted(
      (a, b) => versionPriority(b.version) - versionPriority(a.version) || compareVersions(a.version, b.version),
    );
    const merged = { group, versions };
    if (known !== undefined) groups.splice(groups.indexOf(known), 1);
    const after = groups.findLastIndex((each) => groupPriority(each) >= groupPriority(merged));
    groups.splice(after + 1, 0, merged);
  }
  return groups;
}

function priorityOf(apiService: ApiObject | undefined): { readonly group: number; readonly version: number } {
  if (apiService === undefined) return customPriorities;
  return {
    group: numberAt(apiService, 'spec', 'groupPriorityMinimum') ?? 0,
    version: numberAt(apiService, 'spec', 'versionPriority') ?? 0,
  };
}
