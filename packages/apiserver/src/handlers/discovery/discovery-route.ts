import { acceptsAggregated, aggregatedDiscovery } from './aggregated-discovery.js';
import { documentEncoding, type Requested } from '../answers/accept.js';
import { type Answer, document, statusAnswer } from '../answers/answer.js';
import type { JsonObject } from '../../registry/objects/api-object.js';
import type { ApiRequest } from '../api-request.js';
import { coreVersions, groupList, oneGroup, resourceList } from './legacy-discovery.js';
import { mergedGroups } from './merged-groups.js';
import { pathParts } from '../request-info.js';
import { notAllowed, unknownResource } from '../resource-route.js';
import type { Serving } from '../serving.js';

/**
 * Answers /api, /apis and the paths of groups and versions. Answers 404 if a built-in group does not have the version. Returns undefined
 * for other paths, and for other groups and versions that do not exist. The paths of the core group and of the versions of built-in groups
 * require GET. All other paths accept all methods.
 * @param remote the entries of other servers in an aggregated discovery document
 */
export function discoveryRoute(
  serving: Serving,
  request: ApiRequest,
  remote?: ReadonlyMap<string, JsonObject>,
): Answer | undefined {
  const [root = '', ...rest] = pathParts(request.path);
  const core = root === 'api';
  if (!core && root !== 'apis') return undefined;
  const routed = core || (rest.length > 1 && serving.registry.isBuiltInGroup(rest[0] ?? ''));
  const wrongMethod = routed && request.method !== 'GET';
  // A refused method has precedence over an unsupported Accept header.
  const headers = wrongMethod ? {} : request.headers;
  const answer = discovered(
    serving,
    { ...request, headers },
    { core, rest, remote, requested: { custom: !routed, collection: false } },
  );
  const refused = wrongMethod && answer?.kind === 'value' && answer.status === 200;
  return refused ? statusAnswer(notAllowed().body) : answer;
}

function discovered(
  serving: Serving,
  request: ApiRequest,
  {
    core,
    rest,
    remote,
    requested,
  }: {
    readonly core: boolean;
    readonly rest: readonly string[];
    readonly remote: ReadonlyMap<string, JsonObject> | undefined;
    readonly requested: Requested;
  },
): Answer | undefined {
  const groups = mergedGroups(serving.registry).filter(({ group }) => (group === '') === core);
  if (rest.length === 0) {
    if (acceptsAggregated(request.headers['accept'])) return aggregatedDiscovery(request, groups, remote);
    const encoding = documentEncoding(request.headers['accept'], requested);
    return document(core ? coreVersions(groups, serving.address()) : groupList(groups), encoding);
  }
  const [groupName = '', versionName] = core ? ['', rest[0]] : rest;
  const group = groups.find((candidate) => candidate.group === groupName);
  if (group === undefined) return undefined;
  const encoding = documentEncoding(request.headers['accept'], requested);
  if (versionName === undefined) return document(oneGroup(group), encoding);
  const found = group.versions.find(({ version }) => version === versionName);
  if (found !== undefined) {
    return document(resourceList(core ? versionName : `${group.group}/${versionName}`, found.resources), encoding);
  }
  return serving.registry.isBuiltInGroup(groupName) ? statusAnswer(unknownResource().body) : undefined;
}
