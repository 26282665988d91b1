import type { JsonDraft } from '../registry/objects/api-object.js';
import { isObject } from '../registry/objects/json-object.js';
import type { RequestContext } from '../registry/requests/request-context.js';
import { badRequest } from '../registry/requests/status-errors.js';
import type { DeleteOptions } from '../registry/requests/verb-options.js';
import type { ApiRequest } from './api-request.js';
import { deleteContext, parseInteger } from './query-options.js';
import { objectBody } from './request-body.js';
import { isTrue, type RequestInfo } from './request-info.js';

/**
 * Returns the options of a deletion from the body, or from the query if the body is empty. Throws 400 for invalid options, 415 for a body
 * with an unsupported content type, and 422 for invalid values of `dryRun`.
 */
export async function deletion(
  request: ApiRequest,
  info: RequestInfo,
): Promise<{ readonly options: DeleteOptions; readonly context: RequestContext }> {
  const { options, dryRun } = request.body.length === 0 ? queryOptions(request.query) : await bodyOptions(request);
  return { options, context: deleteContext(request, info, { options, dryRun }) };
}

interface Requested {
  readonly options: DeleteOptions;
  readonly dryRun: readonly string[];
}

function queryOptions(query: URLSearchParams): Requested {
  const seconds = query.get('gracePeriodSeconds');
  const orphan = query.get('orphanDependents');
  return {
    options: {
      propagationPolicy: query.get('propagationPolicy') ?? undefined,
      orphanDependents: orphan === null ? undefined : isTrue(orphan),
      gracePeriodSeconds: seconds === null ? undefined : parseInteger(seconds),
    },
    dryRun: query.getAll('dryRun'),
  };
}

async function bodyOptions(request: ApiRequest): Promise<Requested> {
  const { value: body } = await objectBody(request, { kind: 'DeleteOptions', version: 'v1' });
  if (!isObject(body)) throw badRequest("couldn't get version/kind; json parse error: the body is not DeleteOptions");
  checkKind(nameIn(body, 'kind'), nameIn(body, 'apiVersion'));
  const read = new OptionsReader(body);
  const preconditions = isObject(body['preconditions']) ? new OptionsReader(body['preconditions']) : undefined;
  return {
    options: {
      preconditions: {
        uid: preconditions?.text('uid'),
        resourceVersion: preconditions?.text('resourceVersion'),
      },
      propagationPolicy: read.text('propagationPolicy'),
      orphanDependents: read.value<boolean>('orphanDependents', { type: 'boolean', go: 'bool' }),
      gracePeriodSeconds: read.value<number>('gracePeriodSeconds', { type: 'number', go: 'int64' }),
    },
    dryRun: read.texts('dryRun'),
  };
}

function nameIn(body: JsonDraft, field: 'apiVersion' | 'kind'): string {
  const value = body[field] ?? '';
  if (typeof value === 'string') return value;
  const refused = `cannot unmarshal ${jsonTypeOf(value)} into Go struct field .${field} of type string`;
  throw badRequest(`couldn't get version/kind; json parse error: json: ${refused}`);
}

function checkKind(kind: string, apiVersion: string): void {
  if (kind === '' || kind === 'DeleteOptions') return;
  const named = `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)}`;
  throw badRequest(`${named} in scheme "pkg/runtime/scheme.go:111"`);
}

class OptionsReader {
  readonly #options: JsonDraft;

  constructor(options: JsonDraft) {
    this.#options = options;
  }

  text(field: string): string | undefined {
    return this.value<string>(field, { type: 'string', go: 'string' });
  }

  texts(field: string): readonly string[] {
    const values = this.#options[field];
    if (!Array.isArray(values)) return [];
    return values.map((value: unknown) => new OptionsReader({ [field]: value }).text(field) ?? '');
  }

  value<T>(field: string, { type, go }: { readonly type: string; readonly go: string }): T | undefined {
    const value = this.#options[field];
    if (value === undefined || value === null) return undefined;
    if (typeof value === type && (type !== 'number' || Number.isInteger(value))) return value as T;
    throw badRequest(
      `json: cannot unmarshal ${jsonTypeOf(value)} into Go struct field DeleteOptions.${field} of type ${go}`,
    );
  }
}

/**
 * Returns the name of the type of a JSON value in the messages of Go's JSON decoder. A `bigint`, which represents a large integer, has the
 * type `number`.
 */
function jsonTypeOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return { boolean: 'bool', bigint: 'number' }[typeof value as string] ?? typeof value;
}
