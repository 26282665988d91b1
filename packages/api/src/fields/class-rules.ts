import { KubewrightError } from '../errors/kubewright-error.js';
import type { AnyClass } from '../metadata/any-class.js';
import type { ClassMetadata, OneOfRecord } from '../metadata/class-metadata.js';
import { escapeName } from '../cel/syntax/escape-name.js';
import type { StructuralSchema, ValidationRule } from '../schema/structural-schema.js';

/** The CEL rules that stand on a class itself. */
export function classRules(metadata: ClassMetadata): readonly ValidationRule[] {
  return [...metadata.rules, ...metadata.oneOf.map(oneOfRule), ...immutableRules(metadata)];
}

/** `schema` with more CEL rules, before those that it has: what is said of a field comes before what is said of its class. */
export function withRules(schema: StructuralSchema, rules: readonly ValidationRule[]): StructuralSchema {
  if (rules.length === 0) return schema;
  return { ...schema, 'x-kubernetes-validations': [...rules, ...(schema['x-kubernetes-validations'] ?? [])] };
}

/**
 * Refuses rules and one-of sets that name fields which are not there.
 * @throws KubewrightError INVALID_RULE
 */
export function checkRules(shape: AnyClass, metadata: ClassMetadata): void {
  const fields = Object.keys(metadata.fields);
  const fail = (what: string, cure: string): never => {
    throw new KubewrightError('INVALID_RULE', `cannot load class ${shape.name}: ${what}; ${cure}`);
  };
  const known = fields.length === 0 ? 'it has no decorated field' : `its fields are ${fields.join(', ')}`;
  for (const field of Object.keys(metadata.fieldRules)) {
    if (!fields.includes(field)) {
      fail(
        `@Rule stands on '${field}', which is no field of the schema`,
        `put a decorator of Field on it too (${known})`,
      );
    }
  }
  for (const { keys } of metadata.oneOf) {
    for (const key of keys) {
      if (!fields.includes(key)) fail(`no field '${key}' to choose from`, known);
      else if (metadata.fields[key]?.options.optional !== true) {
        fail(`field '${key}' is one of several but always there`, `write '${key}?:' and { optional: true }`);
      }
    }
  }
  if (fields.length === 0 && metadata.schema === undefined && metadata.rules.length > 0) {
    fail('@Rule stands on a class without fields', 'put decorators of Field on its fields, or take the rule away');
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

/** A rule on an optional field is not evaluated when the field goes away, so its class has to say that it stays. */
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
