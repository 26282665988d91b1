import { KubewrightError } from '../errors/kubewright-error.js';
import type { AnyClass } from '../metadata/any-class.js';
import type { ClassMetadata, OneOfRecord } from '../metadata/class-metadata.js';
import { escapeName } from '../cel/syntax/escape-name.js';
import type { StructuralSchema, ValidationRule } from '../schema/structural-schema.js';

/** Returns the CEL rules of a class itself, without the rules of its fields. */
export function classRules(metadata: ClassMetadata): readonly ValidationRule[] {
  return [...metadata.rules, ...metadata.oneOf.map(oneOfRule), ...immutableRules(metadata)];
}

/** Returns `schema` with additional CEL rules before its own rules: rules of a field precede the rules of its class. */
export function withRules(schema: StructuralSchema, rules: readonly ValidationRule[]): StructuralSchema {
  if (rules.length === 0) return schema;
  return { ...schema, 'x-kubernetes-validations': [...rules, ...(schema['x-kubernetes-validations'] ?? [])] };
}

/**
 * Validates that rules and one-of sets name only existing fields, and that the fields of one-of sets are optional. Also rejects rules on a
 * class that has neither decorated fields nor `@Schema`.
 * @throws KubewrightError INVALID_RULE
 */
export function checkRules(shape: AnyClass, metadata: ClassMetadata): void {
  const fields = Object.keys(metadata.fields);
  const fail = (what: string, remedy: string): never => {
    throw new KubewrightError('INVALID_RULE', `cannot load class ${shape.name}: ${what}; ${remedy}`);
  };
  const known =
    fields.length === 0 ? 'the class has no decorated fields' : `the fields of the class are ${fields.join(', ')}`;
  for (const field of Object.keys(metadata.fieldRules)) {
    if (!fields.includes(field)) {
      fail(
        `@Rule is on '${field}', which is not a field of the schema`,
        `add a @Field.… decorator to the field (${known})`,
      );
    }
  }
  for (const { keys } of metadata.oneOf) {
    for (const key of keys) {
      if (!fields.includes(key)) fail(`a one-of rule names '${key}', which is not a field of the schema`, known);
      else if (metadata.fields[key]?.options.optional !== true) {
        fail(`field '${key}' of a one-of rule is not optional`, `write '${key}?:' and { optional: true }`);
      }
    }
  }
  if (fields.length === 0 && metadata.schema === undefined && metadata.rules.length > 0) {
    fail('@Rule is on a class without decorated fields', 'add @Field.… to its fields, or remove the rule');
  }
}

function oneOfRule({ keys, count }: OneOfRecord): ValidationRule {
  const set = keys.map((key) => selected(key));
  const fields = `of the fields in [${keys.join(' ')}]`;
  if (count === 'at least one') return { rule: set.join('||'), message: `at least one ${fields} must be set` };
  const sum = set.map((each) => `(${each}?1:0)`).join('+');
  return count === 'exactly one'
    ? { rule: `${sum} == 1`, message: `exactly one ${fields} must be set` }
    : { rule: `${sum} <= 1`, message: `at most one ${fields} may be set` };
}

/**
 * Returns a rule of the class for each field that is optional and immutable. The rule prevents the removal of the field, because the API
 * server does not evaluate the rules of a removed field.
 */
function immutableRules(metadata: ClassMetadata): ValidationRule[] {
  return Object.entries(metadata.fields)
    .filter(([, { options }]) => options.immutable === true && options.optional === true)
    .map(([name]) => ({
      rule: `!${selected(name, 'oldSelf')} || ${selected(name)}`,
      message: `field ${name} is immutable once set`,
    }));
}

function selected(name: string, of = 'self'): string {
  return `has(${of}.${escapeName(name) ?? name})`;
}
