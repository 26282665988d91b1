import type { Steps } from '@kubewright/api/apply';
import { duplicateFieldsSteps } from '@kubewright/api/json';
import {
  applyJsonPatchSteps,
  applyMergePatchSteps,
  applyStrategicMergePatchSteps,
  goText,
  PatchError,
} from '@kubewright/api/patch';
import { type FieldError, fieldErrors } from '@kubewright/api/schema';
import { conversionFault } from '../registry/decoding/conversion-fault.js';
import { patchInvalid } from '../registry/decoding/refused-body.js';
import { mostDecoderErrors } from '../registry/decoding/field-faults.js';
import { patchedInGoOrder } from '../registry/decoding/go-order.js';
import type { ApiObject, JsonDraft } from '../registry/objects/api-object.js';
import { isObject } from '../registry/objects/json-object.js';
import type { RequestContext } from '../registry/requests/request-context.js';
import type { ResourceDefinition } from '../registry/definitions/resource-definition.js';
import { badRequest, failure, unnamed } from '../registry/requests/status-errors.js';
import { checkValues, valueBudget } from '../storage/value-limit.js';
import type { Answer } from './answers/answer.js';
import { applyObject } from './apply.js';
import type { ApiRequest } from './api-request.js';
import { inTurns } from './in-turns.js';
import { isTooDeep } from './json/json-depth.js';
import { tooDeep } from '../registry/objects/json-fault.js';
import { rejectOptions, writeContext } from './query-options.js';
import { cannotHold, readJson, textOf } from './json/read-json.js';
import { contentType, unsupportedMediaType } from './request-body.js';
import { keyOf, type ResourceRequest } from './verbs.js';

const applyPatch = 'application/apply-patch+yaml';
const jsonPatch = 'application/json-patch+json';
const mergePatch = 'application/merge-patch+json';
const strategicPatch = 'application/strategic-merge-patch+json';

const typeFields = { kind: 'string', name: 'string' } as const;

/** Patches an object, its status or its scale. The content type selects the kind of patch. */
export async function patchObject(sent: ResourceRequest, now: Date): Promise<Answer> {
  const { request, info, resource, presenter } = sent;
  const type = contentType(request);
  const accepted = acceptedPatches(resource.definition);
  if (!accepted.includes(type)) throw resource.definition.custom ? unsupportedMediaType(accepted) : unroutedPatch();
  checkOptions(request, type === applyPatch);
  const requested = writeContext(request, info, 'PatchOptions');
  if (type === applyPatch) return applyObject(sent, requested, now);
  const key = keyOf(info);
  // The 404 error for a missing object has precedence over errors of the patch.
  resource.stored(key);
  const isScale = info.subresource === 'scale';
  const definition = isScale ? resource.scaleDefinition : resource.definition;
  const patch = await inTurns(patchBody(type, request));
  const change = new PatchChange(type, patch, definition);
  const context: RequestContext = {
    ...requested,
    bodyFaults: requested.fieldValidation === 'Ignore' ? [] : await inTurns(bodyFaults(type, patch, request)),
    patchedInOrder: (made) => change.inOrder(made),
    ...change.shown,
  };
  const patched = (live: ApiObject) => change.of(live, context);
  if (isScale) return presenter.answer(await inTurns(resource.updateScaleSteps(key, patched, context), request));
  const updated = await inTurns(resource.updateSteps(key, patched, context), request);
  return presenter.answer(updated);
}

/** Returns the 415 error for a patch type that built-in kinds do not support. */
function unroutedPatch(): Error {
  return failure(415, 'UnsupportedMediaType', { message: '415: Unsupported Media Type', details: {} });
}

