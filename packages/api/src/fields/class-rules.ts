import { KubewrightError } from '../errors/kubewright-error.js';
import type { AnyClass } from '../metadata/any-class.js';
import type { ClassMetadata, OneOfRecord } from '../metadata/class-metadata.js';
import type { StructuralSchema, ValidationRule } from '../schema/structural-schema.js';

/** The CEL rules that stand on a class itself. */
export function classRules(metadata: ClassMetadata): readonly ValidationRule[] {
  return [...metadata.rules, ...metadata.oneOf.map(oneOfRule), ...immutableRules(metadata)];
}

/** `schema` with more CEL rules. */
export function withRules(schema: StructuralSchema, rules: readonly ValidationRule[]): StructuralSchema {
  if (rules.length === 0) return schema;
  return { ...schema, 'x-kubernetes-validations': [...(schema['x-kubernetes-validations'] ?? []), ...rules] };
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

function oneOfRule({ keys, exactly }: OneOfRecord): ValidationRule {
  const set = keys.map((key) => `has(self.${key})`).join(',');
  return {
    rule: `[${set}].filter(x,x==true).size() ${exactly ? '==' : '<='} 1`,
    message: `${exactly ? 'exactly' : 'at most'} one of the fields in [${keys.join(' ')}] ${exactly ? 'must' : 'may'} be set`,
  };
}

/** A rule on an optional field is not evaluated when the field goes away, so its class has to say that it stays. */
function immutableRules(metadata: ClassMetadata): ValidationRule[] {
  return Object.entries(metadata.fields)
    .filter(([, { options }]) => options.immutable === true && options.optional === true)
    .map(([name]) => ({ rule: `!has(oldSelf.${name}) || has(self.${name})`, message: `${name} is immutable` }));
}
