import { failure } from '../../registry/status-errors.js';
import { aggregatedDiscovery, discoveryForm } from './aggregated-discovery.js';
import { type Answer, json, statusAnswer } from '../answer.js';
import type { ApiRequest } from '../api-request.js';
import { discoveredGroups } from './discovery.js';
import { coreVersions, groupList, oneGroup, resourceList } from './legacy-discovery.js';
import { unknownResource } from '../resource-route.js';
import type { Serving } from '../serving.js';

const reading: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST']);

/** Answers /api, /apis and what stands between them and the resources; undefined for groups that are not there. */
export function discoveryRoute(serving: Serving, request: ApiRequest): Answer | undefined {
  const answer = discovered(serving, request);
  // As on a real server, a POST reads what is there; the other methods are refused.
  if (answer === undefined || reading.has(request.method)) return answer;
  const message = 'the server does not allow this method on the requested resource';
  return statusAnswer(failure(405, 'MethodNotAllowed', { message, details: {} }).body);
}

function discovered(serving: Serving, request: ApiRequest): Answer | undefined {
  const [root, ...rest] = request.path.split('/').filter((part) => part !== '');
  const core = root === 'api';
  if (!core && root !== 'apis') return undefined;
  const groups = discoveredGroups(serving.registry).filter(({ group }) => (group === '') === core);
  if (rest.length === 0) {
    const form = discoveryForm(request.headers['accept']);
    if (typeof form !== 'string') return statusAnswer(form.body);
    if (form === 'aggregated') return aggregatedDiscovery(request, groups);
    return json(core ? coreVersions(groups, serving.address()) : groupList(groups));
  }
  const [groupName = '', versionName] = core ? ['', rest[0]] : rest;
  const group = groups.find((candidate) => candidate.group === groupName);
  if (group === undefined) return undefined;
  if (versionName === undefined) return json(oneGroup(group));
  const found = group.versions.find(({ version }) => version === versionName);
  if (found !== undefined) {
    return json(resourceList(core ? versionName : `${group.group}/${versionName}`, found.resources));
  }
  return serving.registry.isBuiltInGroup(groupName) ? statusAnswer(unknownResource().body) : undefined;
}
