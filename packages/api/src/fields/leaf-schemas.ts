import type { StructuralSchema } from '../schema/structural-schema.js';
import { type Constraints, constraintsOf, emptyRange } from './constraints.js';
import type { IntOrStringOptions, NumberConstraints, NumberOptions, StringOptions } from './field-options.js';

/** The pattern of a quantity, as in Kubernetes schemas. */
const quantityPattern =
  '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$';
const intOrString: StructuralSchema = {
  anyOf: [{ type: 'integer' }, { type: 'string' }],
  'x-kubernetes-int-or-string': true,
};

/** A quantity such as `20Gi` or `500m`. */
export const quantitySchema: StructuralSchema = { ...intOrString, pattern: quantityPattern };
/** An RFC 3339 timestamp. */
export const dateTimeSchema: StructuralSchema = { type: 'string', format: 'date-time' };
/** A value of any type. Unknown fields are preserved. */
export const unknownSchema: StructuralSchema = { 'x-kubernetes-preserve-unknown-fields': true };
/** A complete object of any kind. */
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

/** Returns the schema of `Field.string`. */
export function stringSchema(options: StringOptions): StructuralSchema {
  return { type: 'string', ...constraintsOf(options) };
}

/** Returns the schema of `Field.int32`, `Field.int64` and `Field.double`. An int64 is limited to the safe integers of JavaScript. */
export function numberSchema(format: 'int32' | 'int64' | 'double', options: NumberOptions): StructuralSchema {
  const safe = format === 'int64' ? { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER } : {};
  return { type: format === 'double' ? 'number' : 'integer', format, ...safe, ...constraintsOf(options) };
}

/** Returns the schema of `Field.enum`. A mixture of numbers and strings is an int-or-string. */
export function enumSchema(values: readonly (string | number)[]): StructuralSchema {
  const numbers = values.filter((value) => typeof value === 'number');
  if (numbers.length === 0) return { type: 'string', enum: [...values] };
  if (numbers.length < values.length) return { ...intOrString, enum: [...values] };
  return { type: numbers.every(Number.isInteger) ? 'integer' : 'number', enum: [...values] };
}

/** Returns the schema of `Field.intOrString`. The string constraints apply only to strings. */
export function intOrStringSchema(options: IntOrStringOptions): StructuralSchema {
  return { ...intOrString, ...constraintsOf(options) };
}

/** Returns the error in a pattern, or undefined. The API server uses RE2, which has no lookaround and no backreferences. */
export function patternProblem(pattern: RegExp | string | undefined): string | undefined {
  if (pattern === undefined) return undefined;
  const parsed = parsePattern(pattern);
  if (typeof parsed === 'string') return parsed;
  if (parsed.flags !== '') {
    return `has a pattern with the flag '${parsed.flags}', but schemas do not support flags; write the pattern without flags`;
  }
  const [unknown] = /\(\?<?[=!]|\\[1-9]|\\k</.exec(parsed.source) ?? [];
  return unknown === undefined
    ? undefined
    : `has a pattern with '${unknown}', which the API server does not support; remove it, or use @Rule`;
}

function parsePattern(pattern: RegExp | string): RegExp | string {
  try {
    return new RegExp(pattern);
  } catch (error) {
    return `has a pattern that is not a regular expression (${(error as Error).message}); correct the pattern`;
  }
}

/** Returns the error in the constraints of the options, or undefined. */
export function constraintsProblem(options: Constraints, schema: StructuralSchema): string | undefined {
  return patternProblem(options.pattern) ?? numberProblem(options, schema) ?? emptyRange(schema);
}

function numberProblem(options: NumberConstraints, { type, format }: StructuralSchema): string | undefined {
  const limit = format === 'int32' ? 2 ** 31 - 1 : Number.MAX_SAFE_INTEGER;
  for (const name of ['minimum', 'maximum', 'multipleOf'] as const) {
    const bound = options[name];
    if (bound === undefined || type !== 'integer') continue;
    if (!Number.isInteger(bound))
      return `has ${name} ${bound}, which is not an integer; use Field.double or an integer`;
    if (bound > limit || bound < -limit - 1)
      return `has ${name} ${bound}, which is outside the range of ${format}; use a number within the range, or Field.string`;
  }
  if (options.exclusiveMinimum === true && options.minimum === undefined)
    return 'has exclusiveMinimum without minimum; set minimum';
  if (options.exclusiveMaximum === true && options.maximum === undefined)
    return 'has exclusiveMaximum without maximum; set maximum';
  if (options.multipleOf !== undefined && options.multipleOf <= 0)
    return `has multipleOf ${options.multipleOf}; use a number greater than 0`;
  return undefined;
}
