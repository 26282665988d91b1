import { stringifyJson } from '@kubewright/api/json';
import { deepEqual } from '@kubewright/api/patch';
import { annotationErrors, type FieldError, labelErrors } from '@kubewright/api/schema';
import type { ApiObject, JsonObject } from '../objects/api-object.js';
import { isObject, stringAt } from '../objects/json-object.js';
import { goKind } from '../webhooks/read-answer.js';
import { WebhookCallError } from '../webhooks/webhook-call-error.js';

/** The expected version of a converted object, and the beginning of error texts. */
export interface Expectation {
  readonly apiVersion: string;
  /** The beginning of the error texts: `conversion webhook for example.com/v1, Kind=Example`. */
  readonly lead: string;
}

/**
 * Returns the object that a webhook returned for `original`. The labels and annotations are from the returned object. All other metadata is
 * from `original`, because a conversion cannot change other metadata. Throws a WebhookCallError if the returned object does not have the
 * expected apiVersion, or if its metadata is not valid. Also throws if its kind, name, namespace or UID differs from `original`.
 */
export function checkedConversion(
  original: ApiObject,
  converted: unknown,
  { apiVersion, lead }: Expectation,
): ApiObject {
  const object = typed(converted);
  const fault = typeFault(original, object, apiVersion) ?? identityFault(original, object);
  if (fault !== undefined) throw new WebhookCallError(`${lead} returned invalid object${fault}`);
  const { kind } = original;
  return { ...object, apiVersion, kind, metadata: metadataOf(original, object, lead) };
}

function typeFault({ kind }: ApiObject, object: JsonObject, apiVersion: string): string | undefined {
  const received = { apiVersion: stringAt(object, 'apiVersion'), kind: stringAt(object, 'kind') };
  if (received.apiVersion !== apiVersion) {
    return ` at index 0: invalid groupVersion (expected ${apiVersion}, received ${received.apiVersion})`;
  }
  if (received.kind === kind) return undefined;
  return ` at index 0: invalid kind (expected ${kind}, received ${received.kind})`;
}

const identity = [
  ['name', 'name'],
  ['namespace', 'namespace'],
  ['uid', 'UID'],
] as const;

function identityFault(original: ApiObject, object: JsonObject): string | undefined {
  for (const [field, name] of identity) {
    const [before, after] = [original, object].map((each) => stringAt(each, 'metadata', field));
    if (before !== after) return `: must have the same ${name}: ${before} != ${after}`;
  }
  return undefined;
}

function typed(converted: unknown): JsonObject {
  if (isObject(converted) && stringAt(converted, 'kind') !== '') return converted;
  if (converted === null || converted === undefined) throw new WebhookCallError('unexpected end of JSON input');
  if (!isObject(converted)) {
    const kind = goKind(converted);
    throw new WebhookCallError(`json: cannot unmarshal ${kind} into Go value of type map[string]interface {}`);
  }
  throw new WebhookCallError(`Object 'Kind' is missing in '${stringifyJson(converted)}'`);
}

function metadataOf(original: ApiObject, { metadata }: JsonObject, lead: string): ApiObject['metadata'] {
  const fault = (why: string): WebhookCallError => new WebhookCallError(`${lead} returned invalid metadata: ${why}`);
  if (metadata === undefined) throw fault('missing metadata in converted object');
  if (!isObject(metadata)) throw fault(`invalid metadata of type ${goType(metadata)} in converted object`);
  const { labels: _, annotations: __, ...kept } = original.metadata;
  const changed: Record<string, unknown> = {};
  for (const field of ['labels', 'annotations'] as const) {
    const values = metadata[field];
    if (values === undefined || values === null) continue;
    const isSame = deepEqual(values, original.metadata[field]);
    const why = isSame ? undefined : (mapFault(values, field) ?? errorText(valuesErrors(values, field)));
    if (why !== undefined) throw fault(why);
    changed[field] = values;
  }
  return { ...kept, ...changed };
}

function mapFault(values: unknown, field: string): string | undefined {
  if (!isObject(values)) return `invalid metadata.${field} of type ${goType(values)} in converted object`;
  const wrong = Object.entries(values).find(([, value]) => typeof value !== 'string');
  if (wrong === undefined) return undefined;
  const [key, value] = wrong;
  return `metadata.${field}[${key}] must be a string, but is ${goType(value)} in converted object`;
}

function valuesErrors(values: unknown, field: 'labels' | 'annotations'): readonly FieldError[] {
  // As in a kube-apiserver, the path of annotation errors is the singular `metadata.annotation`.
  return field === 'labels' ? labelErrors(values, 'metadata.labels') : annotationErrors(values, 'metadata.annotation');
}

function errorText(errors: readonly FieldError[]): string | undefined {
  const texts = [...new Set(errors.map(({ field, message }) => `${field}: ${message}`))];
  return texts.length > 1 ? `[${texts.join(', ')}]` : texts[0];
}

/** Returns the Go type of a JSON value. */
function goType(value: unknown): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return '[]interface {}';
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
    case 'bigint':
      return 'int64';
    case 'number':
      return Number.isInteger(value) ? 'int64' : 'float64';
    default:
      return 'map[string]interface {}';
  }
}
