import { prune } from '@kubewright/api/schema';
import { writeCanonicalQuantities } from './canonical-quantities.js';
import { copyJson, type DraftMeta, type DraftObject, isObject, type JsonDraft } from './json-object.js';
import type { RequestContext } from './request-context.js';
import type { ResourceDefinition } from './resource-definition.js';
import { schemaErrors } from './schema-errors.js';
import { badRequest, invalid } from './status-errors.js';

/**
 * Takes in what a client sent: a copy that may be written to, of the right apiVersion and kind, without fields that the
 * schema does not know. Throws 400 for anything else; unknown and repeated fields are dropped, warned about or refused
 * as asked.
 */
export function decode(input: unknown, definition: ResourceDefinition, context: RequestContext): DraftObject {
  if (!isObject(input)) throw badRequest(`the object provided is unrecognized (must be of type ${definition.kind})`);
  checkType(input, definition);
  if (input['metadata'] !== undefined && input['metadata'] !== null && !isObject(input['metadata'])) {
    throw notHandled(definition, 'json: cannot unmarshal into Go struct field .metadata of type v1.ObjectMeta');
  }
  const { value, unknownFields } = prune(input, definition.schema);
  if (context.fieldValidation !== 'Ignore') reportFields(unknownFields, definition, context);
  const copy = copyJson(value);
  const draft = (definition.custom ? copy : withoutNulls(copy)) as DraftObject;
  draft.metadata = cleanMetadata(isObject(draft.metadata) ? draft.metadata : {});
  checkTypes(draft, definition);
  if (!definition.custom) writeCanonicalQuantities(draft, definition.schema);
  draft.apiVersion = definition.apiVersion;
  draft.kind = definition.kind;
  return draft;
}

function checkType(input: JsonDraft, { apiVersion, kind, version }: ResourceDefinition): void {
  const said = { apiVersion: input['apiVersion'], kind: input['kind'] };
  if (said.apiVersion !== undefined && said.apiVersion !== '' && said.apiVersion !== apiVersion) {
    throw badRequest(
      `the API version in the data (${String(said.apiVersion)}) does not match the expected API version (${apiVersion})`,
    );
  }
  if (said.kind !== undefined && said.kind !== '' && said.kind !== kind) {
    throw badRequest(`${String(said.kind)} in version "${version}" cannot be handled as a ${kind}`);
  }
}

/** What is of another type than its field has no defaults and no rules: it is refused before they are looked at. */
function checkTypes(draft: DraftObject, definition: ResourceDefinition): void {
  const errors = schemaErrors(draft, definition).filter(
    ({ reason, field }) => reason === 'FieldValueTypeInvalid' && (!definition.custom || field.startsWith('metadata')),
  );
  if (errors.length === 0) return;
  const { name } = draft.metadata;
  throw invalid(definition, typeof name === 'string' ? name : '', errors);
}

function reportFields(unknown: readonly string[], definition: ResourceDefinition, context: RequestContext): void {
  const texts = [
    ...(context.duplicateFields ?? []).map((path) => `duplicate field "${path}"`),
    ...unknown.map((path) => `unknown field "${path}"`),
  ];
  if (texts.length === 0) return;
  if (context.fieldValidation === 'Strict') {
    throw notHandled(definition, `strict decoding error: ${texts.join(', ')}`);
  }
  context.warnings.push(...texts);
}

function notHandled({ kind, version }: ResourceDefinition, why: string): Error {
  return badRequest(`${kind} in version "${version}" cannot be handled as a ${kind}: ${why}`);
}

/** Empty maps and lists of metadata are the same as none, and null is the same as unset. */
function cleanMetadata(metadata: JsonDraft): DraftMeta {
  for (const key of Object.keys(metadata)) {
    const value = metadata[key];
    const empty = Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0;
    if (value === null || value === '' || (empty && key !== 'managedFields')) delete metadata[key];
  }
  delete metadata['selfLink'];
  return metadata;
}

/** For built-in kinds null means unset, at any depth but inside lists. */
function withoutNulls(value: JsonDraft): JsonDraft {
  for (const key of Object.keys(value)) {
    const child = value[key];
    if (child === null) delete value[key];
    else if (isObject(child)) withoutNulls(child);
    else if (Array.isArray(child)) for (const item of child) if (isObject(item)) withoutNulls(item);
  }
  return value;
}
