import { aggregatedDiscovery, aggregatedVersion } from './aggregated-discovery.js';
import { type Answer, json } from './answer.js';
import type { ApiRequest } from './api-request.js';
import { discoveredGroups } from './discovery.js';
import { coreVersions, groupList, oneGroup, resourceList } from './legacy-discovery.js';
import type { Serving } from './serving.js';

/** Answers /api, /apis and what stands between them and the resources; undefined for groups that are not there. */
export function discoveryRoute(serving: Serving, request: ApiRequest): Answer | undefined {
  const [root, ...rest] = request.path.split('/').filter((part) => part !== '');
  const core = root === 'api';
  if (!core && root !== 'apis') return undefined;
  const groups = discoveredGroups(serving.registry).filter(({ group }) => (group === '') === core);
  if (rest.length === 0) {
    const version = aggregatedVersion(request.headers['accept']);
    if (version !== undefined) return aggregatedDiscovery(request, groups, version);
    return json(core ? coreVersions(groups, serving.address()) : groupList(groups));
  }
  const [groupName, versionName] = core ? ['', rest[0]] : rest;
  const group = groups.find((candidate) => candidate.group === groupName);
  if (group === undefined) return undefined;
  if (versionName === undefined) return json(oneGroup(group));
  const found = group.versions.find(({ version }) => version === versionName);
  if (found === undefined) return undefined;
  return json(resourceList(core ? versionName : `${group.group}/${versionName}`, found.resources));
}
