import { fieldErrors, prune } from '@kubewright/api/schema';
import type { GoType, GoTypes } from './go-types.js';
import { copyJson, type DraftMeta, type DraftObject, isObject, type JsonDraft } from './json-object.js';
import type { RequestContext } from './request-context.js';
import type { ResourceDefinition } from './resource-definition.js';
import { schemaErrors } from './schema-errors.js';
import { badRequest, invalid } from './status-errors.js';
import { TypedReader, UnreadableError } from './typed-reader.js';

const shownBytes = 30;
const typeStruct =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

/**
 * Takes in what a client sent: a copy that may be written to, of the right apiVersion and kind, without fields that the
 * schema does not know. Throws 400 for anything else, in the words of the server's own decoder for built-in kinds;
 * unknown and repeated fields are dropped, warned about or refused as asked.
 */
export function decode(input: unknown, definition: ResourceDefinition, context: RequestContext): DraftObject {
  const given = definition.custom || input !== null ? input : {};
  if (!isObject(given)) throw unrecognized(given, definition, `value of type ${typeStruct}`);
  checkType(given, definition);
  const { value, unknownFields } = prune(given, definition.schema);
  const draft = copyJson(value) as DraftObject;
  if (definition.goTypes === undefined) checkMetadata(draft, definition);
  else readTyped(draft, definition, { given, context, goTypes: definition.goTypes });
  if (context.fieldValidation !== 'Ignore') reportFields(unknownFields, definition, { given, context });
  draft.metadata = cleanMetadata(isObject(draft.metadata) ? draft.metadata : {});
  draft.apiVersion = definition.apiVersion;
  draft.kind = definition.kind;
  return draft;
}

function unrecognized(input: unknown, { kind }: ResourceDefinition, where: string): Error {
  const found = Array.isArray(input) ? 'array' : typeof input === 'boolean' ? 'bool' : typeof input;
  const why = `json: cannot unmarshal ${found} into Go ${where}`;
  const said = Buffer.from(JSON.stringify(input)).toString('hex');
  return badRequest(
    `the object provided is unrecognized (must be of type ${kind}): couldn't get version/kind; json parse error: ${why} (${said})`,
  );
}

/** Refuses an object of another kind or version, with the reason that a real server has. */
function checkType(input: JsonDraft, definition: ResourceDefinition): void {
  const { version } = definition;
  if (definition.custom) checkCustomType(input, definition);
  const apiVersion = typeName(input, 'apiVersion', definition) || definition.apiVersion;
  const kind = typeName(input, 'kind', definition) || definition.kind;
  if (apiVersion === definition.apiVersion && kind === definition.kind) return;
  const { goTypes } = definition;
  if (goTypes === undefined) {
    if (apiVersion !== definition.apiVersion) throw otherVersion(apiVersion, definition);
    throw badRequest(`${kind} in version "${version}" cannot be handled as a ${definition.kind}`);
  }
  const [said = ''] = apiVersion.split('/').slice(-1);
  const refused = `${kind} in version "${said}" cannot be handled as a ${definition.kind}`;
  const type = goTypes.kind(apiVersion, kind) ?? listType(goTypes.kind(apiVersion, kind.replace(/List$/, '')));
  if (type === undefined) {
    throw badRequest(
      `${refused}: no kind "${kind}" is registered for version "${apiVersion}" in scheme "pkg/runtime/scheme.go:111"`,
    );
  }
  if (kind === definition.kind) throw otherVersion(apiVersion, definition);
  const own = goTypes.kind(definition.apiVersion, definition.kind);
  const internal = `${own?.kind === 'struct' ? own.key.split('/')[0] : ''}.${definition.kind}`;
  throw badRequest(`${refused}: converting (${type.name}) to (${internal}): unknown conversion`);
}

/** Nobody but the object itself says what a custom object is. */
function checkCustomType(input: JsonDraft, definition: ResourceDefinition): void {
  const kind = typeName(input, 'kind', definition);
  if (kind === '') {
    const body = JSON.stringify(input);
    const why = `Object 'Kind' is missing in '${body}' (${shortened(body)})`;
    throw badRequest(`the object provided is unrecognized (must be of type ${definition.kind}): ${why}`);
  }
  const apiVersion = typeName(input, 'apiVersion', definition) || definition.apiVersion;
  if (kind === definition.kind || apiVersion !== definition.apiVersion) return;
  const name = isObject(input['metadata']) ? input['metadata']['name'] : undefined;
  throw invalid({ ...definition, kind }, typeof name === 'string' ? name : '', [
    fieldErrors.invalid('kind', kind, `must be ${definition.kind}`),
  ]);
}

