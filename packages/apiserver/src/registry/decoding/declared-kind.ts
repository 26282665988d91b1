import type { Steps } from '@kubewright/api/apply';
import { type FieldError, fieldErrors } from '@kubewright/api/schema';
import type { GoType, GoTypes } from '../cluster-data/go-types.js';
import type { JsonDraft } from '../objects/api-object.js';
import { isObject } from '../objects/json-object.js';
import { bodyText, inOrder, isPatched, patchInvalid, shortened, unrecognized } from './refused-body.js';
import type { RequestContext } from '../requests/request-context.js';
import type { ResourceDefinition } from '../definitions/resource-definition.js';
import { badRequest, failure, invalid } from '../requests/status-errors.js';

const typeStruct =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

/** Throws the error of kube-apiserver for a body that is not an object. */
export function* refuseOther(body: unknown, definition: ResourceDefinition, context: RequestContext): Steps<never> {
  const found = Array.isArray(body) ? 'array' : typeof body === 'boolean' ? 'bool' : typeof body;
  const why = `couldn't get version/kind; json parse error: json: cannot unmarshal ${found} into Go value of type ${typeStruct}`;
  if (isPatched(context)) throw yield* patchInvalid(body, why, context);
  throw unrecognized(definition, why, Buffer.from(bodyText(body)).toString('hex'));
}

/**
 * Throws the error of kube-apiserver for a body that declares a kind or version other than `definition`. The result of a patch can have
 * another version. A custom object must declare its kind. For updates and patches of custom objects, `rejectDeclaredKind` checks the kind
 * later.
 */
export function* checkDeclaredKind(
  body: JsonDraft,
  definition: ResourceDefinition,
  context: RequestContext,
): Steps<void> {
  const declared = {
    apiVersion: yield* nameAt(body, 'apiVersion', { definition, context }),
    kind: yield* nameAt(body, 'kind', { definition, context }),
  };
  if (definition.custom) return yield* checkCustom(body, declared, { definition, context });
  const apiVersion = declared.apiVersion || definition.apiVersion;
  const kind = declared.kind || definition.kind;
  if (apiVersion === definition.apiVersion && kind === definition.kind) return;
  const { goTypes } = definition;
  const refused = function* (why: string): Steps<Error> {
    if (isPatched(context)) return yield* patchInvalid(body, why, context);
    const [version = ''] = apiVersion.split('/').slice(-1);
    return badRequest(`${kind} in version "${version}" cannot be handled as a ${definition.kind}: ${why}`);
  };
  const type = typeOfKind(goTypes, apiVersion, kind);
  if (type === undefined) {
    throw yield* refused(
      `no kind "${kind}" is registered for version "${apiVersion}" in scheme "pkg/runtime/scheme.go:111"`,
    );
  }
  if (kind === definition.kind) {
    // The result of a patch can have any version that kube-apiserver knows.
    if (isPatched(context)) return;
    throw otherVersion(apiVersion, definition);
  }
  const own = goTypes?.kind(definition.apiVersion, definition.kind);
  const internal = `${own?.kind === 'struct' ? own.key.split('/')[0] : ''}.${definition.kind}`;
  throw yield* refused(`converting (${type.name}) to (${internal}): unknown conversion`);
}

/** Returns the errors of the kind and apiVersion in a custom object. */
function declaredKindErrors(body: unknown, { kind, apiVersion }: ResourceDefinition): readonly FieldError[] {
  if (!isObject(body)) return [];
  const errors: FieldError[] = [];
  if (body['kind'] !== kind) errors.push(fieldErrors.invalid('kind', body['kind'] ?? '', `must be ${kind}`));
  if (body['apiVersion'] !== apiVersion) {
    errors.push(fieldErrors.invalid('apiVersion', body['apiVersion'] ?? '', `must be ${apiVersion}`));
  }
  return errors;
}

/** Throws 422 for a custom object whose kind or apiVersion differs from `definition`. */
export function rejectDeclaredKind(body: unknown, definition: ResourceDefinition): void {
  const errors = declaredKindErrors(body, definition);
  if (errors.length === 0 || !isObject(body)) return;
  const [group = ''] = String(body['apiVersion']).includes('/') ? String(body['apiVersion']).split('/') : [];
  const name = isObject(body['metadata']) ? body['metadata']['name'] : undefined;
  const subject = { group, kind: String(body['kind']), plural: definition.plural };
  throw invalid(subject, typeof name === 'string' ? name : '', errors);
}

function* checkCustom(
  body: JsonDraft,
  { apiVersion, kind }: { readonly apiVersion: string; readonly kind: string },
  { definition, context }: { readonly definition: ResourceDefinition; readonly context: RequestContext },
): Steps<void> {
  if (kind === '') {
    const text = bodyText(yield* inOrder(body, context));
    yield;
    const why = `Object 'Kind' is missing in '${text}'`;
    throw isPatched(context) ? yield* patchInvalid(body, why, context) : unrecognized(definition, why, shortened(text));
  }
  if (isPatched(context)) {
    if (apiVersion === '') throw versionless();
    return;
  }
  if (apiVersion !== '' && apiVersion !== definition.apiVersion) throw otherVersion(apiVersion, definition);
  // For an update, the kind is validated after the resourceVersion.
  if (context.verb !== 'update') rejectDeclaredKind({ ...body, apiVersion: definition.apiVersion }, definition);
}

function versionless(): Error {
  const message = "Object 'apiVersion' is missing in 'object has no apiVersion field'";
  const details = { causes: [{ message }] };
  return failure(500, 'InternalError', { message: `Internal error occurred: ${message}`, details });
}

/**
 * Returns the type of a kind, or undefined for a kind without a declared type. The type of a list kind is derived from the type of its
 * items.
 */
export function typeOfKind(
  types: GoTypes | undefined,
  apiVersion: string,
  kind: string,
): { readonly name: string } | undefined {
  const type = types?.kind(apiVersion, kind);
  if (type !== undefined) return type;
  const item: GoType | undefined = types?.kind(apiVersion, kind.replace(/List$/, ''));
  return item === undefined ? undefined : { name: `${item.name}List` };
}

function otherVersion(apiVersion: string, definition: ResourceDefinition): Error {
  return badRequest(
    `the API version in the data (${apiVersion}) does not match the expected API version (${definition.apiVersion})`,
  );
}

/**
 * Returns the apiVersion or kind in the body, or '' if the field is unset. Throws the error of kube-apiserver if the value is not a string.
 */
function* nameAt(
  body: JsonDraft,
  field: 'apiVersion' | 'kind',
  { definition, context }: { readonly definition: ResourceDefinition; readonly context: RequestContext },
): Steps<string> {
  const value = body[field] ?? '';
  if (typeof value === 'string') return value;
  const found = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
  const why =
    "couldn't get version/kind; json parse error: json: cannot unmarshal " +
    `${found} into Go struct field .${field} of type string`;
  throw isPatched(context)
    ? yield* patchInvalid(body, why, context)
    : unrecognized(definition, why, shortened(bodyText(body)));
}
