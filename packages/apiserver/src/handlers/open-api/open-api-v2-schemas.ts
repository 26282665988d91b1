import type { JsonDraft, JsonObject } from '../../registry/objects/api-object.js';
import { emptyObject, isObject } from '../../registry/objects/json-object.js';

const from = '#/components/schemas/';
const to = '#/definitions/';
/** The keywords that a kube-apiserver omits from its OpenAPI 2 document. */
const unknown: ReadonlySet<string> = new Set(['default', 'nullable', 'oneOf', 'anyOf', 'not']);

/**
 * Converts a schema of a built-in kind to OpenAPI 2: a single reference in `allOf` becomes a direct reference, and a schema with `oneOf`
 * becomes a string.
 */
export function builtInV2(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(builtInV2);
  if (!isObject(schema)) return schema;
  const { allOf, ...rest } = schema;
  const reference: unknown = Array.isArray(allOf) && allOf.length === 1 ? allOf[0] : undefined;
  const own = isObject(reference) && '$ref' in reference ? { ...rest, ...reference } : schema;
  const shown = emptyObject();
  for (const [key, value] of Object.entries(own)) {
    if (unknown.has(key)) continue;
    if (key === '$ref') shown[key] = String(value).replace(from, to);
    else if (key === 'properties' && isObject(value)) shown[key] = eachOf(value, builtInV2);
    else shown[key] = builtInV2(value);
  }
  if ('oneOf' in own) shown['type'] = 'string';
  return shown;
}

const kindsKey = 'x-kubernetes-group-version-kind';

/**
 * Converts the schema of a custom kind to OpenAPI 2. If the kind preserves unknown fields, omits the properties, because clients would
 * otherwise refuse unknown fields.
 */
export function customKindV2(schema: unknown): unknown {
  if (!isObject(schema) || schema['x-kubernetes-preserve-unknown-fields'] !== true) return customV2(schema);
  return { type: 'object', [kindsKey]: schema[kindsKey] };
}

/**
 * Converts a schema within a custom kind to OpenAPI 2. Omits the type if the schema allows null or unknown fields, because clients refuse
 * values that do not match the type.
 */
export function customV2(schema: unknown): unknown {
  if (!isObject(schema)) return schema;
  if (typeof schema['$ref'] === 'string') return builtInV2(schema);
  const { allOf, nullable } = schema;
  const shown: JsonDraft = Object.fromEntries(
    Object.entries(schema).filter(([key]) => !unknown.has(key) && key !== 'allOf'),
  );
  if (Array.isArray(allOf) && allOf.some((one) => isObject(one) && '$ref' in one)) return builtInV2(schema);
  const free = shown['x-kubernetes-preserve-unknown-fields'] === true;
  if (nullable === true || free) {
    delete shown['items'];
    delete shown['properties'];
  }
  // The conversion also removes the required kind and apiVersion of an embedded resource.
  if (free && shown['x-kubernetes-embedded-resource'] === true && Array.isArray(shown['required'])) {
    shown['required'] = shown['required'].filter((name) => name !== 'kind' && name !== 'apiVersion');
  }
  if (nullable === true) delete shown['type'];
  if (free && shown['type'] === 'object') delete shown['type'];
  if (shown['type'] === 'array' && shown['items'] === undefined) delete shown['type'];
  return withChildren(shown);
}

function withChildren(schema: JsonDraft): JsonDraft {
  const { properties, items, additionalProperties, required } = schema;
  const next = { ...schema };
  if (isObject(properties)) {
    next['properties'] = eachOf(properties, customV2);
    const mayBeNull = (name: unknown): boolean => isNullable(properties[String(name)]);
    if (Array.isArray(required)) next['required'] = required.filter((name) => !mayBeNull(name));
  }
  if (isObject(items)) next['items'] = customV2(items);
  if (isObject(additionalProperties)) {
    next['additionalProperties'] = customV2(additionalProperties);
    if (isNullable(additionalProperties)) delete next['required'];
  }
  if (Array.isArray(next['required']) && next['required'].length === 0) delete next['required'];
  return next;
}

function isNullable(schema: unknown): boolean {
  return isObject(schema) && schema['nullable'] === true;
}

function eachOf(properties: JsonObject, convert: (schema: unknown) => unknown): JsonDraft {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, convert(schema)]));
}
