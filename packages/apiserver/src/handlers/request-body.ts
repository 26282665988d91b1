import type { Steps } from '@kubewright/api/apply';
import { ApiError } from '@kubewright/api/errors';
import { notHandled } from '../registry/decoding/refused-body.js';
import type { ResourceDefinition } from '../registry/resource-definition.js';
import { badRequest } from '../registry/status-errors.js';
import { mostValues, tooManyValues } from '../storage/value-limit.js';
import { mediaType } from './accept.js';
import type { ApiRequest } from './api-request.js';
import { inTurns } from './in-turns.js';
import { InvalidYamlError } from './yaml/invalid-yaml-error.js';
import { cannotHold, readJson, textOf } from './read-json.js';
import { parseYamlApart } from './yaml/parse-yaml-apart.js';
import { TooManyValuesError } from './yaml/value-counter.js';

const shownBytes = 30;

/** The kind that a body has to be of. */
type BodyKind = Pick<ResourceDefinition, 'kind' | 'version'>;

/** The media type of the body, without parameters; '' when the request does not say, and all of it when it makes no sense. */
export function contentType({ headers }: ApiRequest): string {
  const said = headers['content-type'] ?? '';
  return isWellFormed(said) ? mediaType(said).type : said;
}

/** Whether there is a type, and each parameter behind it has a name of its own and a value. */
function isWellFormed(said: string): boolean {
  const [type = '', ...parameters] = said.split(';').map((part) => part.trim());
  // Nothing may stand behind the last semicolon.
  if (parameters.at(-1) === '') parameters.pop();
  const names = parameters.map((parameter) => /^([^\s=]+)=./.exec(parameter)?.[1]?.toLowerCase());
  return (said === '' || type !== '') && !names.includes(undefined) && new Set(names).size === names.length;
}

/** The body of a create or update of a kind: JSON, or YAML when it says so. Throws 415, 413 and 400. */
export async function objectBody(request: ApiRequest, kind: BodyKind): Promise<unknown> {
  const type = contentType(request);
  if (type === '' || type === 'application/json') return inTurns(jsonBody(request, kind));
  if (type === 'application/yaml') return yamlBody(request, kind);
  // Bodies in protobuf have become JSON by now, but for those of custom resources, which nobody can read.
  throw unsupportedMediaType(['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf']);
}

/** The body of a kind as JSON. Throws 400 for other texts, and 413 for too many values. */
function jsonBody({ body }: ApiRequest, definition: BodyKind): Steps<unknown> {
  return readJson(body, {
    malformed: (why) => unreadable(body, definition.kind, why),
    hugeNumber: (number) => notHandled(definition, cannotHold(number)),
  });
}

/** 400: a body that cannot be read, with its beginning. */
function unreadable(body: Uint8Array, kind: string, why: string): ApiError {
  const said = `couldn't get version/kind; json parse error: ${why} (${beginningOf(body)})`;
  return badRequest(`the object provided is unrecognized (must be of type ${kind}): ${said}`);
}

function beginningOf(body: Uint8Array): string {
  if (body.length === 0) return '<empty>';
  const first = Buffer.from(body.subarray(0, shownBytes));
  const shown = body[0] === 0x7b ? first.toString() : first.toString('hex');
  return body.length > shownBytes ? `${shown} ...` : shown;
}

/** The text of a body that `objectBody` has read as JSON; YAML refuses what the text alone could tell. */
export function jsonText(request: ApiRequest): { readonly bodyText?: string } {
  return contentType(request) === 'application/yaml' ? {} : { bodyText: textOf(request.body) };
}

/**
 * Reads the body as YAML, which includes JSON. If there are several documents, returns the first one. Throws 400 for other texts, and 413 for
 * too many values.
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

/** 415: a body of a type that the endpoint does not take. */
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
