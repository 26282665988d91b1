import { ApplyConflictError, ApplyError, applyServerSideSteps, type Steps } from '@kubewright/api/apply';
import type { ApiObject, JsonObject } from '../registry/objects/api-object.js';
import { append } from '@kubewright/api/json';
import { isObject, stringAt } from '../registry/objects/json-object.js';
import { timestamp } from '../registry/metadata/metadata-rules.js';
import type { RequestContext } from '../registry/requests/request-context.js';
import { repeatedKeysFault } from '../registry/decoding/field-faults.js';
import { emptyOf } from '../registry/decoding/go-form.js';
import { resetFields, sameExceptManagers } from '../registry/writing/update-rules.js';
import { versionConverter } from '../registry/writing/stored-form.js';
import type { ResourceDefinition } from '../registry/definitions/resource-definition.js';
import { badRequest, conflict, failure, unnamed } from '../registry/requests/status-errors.js';
import { checkCount } from '../storage/value-limit.js';
import type { Answer } from './answers/answer.js';
import type { ApiRequest } from './api-request.js';
import { inTurns } from './in-turns.js';
import { isTrue } from './request-info.js';
import { yamlBody } from './request-body.js';
import { keyOf, type ResourceRequest } from './verbs.js';

/**
 * Applies an object with server-side apply. Answers 201 if the request creates the object, and 200 otherwise. If other managers own applied
 * fields and the request does not set `force`, throws 409 with each conflict as a cause.
 */
export async function applyObject(
  { request, info, resource, presenter }: ResourceRequest,
  requested: RequestContext,
  now: Date,
): Promise<Answer> {
  const context: RequestContext = { ...requested, operation: 'Apply' };
  const { definition } = resource;
  const key = keyOf(info);
  if (info.subresource === 'scale') return applyScale({ request, info, resource, presenter }, context, now);
  const makes = info.subresource === undefined || definition.strategy.allowCreateOnUpdate;
  if (!makes) resource.stored(key);
  const applied = appliedObject(await appliedBody(request, context), definition);
  const force = isTrue(request.query.get('force'));
  const apply = function* (live: ApiObject): Steps<object> {
    const next = yield* merged({ live, applied, definition, context, force, now: timestamp(now) });
    checkNamed(applied, key.name);
    return next;
  };
  if (!resource.has(key)) {
    const made = await inTurns(merged({ live: undefined, applied, definition, context, force, now: timestamp(now) }));
    checkNew(applied, definition, key.name);
    return presenter.answer(await inTurns(resource.createSteps(made, context, key), request), 201);
  }
  const updated = await inTurns(resource.updateSteps(key, apply, context), request);
  return presenter.answer(updated);
}

/** Applies the Scale of an object. */
async function applyScale(
  { request, info, resource, presenter }: ResourceRequest,
  context: RequestContext,
  now: Date,
): Promise<Answer> {
  const { scaleDefinition: definition } = resource;
  const key = keyOf(info);
  resource.stored(key);
  const applied = appliedObject(await appliedBody(request, context), definition);
  checkNamed(applied, key.name);
  const force = isTrue(request.query.get('force'));
  const apply = function* (live: ApiObject): Steps<object> {
    const isCustom = resource.definition.custom === true;
    if (isCustom && live.metadata.managedFields === undefined) {
      throw unconverted('failed to create manager for existing fields: failed to convert live object (/');
    }
    const next = yield* merged({ live, applied, definition, context, force, now: timestamp(now) });
    if (isCustom && !sameExceptManagers(next as ApiObject, live)) {
      throw unconverted(`failed to convert new object (${stringAt(applied, 'metadata', 'namespace')}/${key.name}`);
    }
    return next;
  };
  return presenter.answer(await inTurns(resource.updateScaleSteps(key, apply, context), request));
}

/** Returns the 500 error of a kube-apiserver, which cannot apply this change to the Scale of a custom object. */
function unconverted(what: string): Error {
  const why = 'request to convert CR to an invalid group/version: autoscaling/v1';
  return failure(500, '', { message: `${what}; autoscaling/v1, Kind=Scale) to proper version: ${why}` });
}

/**
 * Returns the parsed body of an apply. For repeated keys, throws 400 with the field validation `Strict`, and adds warnings with `Warn`. The
 * field validation `Ignore` ignores repeated keys.
 */
async function appliedBody(request: ApiRequest, { fieldValidation, warnings }: RequestContext): Promise<unknown> {
  const { value, repeated } = await yamlBody(request);
  if (repeated.length === 0 || fieldValidation === 'Ignore') return value;
  if (fieldValidation === 'Strict') {
    throw badRequest(`error strict decoding YAML: error converting YAML to JSON: ${repeatedKeysFault(repeated)}`);
  }
  append(warnings, repeated);
  return value;
}

function appliedObject(body: unknown, { apiVersion, kind }: ResourceDefinition): JsonObject {
  const given = body ?? {};
  if (!isObject(given)) {
    const found = Array.isArray(given) ? 'array' : typeof given === 'boolean' ? 'bool' : typeof given;
    const why = `json: cannot unmarshal ${found} into Go value of type map[string]interface {}`;
    throw badRequest(`error decoding YAML: error unmarshaling JSON: while decoding JSON: ${why}`);
  }
  const typeMeta = { apiVersion: stringAt(given, 'apiVersion'), kind: stringAt(given, 'kind') };
  if (typeMeta.apiVersion !== apiVersion || typeMeta.kind !== kind) {
    const version = typeMeta.apiVersion.includes('/') ? typeMeta.apiVersion : `/${typeMeta.apiVersion}`;
    throw badRequest(`invalid object type: ${version}, Kind=${typeMeta.kind}`);
  }
  return given;
}

/** Throws 400 if the object has a name that differs from the name in the path. */
function checkNamed({ metadata }: JsonObject, name: string): void {
  const named = isObject(metadata) ? metadata['name'] : undefined;
  if (named === undefined || named === name) return;
  throw badRequest(`the name of the object (${String(named)}) does not match the name on the URL (${name})`);
}

/**
 * Checks an applied object that does not exist yet. Throws 409 if the applied object has a UID, because no object with this UID exists.
 * Throws 400 if the name is missing or is not the name in the path.
 */
function checkNew(applied: JsonObject, definition: ResourceDefinition, name: string): void {
  const uid = stringAt(applied, 'metadata', 'uid');
  if (uid !== '') {
    const why = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;
    throw conflict(definition, name, why);
  }
  if (stringAt(applied, 'metadata', 'name') === '') throw unnamed(name);
  checkNamed(applied, name);
}

function* merged(apply: {
  readonly live: ApiObject | undefined;
  readonly applied: JsonObject;
  readonly definition: ResourceDefinition;
  readonly context: RequestContext;
  readonly force: boolean;
  readonly now: string;
}): Steps<object> {
  const { live, applied, definition, context, force, now } = apply;
  const { subresource } = context;
  try {
    const made = yield* applyServerSideSteps({
      live,
      ...emptyOf(definition),
      applied,
      schema: definition.schema,
      schemaOf: definition.schemaOf,
      convert: versionConverter(definition),
      manager: context.fieldManager,
      force,
      ...(subresource === undefined ? {} : { subresource }),
      resetFields: resetFields(definition, subresource),
      now,
      onOwned: checkCount,
    });
    return made.object;
  } catch (error) {
    if (error instanceof ApplyConflictError) {
      throw failure(409, 'Conflict', { message: error.message, details: { causes: error.causes } });
    }
    if (error instanceof ApplyError) throw failure(error.status, error.reason, { message: error.message });
    throw error;
  }
}
