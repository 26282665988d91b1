import { finish, type Steps } from '@kubewright/api/apply';
import { append } from '@kubewright/api/json';
import { limitErrors, prune } from '@kubewright/api/schema';
import { readEmbedded } from './embedded-metadata.js';
import { type GoType, GoTypes } from '../cluster-data/go-types.js';
import type { IncomingMeta, IncomingObject, JsonDraft } from '../objects/api-object.js';
import { copyJson, emptyObject, hasNoFields, isObject, stringAt } from '../objects/json-object.js';
import { fieldFaults, repeatedKeysFault } from './field-faults.js';
import { isPatched, notHandled, patchInvalid } from './refused-body.js';
import type { RequestContext } from '../requests/request-context.js';
import type { ResourceDefinition } from '../definitions/resource-definition.js';
import { checkDeclaredKind, refuseOther } from './declared-kind.js';
import { unnamed } from '../requests/status-errors.js';
import { typeFirst } from '../definitions/type-first.js';
import { TypedReader, UnreadableError } from './typed-reader.js';

/** The types for the metadata of custom objects. */
const metadataTypes = new GoTypes();

/**
 * Decodes a body into a writable copy with the apiVersion and kind of the definition. Drops the fields that the schema does not declare.
 * The `fieldValidation` of the context decides whether unknown and repeated fields are ignored, reported as warnings, or refused. For
 * built-in kinds, the error messages are the same as in kube-apiserver.
 * - Throws 400 for a body that does not fit the definition.
 * - Throws 422 for the result of a patch that does not fit the definition.
 * - If the result of a patch has no apiVersion, throws 500 for a custom resource. For a built-in kind, throws 422 if strict field
 *   validation finds a field other than `kind`, and otherwise 400.
 */
export function decode(input: unknown, definition: ResourceDefinition, context: RequestContext): IncomingObject {
  return finish(decodeSteps(input, definition, context));
}

/** Decodes a body like `decode`, in steps. */
export function* decodeSteps(
  input: unknown,
  definition: ResourceDefinition,
  context: RequestContext,
): Steps<IncomingObject> {
  const given = definition.custom || input !== null ? input : {};
  if (!isObject(given)) return yield* refuseOther(given, definition, context);
  yield* checkDeclaredKind(given, definition, context);
  if (definition.goTypes !== undefined && isPatched(context) && !given['apiVersion']) {
    yield* refuseVersionless(given, definition, context);
  }
  const { value, unknownFields } = prune(given, definition.schema);
  yield;
  const draft = copyJson(value) as IncomingObject;
  yield;
  if (definition.goTypes === undefined) yield* readMetadata(draft, definition, { given, context });
  else yield* readTyped(draft, definition, { given, context, goTypes: definition.goTypes });
  yield;
  if (context.fieldValidation !== 'Ignore') yield* reportFields(unknownFields, definition, { given, context });
  draft.metadata = cleanMetadata(isObject(draft.metadata) ? draft.metadata : emptyObject());
  draft.apiVersion = definition.apiVersion;
  draft.kind = definition.kind;
  return typeFirst(draft, definition);
}

/**
 * Refuses a patched object without an apiVersion. kube-apiserver decodes such an object as the internal type of the kind. The fields of the
 * internal type have other names, so every field except `kind` is unknown.
 */
function* refuseVersionless(given: JsonDraft, definition: ResourceDefinition, context: RequestContext): Steps<never> {
  const unknown = Object.keys(given).filter((field) => field !== 'apiVersion' && field !== 'kind');
  if (context.fieldValidation !== 'Ignore') yield* reportFields(unknown, definition, { given, context });
  throw unnamed(stringAt(given, 'metadata', 'name'));
}

