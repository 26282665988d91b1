import type { RuleOptions } from '@kubewright/api';
import type { StructuralSchema } from '@kubewright/api/schema';
import { rawPlan } from './leaf-plan.js';
import type { PlannedOptions, ValuePlan } from './value-plan.js';
import { without } from './without.js';

/** What every field can say, of what a schema says. Rules are not among it. */
export function sharedOptions({ nullable, title, example, externalDocs, ...rest }: StructuralSchema): PlannedOptions {
  return given({ nullable, default: rest.default, title, example, externalDocs });
}

/** A schema without what every field can say; its description and its rules stay. */
export function withoutShared(schema: StructuralSchema): StructuralSchema {
  return without(schema, 'nullable', 'title', 'example', 'externalDocs', 'default');
}

/** The rules of a value that its class does not have. */
export function rulesBeside(value: ValuePlan, schema: StructuralSchema): readonly RuleOptions[] {
  const rules = (schema['x-kubernetes-validations'] ?? []) as readonly RuleOptions[];
  return value.form === 'object' || value.form === 'part' ? [] : rules;
}

/** The value, or where its default or its example is of another type than its values, one that takes any. */
export function fitting(value: ValuePlan, schema: StructuralSchema): ValuePlan {
  const { example, default: fallback } = schema;
  const doFit = [example, fallback].every((each) => each === undefined || each === null || isOf(each, value));
  if (value.form !== 'leaf' || doFit) return value;
  return rawPlan(without(withoutShared(schema), 'description', 'x-kubernetes-validations'));
}

/** Whether a default or an example can be one of these values, as far as can be told. */
export function isOf(given: unknown, value: ValuePlan): boolean {
  if (value.form === 'list') return Array.isArray(given) && given.every((each) => isOf(each, value.item.value));
  if (value.form !== 'leaf') return false;
  if (value.decorator === 'enum') return (value.first as readonly unknown[]).includes(given);
  return value.type.split(' | ').some((type) => type === typeof given || type === String(given));
}

/** Options without those that are undefined. */
export function given(options: PlannedOptions): PlannedOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}
