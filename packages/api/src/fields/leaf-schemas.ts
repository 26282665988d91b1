import type { StructuralSchema } from '../schema/structural-schema.js';
import type { NumberOptions, StringOptions } from './field-options.js';

/** Text of a decimal or binary amount, as Kubernetes writes it in a schema. */
const quantityPattern =
  '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$';
const intOrString: StructuralSchema = {
  anyOf: [{ type: 'integer' }, { type: 'string' }],
  'x-kubernetes-int-or-string': true,
};

/** An amount such as `20Gi` or `500m`. */
export const quantitySchema: StructuralSchema = { ...intOrString, pattern: quantityPattern };
/** RFC 3339. */
export const dateTimeSchema: StructuralSchema = { type: 'string', format: 'date-time' };
/** Anything, kept. */
export const unknownSchema: StructuralSchema = { 'x-kubernetes-preserve-unknown-fields': true };
/** A whole object of any kind. */
export const embeddedSchema: StructuralSchema = {
  type: 'object',
  'x-kubernetes-embedded-resource': true,
  'x-kubernetes-preserve-unknown-fields': true,
};
/** The standard list of conditions. */
export const conditionsSchema: StructuralSchema = {
  type: 'array',
  items: {
    type: 'object',
    required: ['lastTransitionTime', 'message', 'reason', 'status', 'type'],
    properties: {
      lastTransitionTime: { type: 'string', format: 'date-time' },
      message: { type: 'string', maxLength: 32768 },
      observedGeneration: { type: 'integer', format: 'int64', minimum: 0 },
      reason: { type: 'string', minLength: 1, maxLength: 1024, pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$' },
      status: { type: 'string', enum: ['True', 'False', 'Unknown'] },
      type: {
        type: 'string',
        maxLength: 316,
        pattern:
          '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$',
      },
    },
  },
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['type'],
};

/** The schema of `Field.string`. */
export function stringSchema({ minLength, maxLength, pattern, format }: StringOptions): StructuralSchema {
  return {
    type: 'string',
    ...(format === undefined ? {} : { format }),
    ...(minLength === undefined ? {} : { minLength }),
    ...(maxLength === undefined ? {} : { maxLength }),
    ...(pattern === undefined ? {} : { pattern: patternText(pattern) }),
  };
}

/** The schema of `Field.int32`, `Field.int64` and `Field.double`. An int64 is held to what a JavaScript number can hold. */
export function numberSchema(format: 'int32' | 'int64' | 'double', options: NumberOptions): StructuralSchema {
  const { exclusiveMinimum, exclusiveMaximum, multipleOf } = options;
  const safe = format === 'int64';
  const minimum = options.minimum ?? (safe ? Number.MIN_SAFE_INTEGER : undefined);
  const maximum = options.maximum ?? (safe ? Number.MAX_SAFE_INTEGER : undefined);
  return {
    type: format === 'double' ? 'number' : 'integer',
    format,
    ...(minimum === undefined ? {} : { minimum }),
    ...(maximum === undefined ? {} : { maximum }),
    ...(exclusiveMinimum === undefined ? {} : { exclusiveMinimum }),
    ...(exclusiveMaximum === undefined ? {} : { exclusiveMaximum }),
    ...(multipleOf === undefined ? {} : { multipleOf }),
  };
}

/** The schema of `Field.intOrString`; the pattern holds for strings. */
export function intOrStringSchema(pattern: RegExp | undefined): StructuralSchema {
  return { ...intOrString, ...(pattern === undefined ? {} : { pattern: pattern.source }) };
}

function patternText(pattern: RegExp | string): string {
  return typeof pattern === 'string' ? pattern : pattern.source;
}

/** What is wrong with a pattern, or undefined. The API server matches with RE2, which has no look-around and no back-reference. */
export function patternMistake(pattern: RegExp | string | undefined): string | undefined {
  if (pattern === undefined) return undefined;
  const parsed = parsePattern(pattern);
  if (typeof parsed === 'string') return parsed;
  if (parsed.flags !== '') {
    return `has a pattern with the flag '${parsed.flags}', which a schema cannot say; write the pattern without flags`;
  }
  const [unknown] = /\(\?<?[=!]|\\[1-9]|\\k</.exec(parsed.source) ?? [];
  return unknown === undefined
    ? undefined
    : `has a pattern with '${unknown}', which the API server does not understand; write it without, or use @Rule`;
}

function parsePattern(pattern: RegExp | string): RegExp | string {
  try {
    return new RegExp(pattern);
  } catch (error) {
    return `has a pattern that is not a regular expression (${(error as Error).message}); mend the pattern`;
  }
}

/** What is wrong with the bounds of a number, or undefined. */
export function boundsMistake(format: 'int32' | 'int64' | 'double', options: NumberOptions): string | undefined {
  const limit = format === 'int32' ? 2 ** 31 - 1 : Number.MAX_SAFE_INTEGER;
  for (const name of ['minimum', 'maximum'] as const) {
    const bound = options[name];
    if (bound === undefined || format === 'double') continue;
    if (!Number.isInteger(bound))
      return `has ${name} ${bound}, which is not an integer; use Field.double, or a whole number`;
    if (bound > limit || bound < -limit - 1)
      return `has ${name} ${bound}, which is beyond ${format}; take it nearer to 0, or use Field.string`;
  }
  const { minimum, maximum } = options;
  if (minimum !== undefined && maximum !== undefined && minimum > maximum)
    return `has minimum ${minimum} above maximum ${maximum}; swap them`;
  return undefined;
}
