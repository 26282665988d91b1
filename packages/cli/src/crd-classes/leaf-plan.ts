import { Field } from '@kubewright/api';
import { patternProblem, type StructuralSchema } from '@kubewright/api/schema';
import { canonical } from './canonical.js';
import { patternLiteral, quoted } from './literal.js';
import type { LeafPlan, PlannedOptions } from './value-plan.js';

/** A planned decorator, and the schema (`says`) that the decorator generates. */
interface Candidate {
  readonly plan: LeafPlan;
  readonly says: StructuralSchema;
}

/**
 * Plans a value without fields of its own. Uses the decorator that generates exactly this schema; if there is none, uses `Field.schema`.
 */
export function leafPlan(schema: StructuralSchema): LeafPlan {
  const desired = canonical(schema);
  const exact = candidatesFor(schema).find(({ says }) => canonical(says) === desired);
  return exact?.plan ?? rawPlan(schema);
}

/** Plans a value with `Field.schema`, which contains the schema literally. */
export function rawPlan(schema: StructuralSchema): LeafPlan {
  return { form: 'leaf', decorator: 'schema', first: schema, options: {}, type: rawType(schema) };
}

function candidatesFor(schema: StructuralSchema): readonly Candidate[] {
  if (schema.enum !== undefined) return choice(schema);
  if (schema['x-kubernetes-int-or-string'] === true) return intOrString(schema);
  switch (schema.type) {
    case 'string':
      return texts(schema);
    case 'integer':
    case 'number':
      return numbers(schema);
    case 'boolean':
      return [candidate('boolean', 'boolean', Field.boolean())];
    case 'object':
      return [candidate('embedded', 'KubeObject', Field.embedded())];
    case undefined:
      return [candidate('unknown', 'unknown', Field.unknown())];
    default:
      return [];
  }
}

function texts(schema: StructuralSchema): readonly Candidate[] {
  const { minLength, maxLength, format, pattern } = schema;
  if (patternProblem(pattern) !== undefined) return [];
  type Format = 'uri';
  const limits = defined({ minLength, maxLength });
  const fieldOptions = { ...limits, ...defined({ pattern, format: format as Format | undefined }) };
  const written = defined({ format, minLength, maxLength, pattern: pattern && patternLiteral(pattern) });
  const plain = formats.has(format ?? '') ? [candidate('string', 'string', Field.string(fieldOptions), written)] : [];
  return [candidate('dateTime', 'string', Field.dateTime()), ...plain];
}

/** Returns `Field.enum` if all members are strings or numbers without duplicates, and no candidate otherwise. */
function choice({ enum: members = [] }: StructuralSchema): readonly Candidate[] {
  const known = members.filter((each) => typeof each === 'string' || typeof each === 'number');
  if (known.length < members.length || new Set(known).size < known.length) return [];
  const type = known.map((each) => (typeof each === 'string' ? quoted(each) : String(each))).join(' | ');
  const { plan, says } = candidate('enum', type, Field.enum(known));
  return [{ plan: { ...plan, first: known }, says }];
}

/** The formats that `Field.string` accepts. The empty string represents a schema without a format. */
const formats = new Set([
  '',
  ...`bsonobjectid byte cidr creditcard date duration email hexcolor hostname ipv4 ipv6 isbn isbn10 isbn13 k8s-long-name
  k8s-short-name mac password rgbcolor ssn uri uuid uuid3 uuid4 uuid5`.split(/\s+/),
]);

function numbers({ format, ...schema }: StructuralSchema): readonly Candidate[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const options = defined({ minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf });
  if (minimum !== undefined && maximum !== undefined && minimum > maximum) return [];
  if (format === 'double') return [candidate('double', 'number', Field.double(options), options)];
  const limit = format === 'int32' ? 2 ** 31 - 1 : Number.MAX_SAFE_INTEGER;
  const isBound = (bound = 0) => Number.isInteger(bound) && bound <= limit && bound >= -limit - 1;
  if (!isBound(minimum) || !isBound(maximum)) return [];
  if (format === 'int32') return [candidate('int32', 'number', Field.int32(options), options)];
  const { minimum: _, maximum: __, ...open } = options;
  return [
    candidate('int64', 'number', Field.int64(open), open),
    candidate('int64', 'number', Field.int64(options), options),
  ];
}

function intOrString({ pattern, minLength, maxLength }: StructuralSchema): readonly Candidate[] {
  const quantity = candidate('quantity', 'string', Field.quantity());
  if (patternProblem(pattern) !== undefined) return [quantity];
  const fieldOptions = defined({ pattern, minLength, maxLength });
  const written = defined({ minLength, maxLength, pattern: pattern && patternLiteral(pattern) });
  return [quantity, candidate('intOrString', 'string | number', Field.intOrString(fieldOptions), written)];
}

function candidate(
  decorator: string,
  type: string,
  ...[{ schema: says }, options = {}]: [field: { readonly schema: StructuralSchema }, options?: PlannedOptions]
): Candidate {
  return { plan: { form: 'leaf', decorator, options, type }, says };
}

/** Returns the TypeScript type that `SchemaValue` derives from the schema. */
function rawType(schema: StructuralSchema): string {
  const { type, enum: members, items, additionalProperties } = schema;
  if (schema['x-kubernetes-int-or-string'] === true) return 'string | number';
  if (members?.every((each) => ['string', 'number', 'boolean'].includes(typeof each)) === true) {
    return members.map((each) => (typeof each === 'string' ? quoted(each) : String(each))).join(' | ');
  }
  if (type === 'integer' || type === 'number') return 'number';
  if (type === 'string' || type === 'boolean') return type;
  if (type === 'array' && items !== undefined) {
    const item = rawType(items);
    return item.includes('|') ? `(${item})[]` : `${item}[]`;
  }
  if (type !== 'object') return 'unknown';
  const value = typeof additionalProperties === 'object' ? rawType(additionalProperties) : 'unknown';
  return `Record<string, ${value}>`;
}

function defined<T extends object>(options: T): { readonly [K in keyof T]: Exclude<T[K], undefined> } {
  const entries = Object.entries(options).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { readonly [K in keyof T]: Exclude<T[K], undefined> };
}
