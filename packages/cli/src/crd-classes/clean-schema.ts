import { append } from '@kubewright/api/json';
import type { StructuralSchema } from '@kubewright/api/schema';

/** The keywords that the schema of a CustomResourceDefinition supports, in the order in which the generated code contains them. */
const KEYWORDS: readonly string[] =
  `type format enum nullable default example title description pattern minLength maxLength minimum exclusiveMinimum maximum
  exclusiveMaximum multipleOf minItems maxItems uniqueItems minProperties maxProperties x-kubernetes-list-type
  x-kubernetes-list-map-keys x-kubernetes-map-type x-kubernetes-int-or-string x-kubernetes-preserve-unknown-fields
  x-kubernetes-embedded-resource required properties additionalProperties items allOf anyOf oneOf not externalDocs
  x-kubernetes-validations`.split(/\s+/);
const RULE_KEYS = ['rule', 'message', 'messageExpression', 'reason', 'fieldPath', 'optionalOldSelf'];

/** The result of `cleanSchema`: the schema, and the unsupported keywords that were removed. */
export interface CleanSchema {
  readonly schema: StructuralSchema;
  /** The removed keywords with their paths, such as `.spec.size: 'x-order'`. */
  readonly unknown: readonly string[];
}

/**
 * Returns a schema with sorted keywords. Removes keywords that have no effect because the value is false or empty. Also removes keywords
 * that API servers do not support, and returns these keywords as `unknown`.
 */
export function cleanSchema(schema: StructuralSchema, path = ''): CleanSchema {
  const unknown: string[] = [];
  return { schema: cleaned(schema, path, unknown), unknown };
}

function cleaned(schema: StructuralSchema, path: string, unknown: string[]): StructuralSchema {
  const clean: Record<string, unknown> = {};
  const below = (each: StructuralSchema, at: string): StructuralSchema => cleaned(each, at, unknown);
  append(
    unknown,
    Object.keys(schema).flatMap((key) => (KEYWORDS.includes(key) ? [] : [`${path}: '${key}'`])),
  );
  for (const key of KEYWORDS) {
    const value = schema[key as keyof StructuralSchema];
    if (!hasNoEffect(key, value)) clean[key] = cleanKeyword(key, value, { path, below });
  }
  return clean;
}

function hasNoEffect(key: string, value: unknown): boolean {
  if (key === 'default' || key === 'example') return value === undefined;
  if (key === 'additionalProperties') return value === undefined;
  if (value === undefined || value === null || value === false || value === '') return true;
  if (key === 'properties') return Object.keys(value).length === 0;
  return Array.isArray(value) && value.length === 0;
}

function cleanKeyword(
  key: string,
  value: unknown,
  { path, below }: { path: string; below: (schema: StructuralSchema, at: string) => StructuralSchema },
): unknown {
  if (key === 'properties') {
    const properties = Object.entries(value as Readonly<Record<string, StructuralSchema>>);
    return Object.fromEntries(properties.map(([name, each]) => [name, below(each, `${path}.${name}`)]));
  }
  if (typeof value !== 'object' || value === null) return value;
  if (key === 'x-kubernetes-validations') return (value as readonly object[]).map((rule) => ordered(rule, RULE_KEYS));
  if (key === 'items') return below(value, `${path}[]`);
  if (key === 'additionalProperties') return below(value, `${path}.*`);
  if (key === 'not') return below(value, path);
  if (key === 'allOf' || key === 'anyOf' || key === 'oneOf') {
    return (value as readonly StructuralSchema[]).map((each) => below(each, path));
  }
  return value;
}

function ordered(value: object, keys: readonly string[]): object {
  const entries = Object.entries(value).filter(([, each]) => each !== undefined && each !== '' && each !== false);
  return Object.fromEntries(entries.toSorted(([a], [b]) => keys.indexOf(a) - keys.indexOf(b)));
}
