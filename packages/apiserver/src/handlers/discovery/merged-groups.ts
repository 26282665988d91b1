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
  const own = discoveredGroups(registry);
  const aggregated = aggregatedApiServices(registry.store);
  if (aggregated.length === 0) return own;
  const apiServices = new Map(registry.store.list(apiServiceBucket).map((each) => [each.metadata.name, each]));
  const known = new Map(own.map((each) => [each.group, each]));
  const versionsOf = new Map<string, Map<string, Version>>();
  for (const apiService of aggregated) {
    const [group, version] = [stringAt(apiService, 'spec', 'group'), stringAt(apiService, 'spec', 'version')];
    const versions = versionsOf.get(group) ?? new Map(known.get(group)?.versions.map((each) => [each.version, each]));
    // Among groups of equal priority, the group of the last APIService follows the others.
    versionsOf.delete(group);
    versionsOf.set(group, versions.set(version, { version, resources: [], apiService }));
  }
  const ranked = ({ group, versions }: GroupVersions): RankedGroup => ({
    group: { group, versions },
    priority: versions.reduce(
      (most, { version }) => Math.max(most, priorityOf(apiServices.get(`${version}.${group}`)).group),
      0,
    ),
  });
  const merged = [...versionsOf].map(([group, versions]) => {
    const priority = (version: string): number => priorityOf(apiServices.get(`${version}.${group}`)).version;
    const sorted = [...versions.values()].toSorted(
      (a, b) => priority(b.version) - priority(a.version) || compareVersions(a.version, b.version),
    );
    return ranked({ group, versions: sorted });
  });
  return inserted(merged, own.filter(({ group }) => !versionsOf.has(group)).map(ranked));
}

type Version = GroupVersions['versions'][number];

interface RankedGroup {
  readonly group: GroupVersions;
  readonly priority: number;
}

/** Inserts each group after the last of the others whose priority is not lower. */
function inserted(groups: readonly RankedGroup[], others: readonly RankedGroup[]): readonly GroupVersions[] {
  const waiting = groups.toSorted((a, b) => b.priority - a.priority);
  let highest = Number.NEGATIVE_INFINITY;
  const highestFrom = others.toReversed().map(({ priority }) => (highest = Math.max(highest, priority)));
  const result: GroupVersions[] = [];
  let next = 0;
  for (const [at, { group }] of others.entries()) {
    const limit = highestFrom[others.length - 1 - at] as number;
    for (let each = waiting[next]; each !== undefined && each.priority > limit; each = waiting[next]) {
      result.push(each.group);
      next += 1;
    }
    result.push(group);
  }
  for (const { group } of waiting.slice(next)) result.push(group);
  return result;
}

function priorityOf(apiService: ApiObject | undefined): { readonly group: number; readonly version: number } {
  if (apiService === undefined) return customPriorities;
  return {
    group: numberAt(apiService, 'spec', 'groupPriorityMinimum') ?? 0,
    version: numberAt(apiService, 'spec', 'versionPriority') ?? 0,
  };
}