function acceptedPatches({ custom }: ResourceDefinition): readonly string[] {
  return [jsonPatch, mergePatch, ...(custom ? [] : [strategicPatch]), applyPatch];
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

/** Applies a patch to the live object and checks the result. If the object changes during the update, the patch is applied again. */
class PatchChange {
  readonly #type: string;
  readonly #patch: unknown;
  readonly #definition: ResourceDefinition;
  #live: ApiObject | undefined;
  /** The last result of `inOrder`. An error message uses the result twice. */
  #ordered: { readonly patched: unknown; readonly result: unknown } | undefined;

  constructor(type: string, patch: unknown, definition: ResourceDefinition) {
    this.#type = type;
    this.#patch = patch;
    this.#definition = definition;
  }

  /**
   * The text that validation errors show. For a strategic merge patch, this text is the patch. For other patches, this text is the patched
   * object.
   */
  get shown(): { readonly shownPatch?: () => string } {
    return this.#type === strategicPatch ? { shownPatch: () => goText(this.#patch) } : {};
  }

  *of(live: ApiObject, context: RequestContext): Steps<unknown> {
    this.#live = live;
    this.#ordered = undefined;
    const patched = yield* applied(this.#type, this.#patch, { live, definition: this.#definition });
    yield;
    checkNesting(patched);
    yield;
    checkValues(patched);
    yield;
    if (!isObject(patched)) return patched;
    if (this.#type === strategicPatch) yield* this.#checkTypes(patched, context);
    const { metadata } = patched;
    if ((metadata ?? undefined) === undefined || (isObject(metadata) && !metadata['name'])) {
      throw unnamed(live.metadata.name);
    }
    // A kube-apiserver ignores the kind and version in the result of a strategic merge patch.
    const hasTextType = [patched['apiVersion'], patched['kind']].every((value) => typeof (value ?? '') === 'string');
    if (this.#type !== strategicPatch || !hasTextType) return patched;
    const typed = { ...patched, apiVersion: live.apiVersion, kind: live.kind };
    yield;
    return typed;
  }

  *#checkTypes(patched: JsonDraft, context: RequestContext): Steps<void> {
    const { goTypes, apiVersion, kind } = this.#definition;
    const type = goTypes?.kind(apiVersion, kind);
    if (goTypes === undefined || type === undefined) return;
    const faults = [patched['kind'], patched['apiVersion']].map((text) => conversionFault(text, typeFields, goTypes));
    const fault = faults[0] ?? faults[1] ?? conversionFault(patched, type, goTypes);
    yield;
    if (fault !== undefined) throw yield* patchInvalid(patched, fault, context);
  }

  /** Returns the patched object with its fields in the order that error messages show. */
  *inOrder(patched: unknown): Steps<unknown> {
    const raw = this.#type === jsonPatch;
    if (this.#ordered !== undefined && this.#ordered.patched === patched) return this.#ordered.result;
    const result = yield* patchedInGoOrder(patched, this.#live, { definition: this.#definition, raw });
    this.#ordered = { patched, result };
    return result;
  }
}

function* applied(
  type: string,
  patch: unknown,
  { live, definition }: { readonly live: ApiObject; readonly definition: ResourceDefinition },
): Steps<unknown> {
  try {
    if (type === jsonPatch) {
      const spend = valueBudget();
      const onCopy = (value: unknown): void => {
        checkNesting(value);
        spend(value);
      };
      return yield* applyJsonPatchSteps(live, patch, { onCopy });
    }
    if (type === mergePatch) return yield* applyMergePatchSteps(live, patch);
    return yield* applyStrategicMergePatchSteps(live, patch, definition.schema);
  } catch (error) {
    if (!(error instanceof PatchError)) throw error;
    const { status, reason, answer: message } = error;
    throw failure(status, reason, status === 422 ? { message, details: {} } : { message });
  }
}

function checkNesting(value: unknown): void {
  if (isTooDeep(value)) throw badRequest(`error decoding patch: ${tooDeep}`);
}

const operationFields = new Set(['op', 'path', 'from', 'value']);

/**
 * Throws 400 if the field `op`, `path` or `from` of a JSON patch operation is neither a string nor null. Called before the first operation
 * is applied.
 */
function checkOperations(operations: unknown): void {
  for (const operation of Array.isArray(operations) ? operations : []) {
    for (const [field, value] of Object.entries(isObject(operation) ? operation : {})) {
      if (field === 'value' || !operationFields.has(field) || value === null || typeof value === 'string') continue;
      const type = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
      const what = `Go struct field jsonPatchOp.${field} of type string`;
      throw badRequest(`error decoding patch: json: cannot unmarshal ${type} into ${what}`);
    }
  }
}

/**
 * Returns up to `mostDecoderErrors` messages about the repeated fields of a patch. For a JSON patch, returns messages only about the
 * repeated and the unknown fields of its operations, and throws 400 if a field of an operation has the wrong type.
 */
function* bodyFaults(type: string, operations: unknown, { body }: ApiRequest): Steps<readonly string[]> {
  const repeated = yield* duplicateFieldsSteps(textOf(body));
  if (type !== jsonPatch) {
    return repeated.slice(0, mostDecoderErrors).map((path) => `duplicate field ${JSON.stringify(path)}`);
  }
  checkOperations(operations);
  const unknown = (Array.isArray(operations) ? operations : []).flatMap((operation: unknown, at) =>
    Object.keys(isObject(operation) ? operation : {})
      .filter((field) => !operationFields.has(field))
      .map((field) => `json patch unknown field "[${at}].${field}"`),
  );
  const direct = repeated.filter((path) => /^\[\d+\]\.[^.[]+$/.test(path));
  const faults = [...direct.map((path) => `json patch duplicate field "${path}"`), ...unknown];
  return faults.slice(0, mostDecoderErrors);
}

/**
 * Returns the parsed patch. Throws 400 for an invalid patch, with a message whose prefix depends on the type, and 413 for too many values.
 */
function* patchBody(type: string, { body }: ApiRequest): Steps<unknown> {
  const lead = type === strategicPatch ? '' : 'error decoding patch: ';
  const patch = yield* readJson(body, {
    malformed: (why) => badRequest(`${lead}${why}`),
    hugeNumber: (number) => badRequest(`${lead}${hugeInPatch(type, number)}`),
  });
  if (type === jsonPatch || isObject(patch)) return patch;
  if (patch === null) {
    if (type === mergePatch) throw badRequest('Invalid JSON Patch');
    return {};
  }
  const found = Array.isArray(patch) ? 'array' : typeof patch === 'boolean' ? 'bool' : typeof patch;
  throw badRequest(`${lead}json: cannot unmarshal ${found} into Go value of type map[string]interface {}`);
}

function hugeInPatch(type: string, number: string): string {
  const why = cannotHold(number);
  return type === jsonPatch ? why.replace('Go value', 'Go struct field jsonPatchOp.value') : why;
}
