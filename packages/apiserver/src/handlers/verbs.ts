import { withBreak } from '@kubewright/api/apply';
import { getScaleSteps, getSteps } from '../registry/get-object.js';
import { deleteCollectionSteps } from '../registry/delete-collection.js';
import type { RequestContext } from '../registry/requests/request-context.js';
import type { ApiObject } from '../registry/objects/api-object.js';
import { isObject, stringAt } from '../registry/objects/json-object.js';
import type { Resource } from '../registry/resource.js';
import type { ResourceDefinition } from '../registry/definitions/resource-definition.js';
import { badRequest, unnamed } from '../registry/requests/status-errors.js';
import type { ResourceKey } from '../registry/requests/verb-options.js';
import type { Answer } from './answers/answer.js';
import type { ApiRequest } from './api-request.js';
import { deletion } from './delete-options.js';
import { inTurns } from './in-turns.js';
import type { Presenter } from './answers/present.js';
import { listOptions, writeContext } from './query-options.js';
import { objectBody } from './request-body.js';
import type { RequestInfo } from './request-info.js';

/** A request on a served resource, with the objects that the handler of a verb needs. */
export interface ResourceRequest {
  readonly request: ApiRequest;
  readonly info: RequestInfo;
  readonly resource: Resource;
  readonly presenter: Presenter;
}

/** Handles GET of an object, its status or its scale. */
export function getObject(sent: ResourceRequest): Answer | Promise<Answer> {
  const { request, info, resource, presenter } = sent;
  const key = keyOf(info);
  resource.checkReached(request.query.get('resourceVersion') || '0');
  if (resource.definition.conversion !== undefined) return getConverted(sent, key);
  return info.subresource === 'scale' ? presenter.answer(resource.getScale(key)) : presenter.answer(resource.get(key));
}

/** Handles GET of an object that a webhook converts. */
async function getConverted(
  { request, info, resource, presenter }: ResourceRequest,
  key: ResourceKey,
): Promise<Answer> {
  if (info.subresource === 'scale') return presenter.answer(await inTurns(getScaleSteps(resource, key), request));
  return presenter.answer(await inTurns(getSteps(resource, key), request));
}

/** Handles GET of a list. */
export async function listResource({ request, info, resource, presenter }: ResourceRequest): Promise<Answer> {
  const found = await inTurns(resource.listSteps(listOptions(request, info)), request);
  const { items } = found;
  return presenter.listAnswer(request.isReversed ? { ...found, items: items.toReversed() } : found);
}

/** Handles POST of a new object. */
export async function createObject({ request, info, resource, presenter }: ResourceRequest): Promise<Answer> {
  const { body, context } = await write({ request, info, resource }, 'CreateOptions');
  const { namespace } = info;
  const created = await inTurns(resource.createSteps(body, context, { namespace }), request);
  return presenter.answer(created, 201);
}

/** Handles PUT of an object, its status or its scale. Answers 201 if the request creates the object. */
export async function updateObject({ request, info, resource, presenter }: ResourceRequest): Promise<Answer> {
  const { body, context } = await write({ request, info, resource }, 'UpdateOptions');
  const key = keyOf(info);
  if (isObject(body) && stringAt(body, 'metadata', 'name') === '') throw unnamed(key.name);
  const same = withBreak(() => body);
  if (info.subresource === 'scale') {
    return presenter.answer(await inTurns(resource.updateScaleSteps(key, same, context), request));
  }
  const existed = resource.has(key);
  const updated = await inTurns(resource.updateSteps(key, same, context), request);
  return presenter.answer(updated, existed ? 200 : 201);
}

/**
 * Handles DELETE of an object. Answers with the object if the deletion is pending, or if the kind returns the object for every deletion.
 * Otherwise, answers with a Status.
 */
export async function deleteObject({ request, info, resource, presenter }: ResourceRequest): Promise<Answer> {
  const { options, context } = await deletion(request, info);
  const key = keyOf(info);
  const { deleted, exists } = await inTurns(
    (function* () {
      const result = yield* resource.deleteSteps(key, options, context);
      return { deleted: result, exists: resource.has(key) };
    })(),
    request,
  );
  // Only a request with `orphanDependents: false` gets 202 while the object still exists.
  const waits = options.orphanDependents === false && exists && !context.dryRun;
  const status = waits ? 202 : 200;
  return deleted.kind === 'Status' ? presenter.status(deleted, status) : presenter.answer(deleted as ApiObject, status);
}

/** Handles DELETE of all objects that the query selects. */
export async function deleteCollection({ request, info, resource, presenter }: ResourceRequest): Promise<Answer> {
  const { options, context } = await deletion(request, info);
  const steps = deleteCollectionSteps(resource, listOptions(request, info), { options, context });
  const deleted = await inTurns(steps, request);
  return presenter.listAnswer(deleted);
}

/** Returns the key of the object in the path. Throws 400 if the path does not contain a name. */
export function keyOf({ namespace, name }: RequestInfo): ResourceKey {
  if (name === undefined) throw badRequest('name must be provided');
  return { namespace, name };
}

/** Returns the body and the context of a write. */
async function write(
  { request, info, resource }: Omit<ResourceRequest, 'presenter'>,
  optionsKind: string,
): Promise<{ readonly body: unknown; readonly context: RequestContext }> {
  const { definition } = resource;
  const context = writeContext(request, info, optionsKind);
  const { value: body, reports } = await objectBody(request, definition);
  if (definition.custom && info.subresource !== 'scale') checkHasVersion(body, definition);
  if (context.fieldValidation === 'Ignore') return { body, context };
  return { body, context: { ...context, ...reports } };
}

/** Throws 400 if a custom object has a kind but no apiVersion. */
function checkHasVersion(body: unknown, { apiVersion }: ResourceDefinition): void {
  if (!isObject(body) || !body['kind'] || body['apiVersion']) return;
  throw badRequest(`the API version in the data () does not match the expected API version (${apiVersion})`);
}
