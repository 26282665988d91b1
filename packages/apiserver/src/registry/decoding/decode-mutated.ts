import type { Steps } from '@kubewright/api/apply';
import { applyDefaults, prune } from '@kubewright/api/schema';
import { GoTypes } from '../cluster-data/go-types.js';
import type { ResourceDefinition } from '../definitions/resource-definition.js';
import { typeFirst } from '../definitions/type-first.js';
import type { IncomingObject, JsonDraft } from '../objects/api-object.js';
import { copyJson, emptyObject, isObject, stringAt } from '../objects/json-object.js';
import { failure, internalError } from '../requests/status-errors.js';
import { cleanMetadata } from './decode.js';
import { typeOfKind } from './declared-kind.js';
import { TypedReader, UnreadableError } from './typed-reader.js';

const metadataTypes = new GoTypes();

/**
 * Decodes an object of a built-in kind that a mutating policy or webhook has changed, in steps. Drops unknown fields. Throws 500 with the
 * text of kube-apiserver if the object does not fit the kind.
 */
export function* decodeMutated(changed: JsonDraft, definition: ResourceDefinition): Steps<IncomingObject> {
  const { goTypes, apiVersion, kind } = definition;
  const type = goTypes?.kind(apiVersion, kind);
  if (goTypes === undefined || type === undefined) throw new RangeError(`no declared type for ${kind}`);
  checkType(changed, definition);
  const draft = copyJson(prune(changed, definition.schema).value) as IncomingObject;
  yield;
  try {
    new TypedReader(goTypes).read(draft, type);
  } catch (error) {
    throw error instanceof UnreadableError ? internalError(error.message) : error;
  }
  yield;
  return typed(draft, { apiVersion, kind }, definition);
}

/**
 * Returns the changed custom object with the defaults of its schema, as the next webhook receives it. Keeps unknown fields and invalid
 * metadata, because `pruneMutated` and `completeMutated` remove these values later. Throws 500 if the object has no kind.
 */
export function defaultMutated(changed: JsonDraft, { schema }: ResourceDefinition): JsonDraft {
  if (!stringAt(changed, 'kind')) {
    throw internalError(`Object 'Kind' is missing in '${JSON.stringify(changed)}'`);
  }
  return copyJson(applyDefaults(changed, schema));
}

/** A custom object that policies or webhooks have changed, and the fields of its metadata with values of a wrong type. */
export interface MutatedObject {
  readonly draft: IncomingObject;
  readonly unreadable: JsonDraft;
}

/**
 * Separates a changed custom object from the fields of its metadata that have values of a wrong type, in steps. Keeps unknown fields,
 * because validating webhooks receive them. Keeps a changed kind, because the validation reports it. Throws 500 for a changed apiVersion,
 * and for metadata that is not an object.
 */
export function* completeMutated(changed: JsonDraft, definition: ResourceDefinition): Steps<MutatedObject> {
  const [apiVersion, kind] = [stringAt(changed, 'apiVersion'), stringAt(changed, 'kind')];
  if (apiVersion !== definition.apiVersion) {
    const what = `${apiVersion}, Kind=${kind} is unstructured and is not suitable for converting`;
    throw failure(500, '', { message: `${what} to ${JSON.stringify(definition.apiVersion)}` });
  }
  const draft = copyJson(changed) as IncomingObject;
  yield;
  const metadata: unknown = draft.metadata ?? {};
  if (!isObject(metadata)) {
    const found = Array.isArray(metadata) ? '[]interface {}' : typeof metadata;
    throw failure(500, '', { message: `invalid metadata: expected object, got ${found}` });
  }
  const unreadable = emptyObject();
  for (const field of Object.keys(metadata)) {
    if (isReadable(metadata, field)) continue;
    unreadable[field] = metadata[field];
    delete metadata[field];
  }
  draft.metadata = metadata;
  return { draft: typed(draft, { apiVersion, kind }, definition), unreadable };
}

/** Drops the unknown fields of a custom object that policies or webhooks have changed, before the server stores the object. */
export function pruneMutated(object: IncomingObject, definition: ResourceDefinition): void {
  if (!definition.custom) return;
  const { metadata } = object;
  const { value } = prune(object, definition.schema);
  if (value === object) return;
  for (const field of Object.keys(object)) delete object[field];
  Object.assign(object, copyJson(value), { metadata });
}

function isReadable(metadata: JsonDraft, field: string): boolean {
  const only = { [field]: metadata[field] };
  try {
    new TypedReader(metadataTypes).read(only, metadataTypes.objectMeta);
  } catch (error) {
    if (error instanceof UnreadableError) return false;
    throw error;
  }
  metadata[field] = only[field];
  return true;
}

function typed(
  draft: IncomingObject,
  { apiVersion, kind }: { readonly apiVersion: string; readonly kind: string },
  definition: ResourceDefinition,
): IncomingObject {
  draft.metadata = cleanMetadata(isObject(draft.metadata) ? draft.metadata : emptyObject());
  if (draft.metadata.managedFields?.length === 0) delete draft.metadata.managedFields;
  draft.apiVersion = apiVersion;
  draft.kind = kind;
  return typeFirst(draft, definition);
}

/** Throws 500 if the kind or the version of the object differs from the definition. A missing kind or version is not an error. */
function checkType(changed: JsonDraft, definition: ResourceDefinition): void {
  const apiVersion = stringAt(changed, 'apiVersion') || definition.apiVersion;
  const kind = stringAt(changed, 'kind') || definition.kind;
  if (apiVersion === definition.apiVersion && kind === definition.kind) return;
  const { goTypes } = definition;
  const type = typeOfKind(goTypes, apiVersion, kind);
  if (type === undefined) {
    const version = apiVersion.split('/').at(-1) ?? '';
    const named = apiVersion.includes('/') ? apiVersion : version;
    throw internalError(`no kind "${kind}" is registered for version "${named}" in scheme "pkg/runtime/scheme.go:111"`);
  }
  const own = goTypes?.kind(definition.apiVersion, definition.kind);
  const internal = `${own?.kind === 'struct' ? own.key.split('/')[0] : ''}.${definition.kind}`;
  throw failure(500, '', { message: `converting (${type.name}) to (${internal}): unknown conversion` });
}
