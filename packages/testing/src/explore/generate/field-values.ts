import type { StructuralSchema } from '@kubewright/api/schema';
import { FORMAT_TEXTS } from '../../webhooks/value-generator.js';

/** Values of fields whose names indicate their content, such as `image`. */
const NAMED: readonly (readonly [RegExp, readonly string[]])[] = [
  [/image$/i, ['registry.example.com/app:1', 'registry.example.com/app:2']],
  [/schedule$/i, ['*/5 * * * *', '0 3 * * *']],
  [/cpu$/i, ['100m', '2']],
  [/(memory|storage|size|capacity)$/i, ['1Gi', '2Gi']],
  [/(host|domain|hostname|dns)$/i, ['a.example.com', 'b.example.com']],
  [/(url|uri|endpoint)$/i, ['https://example.com/a', 'https://example.com/b']],
  [/(duration|timeout|interval|period)$/i, ['30s', '10m']],
  [/version$/i, ['1.0.0', '2.0.0']],
  [/(selector|affinity)$/i, ['a', 'b']],
];
/** Quantities. The last quantity exceeds the capacity of every node. */
const QUANTITIES = ['1Gi', '2Gi', '0', '8Pi'];
const CPU_QUANTITIES = ['100m', '2', '0', '8M'];
/** The keys of maps whose names indicate their content. */
const NAMED_KEYS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^(requests|limits)$/, ['memory', 'cpu']],
  [/(data|config|parameters|options|settings|env)$/i, ['added', 'other']],
];
const KEYS = ['example.com/added', 'added'];
/** A text that no format accepts. If a server accepts it, the operator must refuse or report it. */
const INVALID_TEXT = 'Not/valid?';
/** Matches the names of fields that stop an operator if they are true, such as `suspend`. */
export const OFF_SWITCH = /^(suspend|paus|disabl|stop|skip|maintenance|unmanaged)/i;
/** The maximum number of fields of an object that is generated with its optional fields. Types like PodSpec have hundreds of fields. */
const MOST_FIELDS = 24;
/** Other values, for strings with patterns and limits. */
const TEXTS = ['a', 'b', 'web', 'db-1', '1', '42', '10Gi', '500m', '8080', 'A', 'Zone', 'x.y'];
/**
 * The largest difference between the maximum and the minimum of a field for which the maximum is a generated value. Fields like `replicas`
 * make the cluster create that many objects.
 */
const LARGEST = 5;
/** The depth of generated objects. */
const DEEPEST = 6;

/** Returns valid texts of a schema, the most typical first. */
export function textsOf(
  field: string,
  { format, pattern, minLength = 0, maxLength = 253, example }: StructuralSchema,
): readonly string[] {
  const formatted = format === undefined ? undefined : FORMAT_TEXTS[format];
  const named = NAMED.find(([name]) => name.test(field))?.[1] ?? [];
  const matching = pattern === undefined ? undefined : new RegExp(pattern, 'u');
  const examples = typeof example === 'string' ? [example] : [];
  const texts = [...examples, ...(formatted ?? [...named, ...TEXTS])].map((text) =>
    text.padEnd(minLength, 'x').slice(0, maxLength),
  );
  return [...new Set(texts)].filter((text) => matching?.test(text) !== false);
}

/**
 * Returns values of a schema that permits integers or strings. With a pattern, returns the quantities that match the pattern, or typical
 * texts if no quantity matches. Without a pattern, returns a typical text, a percentage and numbers.
 */
export function integersOrTextsOf(field: string, schema: StructuralSchema): readonly unknown[] {
  if (schema.pattern === undefined) return [...textsOf(field, schema).slice(0, 1), 1, '50%', 0];
  const pattern = new RegExp(schema.pattern, 'u');
  const quantities = /cpu$/i.test(field) ? CPU_QUANTITIES : QUANTITIES;
  const valid = quantities.filter((each) => pattern.test(each));
  return valid.length > 0 ? valid : textsOf(field, schema).slice(0, 2);
}

