import { ApiError } from '@kubewright/api/errors';
import type { ResourceDefinition } from '../registry/definitions/resource-definition.js';
import { badRequest, failure, methodNotAllowed, notFound } from '../registry/requests/status-errors.js';
import { type Answer, notFoundPage, statusAnswer } from './answers/answer.js';
import type { ApiRequest } from './api-request.js';
import { createVirtual, virtualResource } from './access/create-virtual.js';
import { plannedFailure } from './faults/fault-gate.js';
import { type PlannedWrite, plannedWrite } from './faults/planned-write.js';
import { inTurns } from './in-turns.js';
import { kubeletAnswer, needsKubelet } from './pods/kubelet-subresources.js';
import { patchObject } from './patch.js';
import { Presenter } from './answers/present.js';
import type { RequestInfo } from './request-info.js';
import type { Resource } from '../registry/resource.js';
import type { Serving } from './serving.js';
import {
  createObject,
  deleteCollection,
  deleteObject,
  getObject,
  listResource,
  type ResourceRequest,
  updateObject,
} from './verbs.js';
import { watchResource } from './watch/watch.js';

const WRITES: ReadonlySet<string> = new Set(['create', 'update', 'patch', 'delete', 'deletecollection']);

/** Executes a request on a resource, and injects the planned fault of the request, if any. */
export async function resourceRoute(serving: Serving, request: ApiRequest, info: RequestInfo): Promise<Answer> {
  const fault = serving.faults.request(info, {
    id: request.headers['audit-id'],
    query: request.query,
    write: () => describedWrite(serving, request, info),
  });
  const act = (sent = request): Promise<Answer> => answerWithRetries(serving, sent, info);
  if (fault === undefined) return act();
  switch (fault.kind) {
    case 'status':
      if (fault.after === 'write') await act();
      return statusAnswer(plannedFailure(fault).body);
    case 'delay':
      await delayed(serving, request, fault.ms);
      return request.isAbandoned() ? { kind: 'cut' } : act();
    case 'cut':
      if (fault.after === 'write') await act();
      return { kind: 'cut' };
    case 'stale':
      return act(info.verb === 'list' ? { ...request, query: atVersion(request.query, fault.version) } : request);
    case 'reverse':
      return act({ ...request, isReversed: true });
  }
}

/** Returns the query of a list of the state at exactly this version. */
function atVersion(query: URLSearchParams, version: string): URLSearchParams {
  const exact = new URLSearchParams(query);
  exact.delete('limit');
  exact.set('resourceVersion', version);
  exact.set('resourceVersionMatch', 'Exact');
  return exact;
}

/** Describes a write for the fault plan. Returns undefined for a read, and for a resource that does not exist. */
function describedWrite(
  { registry, store }: Serving,
  request: ApiRequest,
  info: RequestInfo,
): PlannedWrite | undefined {
  if (!WRITES.has(info.verb)) return undefined;
  const definition = registry.find(info.group, info.version, info.resource);
  if (definition === undefined) return undefined;
  const { name, namespace } = info;
  const stored = name === undefined ? undefined : store.get(definition.storageBucket, { name, namespace });
  return plannedWrite(request, info, { kind: definition.kind, stored });
}

async function delayed({ clock, clockWaits }: Serving, request: ApiRequest, ms: number): Promise<void> {
  const end = clockWaits.begin(request.headers['audit-id'], { isDelayedRequest: true });
  await new Promise<void>((resolve) => clock.schedule(ms, resolve));
  end();
}

/** Returns the response to a request. If the request requires a resourceVersion that the store has not reached, waits for this version. */
async function answerWithRetries(serving: Serving, request: ApiRequest, info: RequestInfo): Promise<Answer> {
  try {
    return await serving.waits.retry(() => answer(serving, request, info), {
      signal: request.signal,
      waiting: () => serving.clockWaits.begin(request.headers['audit-id']),
    });
  } catch (error) {
    if (error instanceof ApiError) return statusAnswer(error.body);
    throw error;
  }
}

async function answer(serving: Serving, sent: ApiRequest, info: RequestInfo): Promise<Answer> {
  const definition = serving.registry.find(info.group, info.version, info.resource);
  if (definition === undefined) {
    if (serving.registry.isBuiltInGroup(info.group)) throw unknownResource();
    return notFoundPage();
  }
  if (definition.custom && wrongScope(definition, info)) return notFoundPage();
  checkVerb(definition, info);
  if (!definition.custom) checkMethod(sent.method, info);
  const { deprecationWarning } = definition;
  if (deprecationWarning !== undefined) sent.warnings.push(deprecationWarning);
  const resource = serving.registry.resource(definition);
  if (info.subresource === 'proxy') {
    // Few servers proxy requests, so the modules are loaded on first use.
    const { proxyAnswer } = await import('./proxies/proxy-answer.js');
    return proxyAnswer({ request: sent, info, resource }, serving.registry);
  }
  const streams = info.verb === 'watch';
  if (streams && !definition.verbs.includes('watch')) throw methodNotAllowed(definition, 'watch');
  const requested = { request: sent, name: streams ? undefined : info.name, streams, hasTables: hasTables(info) };
  const presenter = new Presenter(shownDefinition(resource, info), requested, serving);
  const request = await inTurns(serving.protobuf.asJson(sent, definition), sent);
  if (streams) {
    if (presenter.encoding === 'protobuf') await serving.protobufWriter.load(definition.apiVersion);
    const onSent = (await serving.metrics()).watchEvents(info);
    return watchResource(serving, definition, { request, info, presenter, onSent });
  }
  return run({ request, info, resource, presenter }, serving);
}

