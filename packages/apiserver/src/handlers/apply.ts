import { ApplyConflictError, ApplyError, applyServerSide } from '@kubewright/api/apply';
import { type ApiObject, isObject, type JsonObject } from '../registry/json-object.js';
import { timestamp } from '../registry/metadata-rules.js';
import type { RequestContext } from '../registry/request-context.js';
import { emptyOf } from '../registry/go-form.js';
import type { ResourceDefinition } from '../registry/resource-definition.js';
import { badRequest, failure } from '../registry/status-errors.js';
import { type Answer, json } from './answer.js';
import { isTrue } from './request-info.js';
import { yamlBody } from './request-body.js';
import { keyOf, type ResourceRequest } from './verbs.js';
import { warningHeaders } from './warning-headers.js';

/** Server-side apply: 201 when it creates the object, 200 otherwise, 409 with every conflict as a cause. */
export function applyObject(
  { request, info, resource, presenter }: ResourceRequest,
  asked: RequestContext,
  now: Date,
): Answer {
  const context: RequestContext = { ...asked, operation: 'Apply' };
  const { definition } = resource;
  const key = keyOf(info);
  const applied = appliedObject(yamlBody(request, resource.definition.kind), definition, info.name ?? '');
  const apply = (live: ApiObject | undefined): object =>
    merged({ live, applied, definition, context, force: isTrue(request.query.get('force')), now: timestamp(now) });
  if (resource.find(key) === undefined && info.subresource === undefined) {
    const created = resource.create(apply(undefined), context, key);
    return json(presenter.object(created), 201, warningHeaders(context));
  }
  resource.get(key);
  const updated = resource.update(key, apply, context);
  return json(presenter.object(updated), 200, warningHeaders(context));
}

function appliedObject(body: unknown, { apiVersion, kind }: ResourceDefinition, name: string): JsonObject {
  if (!isObject(body))
    throw badRequest('error decoding YAML: json: cannot unmarshal into Go value of type map[string]interface {}');
  const said = { apiVersion: body['apiVersion'], kind: body['kind'] };
  if (typeof said.kind !== 'string' || said.kind === '') {
    throw badRequest("error decoding YAML: Object 'Kind' is missing in the applied object");
  }
  if (typeof said.apiVersion !== 'string' || said.apiVersion === '') {
    throw badRequest("error decoding YAML: Object 'apiVersion' is missing in the applied object");
  }
  if (said.apiVersion !== apiVersion || said.kind !== kind) {
    const why = `${said.apiVersion}, Kind=${said.kind}, expected ${apiVersion}, Kind=${kind}`;
    throw badRequest(`incorrect type specified by patch: ${why}`);
  }
  const metadata = body['metadata'];
  const named = isObject(metadata) ? metadata : {};
  if (named['name'] !== undefined && named['name'] !== name) {
    throw badRequest(`the name of the object (${String(named['name'])}) does not match the name on the URL (${name})`);
  }
  return { ...body, metadata: { ...named, name } };
}

function merged(apply: {
  readonly live: ApiObject | undefined;
  readonly applied: JsonObject;
  readonly definition: ResourceDefinition;
  readonly context: RequestContext;
  readonly force: boolean;
  readonly now: string;
}): object {
  const { live, applied, definition, context, force, now } = apply;
  const { subresource } = context;
  try {
    return applyServerSide({
      live,
      ...emptyOf(definition),
      applied,
      schema: definition.schema,
      manager: context.fieldManager,
      force,
      ...(subresource === undefined ? {} : { subresource }),
      resetFields: resetFields(definition, subresource),
      now,
    }).object;
  } catch (error) {
    if (error instanceof ApplyConflictError) {
      throw failure(409, 'Conflict', { message: error.message, details: { causes: error.causes } });
    }
    if (error instanceof ApplyError) throw failure(error.status, error.reason, { message: error.message });
    throw error;
  }
}

/** What the endpoint never writes, and nobody comes to own through it. */
function resetFields({ subresources }: ResourceDefinition, subresource: string | undefined): readonly string[][] {
  if (subresource === 'status') return [['spec']];
  return subresources.has('status') ? [['status']] : [];
}
