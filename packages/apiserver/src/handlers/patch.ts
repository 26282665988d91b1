import { parseJson } from '@kubewright/api/json';
import { applyJsonPatch, applyMergePatch, applyStrategicMergePatch, PatchError } from '@kubewright/api/patch';
import { type FieldError, fieldErrors } from '@kubewright/api/schema';
import type { ApiObject } from '../registry/json-object.js';
import type { ResourceDefinition } from '../registry/resource-definition.js';
import { badRequest, failure } from '../registry/status-errors.js';
import { type Answer, json } from './answer.js';
import { applyObject } from './apply.js';
import type { ApiRequest } from './api-request.js';
import { isTooDeep } from './json-depth.js';
import { jsonFault, tooDeep } from './json-fault.js';
import { rejectOptions, writeContext } from './query-options.js';
import { contentType, unsupportedMediaType } from './request-body.js';
import { keyOf, type ResourceRequest } from './verbs.js';
import { warningHeaders } from './warning-headers.js';

const applyPatch = 'application/apply-patch+yaml';
const jsonPatch = 'application/json-patch+json';
const mergePatch = 'application/merge-patch+json';
const strategicPatch = 'application/strategic-merge-patch+json';

/** PATCH of an object, of its status, or of its scale, by the kind of patch that the content type names. */
export function patchObject(patched: ResourceRequest, now: Date): Answer {
  const { request, info, resource, presenter } = patched;
  const type = contentType(request);
  const accepted = acceptedPatches(resource.definition, info.subresource);
  if (!accepted.includes(type)) throw resource.definition.custom ? unsupportedMediaType(accepted) : unroutedPatch();
  checkOptions(request, type === applyPatch);
  const context = writeContext(request, info, 'PatchOptions');
  if (type === applyPatch) return applyObject(patched, context, now);
  const key = keyOf(info);
  const change = changeOf(type, request, resource.definition);
  if (info.subresource === 'scale') {
    return json(resource.updateScale(key, change, context), 200, warningHeaders(context));
  }
  resource.get(key);
  const updated = resource.update(key, change, context);
  return json(presenter.object(updated), 200, warningHeaders(context));
}

/** 415: built-in kinds have no path for a patch of that type. */
function unroutedPatch(): Error {
  return failure(415, 'UnsupportedMediaType', { message: '415: Unsupported Media Type', details: {} });
}

function acceptedPatches({ custom }: ResourceDefinition, subresource: string | undefined): readonly string[] {
  const strategic = custom ? [] : [strategicPatch];
  return [jsonPatch, mergePatch, ...strategic, ...(subresource === 'scale' ? [] : [applyPatch])];
}

function checkOptions({ query }: ApiRequest, isApply: boolean): void {
  const errors: FieldError[] = [];
  if (isApply && !query.get('fieldManager')) {
    errors.push(fieldErrors.required('fieldManager', 'is required for apply patch'));
  }
  if (!isApply && query.get('force') !== null) {
    errors.push(fieldErrors.forbidden('force', 'may not be specified for non-apply patch'));
  }
  rejectOptions('PatchOptions', errors);
}

function changeOf(type: string, request: ApiRequest, definition: ResourceDefinition): (live: ApiObject) => unknown {
  const patch = patchBody(request);
  return (live) => {
    try {
      if (type === jsonPatch) return applyJsonPatch(live, patch);
      checkIsObject(patch);
      if (type === mergePatch) return applyMergePatch(live, patch);
      return applyStrategicMergePatch(live, patch, definition.schema);
    } catch (error) {
      if (!(error instanceof PatchError)) throw error;
      throw failure(error.status, error.reason, { message: error.answer, details: {} });
    }
  };
}

function patchBody({ body }: ApiRequest): unknown {
  const patch = parsedPatch(body);
  if (isTooDeep(patch)) throw badRequest(`error decoding patch: ${tooDeep(body)}`);
  return patch;
}

function parsedPatch(body: Uint8Array): unknown {
  try {
    return parseJson(body);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw badRequest(`error decoding patch: ${jsonFault(new TextDecoder().decode(body)) ?? error.message}`);
  }
}

function checkIsObject(patch: unknown): void {
  if (typeof patch === 'object' && patch !== null && !Array.isArray(patch)) return;
  throw badRequest('error decoding patch: json: cannot unmarshal into Go value of type map[string]interface {}');
}