/** Returns the definition of the objects in the response. */
function shownDefinition({ definition, scaleDefinition }: Resource, { subresource }: RequestInfo): ResourceDefinition {
  if (subresource !== 'scale') return definition;
  return { ...scaleDefinition, ...(definition.custom ? { custom: true } : {}) };
}

/** Returns whether the server can convert the response to a table. Most subresources, and objects that are not stored, have no columns. */
function hasTables(info: RequestInfo): boolean {
  const { verb, subresource } = info;
  if (subresource !== undefined && subresource !== 'status' && subresource !== 'scale') return false;
  return verb !== 'create' || virtualResource({ info }) === undefined;
}

function run(request: ResourceRequest, serving: Serving): Answer | Promise<Answer> {
  if (needsKubelet(request)) return kubeletAnswer(request, serving);
  switch (request.info.verb) {
    case 'create': {
      const virtual = virtualResource(request);
      return virtual === undefined ? createObject(request) : createVirtual(request, { serving, virtual });
    }
    case 'get':
      return isComputed(request.resource) ? componentStatuses(request) : getObject(request);
    case 'list':
      return isComputed(request.resource) ? componentStatuses(request) : listResource(request);
    case 'update':
      return updateObject(request);
    case 'patch':
      return patchObject(request, serving.clock.now());
    case 'delete':
      return deleteObject(request);
    case 'deletecollection':
      return deleteCollection(request);
    default:
      throw notAllowed();
  }
}

/** Returns whether the server computes the objects for each read. */
function isComputed({ definition }: Resource): boolean {
  return definition.storageBucket === '/componentstatuses';
}

async function componentStatuses(request: ResourceRequest): Promise<Answer> {
  const { componentStatusAnswer } = await import('./component-statuses.js');
  return componentStatusAnswer(request);
}

/**
 * Throws 404 for a path or a subresource that does not exist, and 405 for a verb that the resource does not support. Throws 400 for an
 * update of a custom resource without a name. Does not check whether a built-in resource supports watch.
 */
function checkVerb(definition: ResourceDefinition, { verb, subresource, name, namespace }: RequestInfo): void {
  if (subresource !== undefined) {
    const served = definition.subresources.get(subresource);
    if (served === undefined) throw definition.custom ? notFound(definition, name ?? '') : unknownResource();
    if (!served.verbs.includes(verb)) throw notAllowed();
    return;
  }
  // A virtual resource has no paths for single objects or for all namespaces.
  const elsewhere = name !== undefined || (definition.namespaced && namespace === undefined);
  if (elsewhere && !definition.verbs.includes('get')) throw unknownResource();
  if (definition.custom) return checkCustomVerb(definition, verb, name);
  const onCollection = verb === 'create' || verb === 'deletecollection';
  if (onCollection && name !== undefined) throw notAllowed();
  if (namespace !== undefined && !definition.namespaced) throw unknownResource();
  // Without a namespace in the path, a namespaced resource only supports list and watch.
  if (definition.namespaced && namespace === undefined && verb !== 'list' && verb !== 'watch') {
    if (name !== undefined) throw unknownResource();
    throw notAllowed();
  }
  if ((verb === 'update' || verb === 'patch') && name === undefined) throw notAllowed();
  // For an unsupported watch, `answer` throws a 405 error with another message.
  if (!definition.verbs.includes(verb) && verb !== 'watch') throw notAllowed();
}

/** Throws 405 if a request that reads a built-in resource does not use GET. Proxies also support HEAD. */
function checkMethod(method: string, { verb, subresource }: RequestInfo): void {
  if (subresource === 'proxy') return;
  if (method !== 'GET' && (verb === 'get' || verb === 'list' || verb === 'watch')) throw notAllowed();
}

/** Checks the verb of a custom resource. One handler serves all paths of custom resources, with its own error messages. */
function checkCustomVerb(definition: ResourceDefinition, verb: RequestInfo['verb'], name: string | undefined): void {
  if (!definition.verbs.includes(verb)) throw methodNotAllowed(definition, verb === 'none' ? '' : verb);
  if (verb === 'update' && name === undefined) throw badRequest('name must be provided');
}

/** Returns whether the scope of a request on a custom resource does not match the scope of the resource. */
function wrongScope({ namespaced }: ResourceDefinition, { verb, namespace }: RequestInfo): boolean {
  if (namespace !== undefined) return !namespaced;
  return namespaced && verb !== 'list' && verb !== 'watch';
}

/** Returns the 404 error for a resource that does not exist in the group-version. */
export function unknownResource(): ApiError {
  return failure(404, 'NotFound', { message: 'the server could not find the requested resource', details: {} });
}

/** Returns the 405 error for a method that the path does not support. */
export function notAllowed(): ApiError {
  const message = 'the server does not allow this method on the requested resource';
  return failure(405, 'MethodNotAllowed', { message, details: {} });
}
