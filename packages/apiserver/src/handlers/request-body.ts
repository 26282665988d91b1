import type { Steps } from '@kubewright/api/apply';
import { ApiError } from '@kubewright/api/errors';
import { countValues, InvalidJsonError } from '@kubewright/api/json';
import { notHandled } from '../registry/decoding/refused-body.js';
import type { ResourceDefinition } from '../registry/definitions/resource-definition.js';
import type { RequestContext } from '../registry/requests/request-context.js';
import { badRequest } from '../registry/requests/status-errors.js';
import { mostValues, tooManyValues } from '../storage/value-limit.js';
import { mediaType } from './answers/accept.js';
import type { ApiRequest } from './api-request.js';
import { inTurns } from './in-turns.js';
import { InvalidYamlError } from './yaml/invalid-yaml-error.js';
import { scanJson } from './json/json-scan.js';
import { cannotHold, readJson, textOf } from './json/read-json.js';
import type { YamlBody } from './yaml/parse-yaml.js';
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

/** A parsed body, and the context from which the registry reports its repeated and unknown fields. */
export interface ParsedBody {
  readonly value: unknown;
  readonly reports: Pick<RequestContext, 'bodyText' | 'repeatedKeys'>;
}

/**
 * Returns the parsed body of a create or update: YAML if the content type is YAML, and JSON otherwise. Throws 400 for an invalid body, 413
 * for too many values, and 415 for other content types.
 */
export async function objectBody(request: ApiRequest, kind: BodyKind): Promise<ParsedBody> {
  const type = contentType(request);
  if (type === '' || type === 'application/json') {
    // Only the text of JSON shows repeated fields and the original field order.
    return { value: await inTurns(jsonBody(request, kind)), reports: { bodyText: textOf(request.body) } };
  }
  if (type === 'application/yaml') {
    const { value, repeated } = await yamlBody(request);
    return { value, reports: { repeatedKeys: repeated } };
  }
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

/** Returns the beginning of a body for an error text: as text if the body begins with a brace, and otherwise in hexadecimal digits. */
export function beginningOf(body: Uint8Array): string {
  if (body.length === 0) return '<empty>';
  const first = Buffer.from(body.subarray(0, shownBytes));
  const shown = body[0] === 0x7b ? first.toString() : first.toString('hex');
  return body.length > shownBytes ? `${shown} ...` : shown;
}

/**
 * Parses the first document of a YAML body, and finds its repeated keys. JSON is parsed as JSON, because this takes less time. Throws 400
 * if the body is not YAML, and 413 for too many values.
 */
export async function yamlBody(request: ApiRequest): Promise<YamlBody> {
  const { body } = request;
  const json = body.find((byte) => byte > 0x20) === 0x7b ? await inTurns(uniqueJson(body)) : undefined;
  if (json !== undefined) return { value: json.value, repeated: [] };
  try {
    return await parseYamlApart(textOf(body), { mostValues }, { isAbandoned: () => request.isAbandoned() });
  } catch (error) {
    if (error instanceof TooManyValuesError) throw tooManyValues();
    if (!(error instanceof InvalidYamlError)) throw error;
    throw badRequest(`error converting YAML to JSON: yaml: ${error.message}`);
  }
}

/** Parses a body as JSON. Returns undefined if the body is not JSON, or if an object has repeated keys. */
function* uniqueJson(body: Uint8Array): Steps<{ readonly value: unknown } | undefined> {
  const notJson = (why: string): Error => new InvalidJsonError(why);
  try {
    const value = yield* readJson(body, { malformed: notJson, hugeNumber: notJson });
    // The scan counts the value of each repeated key.
    return scanJson(body, mostValues).values === countValues(value) ? { value } : undefined;
  } catch (error) {
    if (error instanceof InvalidJsonError) return undefined;
    throw error;
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
