import { goJson } from './go-text.js';
import { sameJson } from './json-shape.js';
import type { StructuralSchema } from './structural-schema.js';
import { type FormatTest, textFormat } from './text-formats.js';

/** Precomputed data of a schema for validation. */
export interface CompiledSchema {
  /** The allowed types. Empty if any type is allowed. */
  readonly types: readonly string[];
  /** The format. '' if Kubernetes does not validate the format for this type. */
  readonly format: string;
  readonly formatTest: FormatTest | undefined;
  readonly properties: readonly (readonly [string, StructuralSchema])[];
  /** The values that the schema allows. Undefined if the schema has no enum. */
  readonly allowed: AllowedValues | undefined;
}

/**
 * The values of an enum. Finds a scalar in constant time, so validating a list of n items against an enum of n values takes linear time.
 */
export class AllowedValues {
  readonly #scalars: ReadonlySet<unknown>;
  readonly #others: readonly unknown[];
  /** The values as strings for an error. */
  readonly texts: readonly string[];

  constructor(values: readonly unknown[]) {
    this.#scalars = new Set(values.filter(isScalar).map(comparable));
    this.#others = values.filter((value) => !isScalar(value));
    this.texts = values.map((value) => (typeof value === 'string' ? value : goJson(value)));
  }

  /** Returns the number of enum values with which `has` compares the given value. */
  comparisons(value: unknown): number {
    return isScalar(value) ? 1 : this.#others.length;
  }

  has(value: unknown): boolean {
    if (isScalar(value)) return this.#scalars.has(comparable(value));
    return this.#others.some((other) => sameJson(other, value));
  }
}

function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}

/** Returns an equal number for a bigint that a number can represent exactly. Returns any other value unchanged. */
function comparable(value: unknown): unknown {
  if (typeof value !== 'bigint') return value;
  const number = Number(value);
  return Number.isFinite(number) && BigInt(number) === value ? number : value;
}

const compiled = new WeakMap<StructuralSchema, CompiledSchema>();

/** Returns the compiled form of a schema. Schemas are immutable, so the compiled form is cached per schema object. */
export function compileSchema(schema: StructuralSchema): CompiledSchema {
  const known = compiled.get(schema);
  if (known !== undefined) return known;
  const intOrString = schema['x-kubernetes-int-or-string'] === true;
  const types = intOrString
    ? ['integer', 'string']
    : schema.type === undefined || schema.type === ''
      ? []
      : [schema.type];
  const format = checkedFormat(schema.format ?? '', types);
  const made: CompiledSchema = {
    types,
    format,
    formatTest: format === '' ? undefined : textFormat(format),
    properties: Object.entries(schema.properties ?? {}),
    allowed: schema.enum === undefined || schema.enum.length === 0 ? undefined : new AllowedValues(schema.enum),
  };
  compiled.set(schema, made);
  return made;
}

function checkedFormat(format: string, types: readonly string[]): string {
  const [only] = types;
  if (types.length !== 1 || only === 'string') return textFormat(format) === undefined ? '' : format;
  if (only === 'integer') return format === 'int32' || format === 'int64' ? format : '';
  if (only === 'number') return format === 'float' || format === 'double' ? format : '';
  return '';
}
