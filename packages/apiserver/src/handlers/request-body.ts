import type { Steps } from '@kubewright/api/apply';
import { ApiError } from '@kubewright/api/errors';
import { notHandled } from '../registry/decoding/refused-body.js';
import type { ResourceDefinition } from '../registry/definitions/resource-definition.js';
import { badRequest } from '../registry/requests/status-errors.js';
import { mostValues, tooManyValues } from '../storage/value-limit.js';
import { mediaType } from './answers/accept.js';
import type { ApiRequest } from './api-request.js';
import { inTurns } from './in-turns.js';
import { InvalidYamlError } from './yaml/invalid-yaml-error.js';
import { cannotHold, readJson, textOf } from './json/read-json.js';
import { parseYamlApart } from './yaml/parse-yaml-apart.js';
import { TooManyValuesError } from './yaml/value-counter.js';

const shownBytes = 30;

/** The expected kind of a body. */
type BodyKind = Pick<ResourceDefinition, 'kind' | 'version'>;

/**
 * Returns the media type of the body without parameters. Returns '' if the request has no content type, and the whole header if the header
 * is malformed.
 */
export function contentType({ headers }: ApiRequest): string {
  const header = headers['content-type'] ?? '';
  return isWellFormed(header) ? mediaType(header).type : header;
}

/** Returns whether the header has a type, and each parameter has a unique name and a value. */
function isWellFormed(header: string): boolean {
  const [type = '', ...parameters] = header.split(';').map((part) => part.trim());
  // A semicolon after the last parameter is valid.
  if (parameters.at(-1) === '') parameters.pop();
  const names = parameters.map((parameter) => /^([^\s=]+)=./.exec(parameter)?.[1]?.toLowerCase());
  return (header === '' || type !== '') && !names.includes(undefined) && new Set(names).size === names.length;
}

/**
 * Returns the parsed body of a create or update: YAML if the content type is YAML, and JSON otherwise. Throws 400 for an invalid body, 413
 * for too many values, and 415 for other content types.
 */
export async function objectBody(request: ApiRequest, kind: BodyKind): Promise<unknown> {
  const type = contentType(request);
  if (type === '' || type === 'application/json') return inTurns(jsonBody(request, kind));
  if (type === 'application/yaml') return yamlBody(request, kind);
  // Protobuf bodies of built-in kinds are already converted to JSON. Custom resources do not support protobuf.
  throw unsupportedMediaType(['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf']);
}

/** Parses the body as JSON. Throws 400 if the body is not JSON, and 413 for too many values. */
function jsonBody({ body }: ApiRequest, definition: BodyKind): Steps<unknown> {
  return readJson(body, {
    malformed: (why) => unreadable(body, definition.kind, why),
    hugeNumber: (number) => notHandled(definition, cannotHold(number)),
  });
}

/** Returns the 400 error for an unreadable body, with the beginning of the body. */
function unreadable(body: Uint8Array, kind: string, why: string): ApiError {
  const problem = `couldn't get version/kind; json parse error: ${why} (${beginningOf(body)})`;
  return badRequest(`the object provided is unrecognized (must be of type ${kind}): ${problem}`);
}

function beginningOf(body: Uint8Array): string {
  if (body.length === 0) return '<empty>';
  const first = Buffer.from(body.subarray(0, shownBytes));
  const shown = body[0] === 0x7b ? first.toString() : first.toString('hex');
  return body.length > shownBytes ? `${shown} ...` : shown;
}

/**
 * Returns the text of a JSON body, in which the registry finds repeated fields. Returns no text for a YAML body. With
 * `fieldValidation=Strict`, the YAML parser itself rejects repeated keys.
 */
export function jsonText(request: ApiRequest): { readonly bodyText?: string } {
  return contentType(request) === 'application/yaml' ? {} : { bodyText: textOf(request.body) };
}

/**
 * Parses the body as YAML, which includes JSON. If the body has several documents, returns the first document. Throws 400 if the body is
 * not YAML, and 413 for too many values.
 */
export async function yamlBody(request: ApiRequest, kind: BodyKind): Promise<unknown> {
  const first = request.body.find((byte) => byte > 0x20);
  if (first === 0x7b) return inTurns(jsonBody(request, kind));
  const uniqueKeys = request.query.get('fieldValidation') === 'Strict';
  try {
    const isAbandoned = (): boolean => request.isAbandoned();
    const [value = null] = await parseYamlApart(textOf(request.body), { uniqueKeys, mostValues }, { isAbandoned });
    return value;
  } catch (error) {
    if (error instanceof TooManyValuesError) throw tooManyValues();
    if (!(error instanceof InvalidYamlError)) throw error;
    throw badRequest(`error converting YAML to JSON: yaml: ${error.message}`);
  }
}

/** Returns the 415 error for a body of a type that the endpoint does not support. */
export function unsupportedMediaType(accepted: readonly string[]): ApiError {
  return new ApiError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`,
    reason: 'UnsupportedMediaType',
    code: 415,
  });
}
