import type { RequestContext } from '../registry/request-context.js';
import { isObject } from '../registry/json-object.js';
import type { Resource } from '../registry/resource.js';
import { badRequest } from '../registry/status-errors.js';
import type { DeleteOptions, ResourceKey } from '../registry/verb-options.js';
import { type Answer, json } from './answer.js';
import type { ApiRequest } from './api-request.js';
import type { Presenter } from './present.js';
import { listOptions, writeContext } from './query-options.js';
import { objectBody, repeatedFields } from './request-body.js';
import type { RequestInfo } from './request-info.js';
import { warningHeaders } from './warning-headers.js';

/** A request on a resource that exists, with everything a verb needs. */
export interface ResourceRequest {
  readonly request: ApiRequest;
  readonly info: RequestInfo;
  readonly resource: Resource;
  readonly presenter: Presenter;
}

/** GET of one object, of its status, or of its scale. */
export function getObject({ info, resource, presenter }: ResourceRequest): Answer {
  const key = keyOf(info);
  return info.subresource === 'scale' ? json(resource.getScale(key)) : json(presenter.object(resource.get(key)));
}

/** GET of a list. */
export function listResource({ request, info, resource, presenter }: ResourceRequest): Answer {
  return json(presenter.list(resource.list(listOptions(request, info))));
}

/** POST of a new object. */
export function createObject({ request, info, resource, presenter }: ResourceRequest): Answer {
  const { body, context } = write(request, info, 'CreateOptions');
  const { namespace } = info;
  const created = resource.create(body, context, { namespace });
  return json(presenter.object(created), 201, warningHeaders(context));
}

/** PUT of an object, of its status, or of its scale. A PUT that creates answers 201. */
export function updateObject({ request, info, resource, presenter }: ResourceRequest): Answer {
  const { body, context } = write(request, info, 'UpdateOptions');
  const key = keyOf(info);
  if (info.subresource === 'scale') {
    return json(
      resource.updateScale(key, () => body, context),
      200,
      warningHeaders(context),
    );
  }
  const existed = resource.find(key) !== undefined;
  const updated = resource.update(key, () => body, context);
  return json(presenter.object(updated), existed ? 200 : 201, warningHeaders(context));
}

/** DELETE of one object. 200 with a Status when it is gone, with the object when it has to wait. */
export function deleteObject({ request, info, resource, presenter }: ResourceRequest): Answer {
  const { options, context } = deletion(request, info);
  const deleted = resource.delete(keyOf(info), options, context);
  return json(deleted.kind === 'Status' ? deleted : presenter.object(deleted as Parameters<Presenter['object']>[0]));
}

/** DELETE of all objects that the query selects. */
export function deleteCollection({ request, info, resource, presenter }: ResourceRequest): Answer {
  return json(presenter.list(resource.deleteCollection(listOptions(request, info), deletion(request, info))));
}

/** The key of the object that the path names. */
export function keyOf({ namespace, name }: RequestInfo): ResourceKey {
  if (name === undefined) throw badRequest('name must be provided');
  return { namespace, name };
}

/** The object that a request sends, and how it is to be written. */
function write(
  request: ApiRequest,
  info: RequestInfo,
  optionsKind: string,
): { readonly body: unknown; readonly context: RequestContext } {
  const context = writeContext(request, info, optionsKind);
  const body = objectBody(request);
  if (context.fieldValidation === 'Ignore') return { body, context };
  return { body, context: { ...context, duplicateFields: repeatedFields(request) } };
}

function deletion(
  request: ApiRequest,
  info: RequestInfo,
): { readonly options: DeleteOptions; readonly context: RequestContext } {
  const body = request.body.length === 0 ? {} : objectBody(request);
  if (!isObject(body)) throw badRequest("couldn't get version/kind; json parse error: the body is not DeleteOptions");
  const { kind } = body;
  if (kind !== undefined && kind !== 'DeleteOptions') {
    throw badRequest(`the object provided is unrecognized (must be of type DeleteOptions): kind is ${String(kind)}`);
  }
  const { query } = request;
  const seconds = query.get('gracePeriodSeconds');
  const orphan = query.get('orphanDependents');
  const dryRun = Array.isArray(body['dryRun']) ? body['dryRun'] : [];
  const merged = new URLSearchParams(query);
  for (const value of dryRun) merged.append('dryRun', String(value));
  const preconditions = isObject(body['preconditions']) ? body['preconditions'] : {};
  return {
    options: {
      preconditions: { uid: text(preconditions['uid']), resourceVersion: text(preconditions['resourceVersion']) },
      propagationPolicy: text(body['propagationPolicy']) ?? (query.get('propagationPolicy') || undefined),
      orphanDependents: flag(body['orphanDependents'] ?? (orphan === null ? undefined : orphan === 'true')),
      gracePeriodSeconds: number(body['gracePeriodSeconds'] ?? (seconds ? Number(seconds) : undefined)),
    },
    context: writeContext({ ...request, query: merged }, info, 'DeleteOptions'),
  };
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function flag(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}

function number(value: unknown): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'number' && Number.isInteger(value)) return value;
  throw badRequest(
    'DeleteOptions in version "v1" cannot be handled as a DeleteOptions: gracePeriodSeconds must be an integer',
  );
}