/** Reads the fields with the Go types of the built-in kind. Refuses values that do not fit these types. */
function* readTyped(
  draft: IncomingObject,
  definition: ResourceDefinition,
  {
    given,
    context,
    goTypes,
  }: { readonly given: JsonDraft; readonly context: RequestContext; readonly goTypes: GoTypes },
): Steps<void> {
  const type = goTypes.kind(definition.apiVersion, definition.kind);
  if (type === undefined) throw new RangeError(`no declared type for ${definition.kind}`);
  yield* readInto(draft, type, { definition, given, context, goTypes });
}

/** Reads the metadata of a custom object with the types that all objects share. The schema validates the other fields. */
function* readMetadata(
  draft: IncomingObject,
  definition: ResourceDefinition,
  { given, context }: { readonly given: JsonDraft; readonly context: RequestContext },
): Steps<void> {
  const metadata: unknown = draft.metadata ?? {};
  if (!isObject(metadata)) {
    const found = Array.isArray(metadata) ? 'array' : typeof metadata === 'boolean' ? 'bool' : typeof metadata;
    const why = `json: cannot unmarshal ${found} into Go value of type v1.ObjectMeta`;
    if (isPatched(context)) throw yield* patchInvalid(given, why, context);
    throw notHandled(definition, 'json: cannot unmarshal into Go struct field .metadata of type v1.ObjectMeta');
  }
  yield* readInto(metadata, metadataTypes.objectMeta, { definition, given, context, goTypes: metadataTypes });
  yield* refusing({ definition, given, context }, () => readEmbedded(draft, definition.schema));
  // Unlike in built-in kinds, an empty list of managers is the same as an unset list.
  if (Array.isArray(metadata['managedFields']) && metadata['managedFields'].length === 0) {
    delete metadata['managedFields'];
  }
}

/** The body to read, with the definition of its resource and with the context of the request. */
interface Reading {
  readonly definition: ResourceDefinition;
  readonly given: JsonDraft;
  readonly context: RequestContext;
}

/** Decodes a value as the given type, in place. Refuses a value that does not fit the type. */
function* readInto(
  value: JsonDraft,
  type: GoType,
  { definition, given, context, goTypes }: Reading & { readonly goTypes: GoTypes },
): Steps<void> {
  yield* refusing({ definition, given, context }, () => new TypedReader(goTypes).read(value, type));
}

/** Runs a read function, and refuses the body if the function cannot read it. */
function* refusing({ definition, given, context }: Reading, read: () => void): Steps<void> {
  try {
    read();
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    throw isPatched(context)
      ? yield* patchInvalid(given, error.message, context)
      : notHandled(definition, error.message);
  }
}

function* reportFields(
  unknown: readonly string[],
  definition: ResourceDefinition,
  { given, context }: { readonly given: JsonDraft; readonly context: RequestContext },
): Steps<void> {
  const { bodyFaults = [], repeatedKeys = [] } = context;
  const faults = [...bodyFaults, ...(yield* fieldFaults(unknown, given, { definition, context }))];
  if (repeatedKeys.length + faults.length === 0) return;
  if (context.fieldValidation !== 'Strict') {
    append(context.warnings, repeatedKeys);
    append(context.warnings, faults);
    return;
  }
  const texts = repeatedKeys.length === 0 ? faults : [repeatedKeysFault(repeatedKeys), ...faults];
  const why = `strict decoding error: ${limitErrors(texts, (text) => text).texts.join(', ')}`;
  yield;
  throw isPatched(context) ? yield* patchInvalid(given, why, context) : notHandled(definition, why);
}

/**
 * Removes empty and null fields from the metadata, because these fields are the same as unset fields. An empty managedFields list is not
 * removed, because such a list resets all managers. Removes selfLink.
 */
export function cleanMetadata(metadata: JsonDraft): IncomingMeta {
  for (const key of Object.keys(metadata)) {
    const value = metadata[key];
    const empty = Array.isArray(value) ? value.length === 0 : isObject(value) && hasNoFields(value);
    if (value === null || value === '' || (empty && key !== 'managedFields')) delete metadata[key];
  }
  delete metadata['selfLink'];
  return metadata;
}
