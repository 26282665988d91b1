import type { StructuralSchema } from '@kubewright/api/schema';
import { FORMAT_TEXTS } from '../../webhooks/value-generator.js';

/** Values of fields whose name says what they contain. */
const NAMED: readonly (readonly [RegExp, readonly string[]])[] = [
  [/image$/i, ['registry.example.com/app:1', 'registry.example.com/app:2']],
  [/schedule$/i, ['*/5 * * * *', '0 3 * * *']],
  [/cpu$/i, ['100m', '2']],
  [/(memory|storage|size|capacity)$/i, ['1Gi', '2Gi']],
  [/(host|domain|hostname|dns)$/i, ['a.example.com', 'b.example.com']],
  [/(url|uri|endpoint)$/i, ['https://example.com/a', 'https://example.com/b']],
  [/(duration|timeout|interval|period)$/i, ['30s', '10m']],
  [/version$/i, ['1.0.0', '2.0.0']],
];
/** Other values, for strings with patterns and limits. */
const TEXTS = ['a', 'b', 'web', 'db-1', '1', '42', '10Gi', '500m', '8080', 'A', 'Zone', 'x.y'];
/** The largest generated number of a field without a maximum. Fields like `replicas` make the cluster create that many objects. */
const LARGEST = 5;
/** The depth of generated objects. */
const DEEPEST = 6;

/** Returns valid texts of a schema, the most typical first. */
export function textsOf(
  field: string,
  { format, pattern, minLength = 0, maxLength = 253 }: StructuralSchema,
): readonly string[] {
  const formatted = format === undefined ? undefined : FORMAT_TEXTS[format];
  const named = NAMED.find(([name]) => name.test(field))?.[1] ?? [];
  const matching = pattern === undefined ? undefined : new RegExp(pattern, 'u');
  const texts = (formatted ?? [...named, ...TEXTS]).map((text) => text.padEnd(minLength, 'x').slice(0, maxLength));
  return [...new Set(texts)].filter((text) => matching?.test(text) !== false);
}

/** Returns valid integers near the given one, then the limits of the schema. */
export function integersOf(schema: StructuralSchema, current: number | undefined): readonly number[] {
  const { minimum = 0, maximum, exclusiveMinimum = false, exclusiveMaximum = false, multipleOf = 1 } = schema;
  const least = exclusiveMinimum ? minimum + 1 : minimum;
  const most = maximum === undefined ? Number.POSITIVE_INFINITY : exclusiveMaximum ? maximum - 1 : maximum;
  const around = current === undefined ? [1, 2] : [current + multipleOf, current - multipleOf];
  const limits = [least, ...(most <= least + LARGEST ? [most] : []), 0];
  return [...new Set([...around, ...limits])].filter(
    (each) => each >= least && each <= most && each % multipleOf === 0,
  );
}

/**
 * Returns a value of a schema: required fields only, and the first valid value of each. Returns undefined if the schema permits no value
 * that can be generated.
 */
export function leastValue(field: string, schema: StructuralSchema, depth = 0): unknown {
  if (schema.default !== undefined) return schema.default;
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema['x-kubernetes-int-or-string'] === true) return textsOf(field, schema)[0] ?? 1;
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