function shortened(body: string): string {
  return body.length > shownBytes ? `${body.slice(0, shownBytes)} ...` : body;
}

/** The lists of kinds are known by their kinds. */
function listType(type: GoType | undefined): { readonly name: string } | undefined {
  return type === undefined ? undefined : { name: `${type.name}List` };
}

function otherVersion(apiVersion: string, definition: ResourceDefinition): Error {
  return badRequest(
    `the API version in the data (${apiVersion}) does not match the expected API version (${definition.apiVersion})`,
  );
}

/** The apiVersion or kind that the body says, '' when it does not. */
function typeName(input: JsonDraft, field: 'apiVersion' | 'kind', definition: ResourceDefinition): string {
  const value = input[field] ?? '';
  if (typeof value === 'string') return value;
  const body = JSON.stringify(input);
  const shown = shortened(body);
  const found = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
  throw badRequest(
    `the object provided is unrecognized (must be of type ${definition.kind}): couldn't get version/kind; json parse ` +
      `error: json: cannot unmarshal ${found} into Go struct field .${field} of type string (${shown})`,
  );
}

/** Reads the fields as the types of the built-in kind; what does not fit is refused before any rule looks at it. */
function readTyped(
  draft: DraftObject,
  definition: ResourceDefinition,
  {
    given,
    context,
    goTypes,
  }: { readonly given: JsonDraft; readonly context: RequestContext; readonly goTypes: GoTypes },
): void {
  const type = goTypes.kind(definition.apiVersion, definition.kind);
  if (type === undefined) throw new RangeError(`there is no declared type of ${definition.kind}`);
  try {
    new TypedReader(goTypes).read(draft, type);
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    if (context.verb !== 'patch') throw notHandled(definition, error.message);
    throw patchInvalid(given, error.message);
  }
}

/** The metadata of a custom object has types; the rest is checked with the schema's other rules. */
function checkMetadata(draft: DraftObject, definition: ResourceDefinition): void {
  const metadata: unknown = draft.metadata ?? {};
  if (!isObject(metadata)) {
    throw notHandled(definition, 'json: cannot unmarshal into Go struct field .metadata of type v1.ObjectMeta');
  }
  cleanMetadata(metadata);
  const errors = schemaErrors(draft, definition).filter(
    ({ reason, field }) => reason === 'FieldValueTypeInvalid' && field.startsWith('metadata'),
  );
  if (errors.length === 0) return;
  const { name } = metadata;
  throw invalid(definition, typeof name === 'string' ? name : '', errors);
}

function reportFields(
  unknown: readonly string[],
  definition: ResourceDefinition,
  { given, context }: { readonly given: JsonDraft; readonly context: RequestContext },
): void {
  const texts = [
    ...(context.bodyFaults ?? []),
    ...(context.duplicateFields ?? []).map((path) => `duplicate field "${path}"`),
    ...(definition.custom ? unknown.toSorted() : inOrderOf(given, unknown)).map((path) => `unknown field "${path}"`),
  ];
  if (texts.length === 0) return;
  if (context.fieldValidation !== 'Strict') {
    context.warnings.push(...texts);
    return;
  }
  const why = `strict decoding error: ${texts.join(', ')}`;
  if (context.verb !== 'patch' || context.operation === 'Apply') throw notHandled(definition, why);
  throw patchInvalid(given, why);
}

/** The paths in the order in which the body has them. */
function inOrderOf(body: unknown, paths: readonly string[]): readonly string[] {
  if (paths.length < 2) return paths;
  const wanted = new Set(paths);
  const found: string[] = [];
  const walk = (value: unknown, path: string): void => {
    if (wanted.delete(path)) found.push(path);
    if (Array.isArray(value)) for (const [at, item] of value.entries()) walk(item, `${path}[${at}]`);
    else if (isObject(value)) {
      for (const key of Object.keys(value)) walk(value[key], path === '' ? key : `${path}.${key}`);
    }
  };
  walk(body, '');
  return [...found, ...wanted];
}

/** 422: what a patch makes of an object is none of its kind. */
function patchInvalid(patched: JsonDraft, why: string): Error {
  const error = fieldErrors.invalid('patch', JSON.stringify(patched), why);
  return invalid({ group: '', kind: '', plural: '' }, '', [error]);
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