/** Returns texts of a schema: typical texts, the empty text, and a text that is probably not valid. */
export function candidateTextsOf(field: string, schema: StructuralSchema): readonly string[] {
  const isFree = schema.pattern === undefined && schema.format === undefined;
  const { minLength = 0, maxLength = INVALID_TEXT.length } = schema;
  return [
    ...textsOf(field, schema).slice(0, 3),
    ...(minLength === 0 && isFree ? [''] : []),
    ...(isFree && minLength <= INVALID_TEXT.length && maxLength >= INVALID_TEXT.length ? [INVALID_TEXT] : []),
  ];
}

/** Returns the keys that a change can add to a map. */
export function keysOf(field: string): readonly string[] {
  return NAMED_KEYS.find(([name]) => name.test(field))?.[1] ?? KEYS;
}

/**
 * Returns valid integers: the two neighbors of the current value (1 and 2 without a current value), then the limits of the schema, 0
 * and -1.
 */
export function integersOf(schema: StructuralSchema, current: number | undefined): readonly number[] {
  const { minimum = 0, maximum, exclusiveMinimum = false, exclusiveMaximum = false, multipleOf = 1 } = schema;
  const least = exclusiveMinimum ? minimum + 1 : minimum;
  const most = maximum === undefined ? Number.POSITIVE_INFINITY : exclusiveMaximum ? maximum - 1 : maximum;
  const around = current === undefined ? [1, 2] : [current + multipleOf, current - multipleOf];
  const limits = [least, ...(most <= least + LARGEST ? [most] : []), 0, ...(schema.minimum === undefined ? [-1] : [])];
  return [...new Set([...around, ...limits])].filter(
    (each) => (each >= least || schema.minimum === undefined) && each <= most && each % multipleOf === 0,
  );
}

/**
 * Returns a value of a schema: required fields only, and the first valid value of each. Returns undefined if the schema permits no value
 * that can be generated.
 */
export function leastValue(field: string, schema: StructuralSchema, depth = 0): unknown {
  if (schema.default !== undefined) return schema.default;
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema['x-kubernetes-int-or-string'] === true) return integersOrTextsOf(field, schema)[0] ?? 1;
  switch (schema.type) {
    case 'object':
      return leastObject(schema, depth);
    case 'array': {
      const item = leastValue(field.replace(/s$/, ''), schema.items ?? {}, depth + 1);
      return Array.from({ length: schema.minItems ?? 0 }, () => item);
    }
    case 'integer':
    case 'number':
      return integersOf(schema, undefined)[0];
    case 'boolean':
      return false;
    case 'string':
      return textsOf(field, schema)[0];
    default:
      return {};
  }
}

function leastObject(
  { properties = {}, required = [], minProperties = 0, additionalProperties }: StructuralSchema,
  depth: number,
): unknown {
  if (depth > DEEPEST) return {};
  const value: Record<string, unknown> = {};
  for (const name of required) value[name] = leastValue(name, properties[name] ?? {}, depth + 1);
  if (typeof additionalProperties === 'object') {
    for (let at = 0; at < minProperties; at++)
      value[`key-${at}`] = leastValue('value', additionalProperties, depth + 1);
  }
  return value;
}

/** Returns a value of a schema with all fields. Returns a value with only the required fields if the schema has too many fields. */
export function fullValue(field: string, schema: StructuralSchema, depth = 0): unknown {
  const { properties = {}, items, additionalProperties, maxItems = 1 } = schema;
  if (depth > DEEPEST || Object.keys(properties).length > MOST_FIELDS) return leastValue(field, schema, depth);
  if (schema.type === 'boolean') return !OFF_SWITCH.test(field);
  if (schema.type === 'array' && items !== undefined && maxItems > 0)
    return [fullValue(field.replace(/s$/, ''), items, depth + 1)];
  if (schema.type !== 'object') return leastValue(field, schema, depth);
  const entries = Object.entries(properties).map(([name, each]) => [name, fullValue(name, each, depth + 1)] as const);
  const added =
    typeof additionalProperties === 'object'
      ? [[keysOf(field)[0], fullValue('value', additionalProperties, depth + 1)] as const]
      : [];
  return Object.fromEntries([...entries, ...added]);
}
