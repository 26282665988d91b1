import type { RuleOptions } from '@kubewright/api';
import type { StructuralSchema } from '@kubewright/api/schema';
import { rawPlan } from './leaf-plan.js';
import type { PlannedOptions, ValuePlan } from './value-plan.js';
import { without } from './without.js';

/** Returns the keywords of a schema that are options of every field decorator: nullable, default, title, example, and externalDocs. */
export function sharedOptions({ nullable, title, example, externalDocs, ...rest }: StructuralSchema): PlannedOptions {
  return given({ nullable, default: rest.default, title, example, externalDocs });
}

/** Returns a schema without the keywords that `sharedOptions` returns. */
export function withoutShared(schema: StructuralSchema): StructuralSchema {
  return without(schema, 'nullable', 'title', 'example', 'externalDocs', 'default');
}

/** Returns the rules that the field of a value needs as `@Rule`. Returns none for objects, because their class has the rules. */
export function rulesBeside(value: ValuePlan, schema: StructuralSchema): readonly RuleOptions[] {
  const rules = (schema['x-kubernetes-validations'] ?? []) as readonly RuleOptions[];
  return value.form === 'object' || value.form === 'part' ? [] : rules;
}

/**
 * Returns the given plan of a value. If the default or the example does not match the type of a leaf value, returns a plan with
 * `Field.schema` instead.
 */
export function fitting(value: ValuePlan, schema: StructuralSchema): ValuePlan {
  const { example, default: fallback } = schema;
  const doFit = [example, fallback].every((each) => each === undefined || each === null || isOf(each, value));
  if (value.form !== 'leaf' || doFit) return value;
  return rawPlan(without(withoutShared(schema), 'description', 'x-kubernetes-validations'));
}

/** Reports whether the generated TypeScript type accepts a default or an example. Returns false for objects and maps. */
export function isOf(given: unknown, value: ValuePlan): boolean {
  if (value.form === 'list') return Array.isArray(given) && given.every((each) => isOf(each, value.item.value));
  if (value.form !== 'leaf') return false;
  if (value.decorator === 'enum') return (value.first as readonly unknown[]).includes(given);
  return value.type.split(' | ').some((type) => type === typeof given || type === String(given));
}

/** Returns options without undefined values. */
export function given(options: PlannedOptions): PlannedOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}
