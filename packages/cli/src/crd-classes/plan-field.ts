import { Field } from '@kubewright/api';
import type { StructuralSchema } from '@kubewright/api/schema';
import { canonical } from './canonical.js';
import { commentKeeps } from './comment-lines.js';
import type { Planning } from './planning.js';
import { fitting, given, isOf, rulesBeside, sharedOptions } from './shared-options.js';
import type { FieldPlan, ValuePlan } from './value-plan.js';
import { withoutDescriptions } from './map-schema.js';

/** The context of a field to plan. */
export interface FieldPlace {
  readonly words: readonly string[];
  readonly isRequired: boolean;
  readonly planning: Planning;
}

/** Plans the field that declares a property. */
export function planField(name: string, schema: StructuralSchema, place: FieldPlace): FieldPlan {
  const { words, isRequired, planning } = place;
  const { default: fallback, nullable, ...shared } = sharedOptions(schema);
  const isOptional = !isRequired && fallback === undefined;
  const isPlain = isOptional && nullable === undefined && Object.keys(shared).length === 0;
  const isInComment = commentKeeps(schema.description);
  const isStandard = isPlain && isInComment && schema.type === 'array' && isConditions(schema);
  const value: ValuePlan = isStandard ? { form: 'conditions' } : planning.valueOf(schema, { words, isItem: false });
  const description = isInComment ? undefined : schema.description;
  const options = { optional: isOptional ? true : undefined, description, nullable, ...shared };
  const comment = isInComment ? schema.description : undefined;
  const common = { name, description: comment, rules: rulesBeside(value, schema) };
  if (fallback === undefined) return { ...common, value: fitting(value, schema), options: given(options) };
  if (fallback === null ? nullable === true : isOf(fallback, value)) {
    return { ...common, value: fitting(value, schema), options: given(options), initialiser: { value: fallback } };
  }
  return { ...common, value: fitting(value, schema), options: given({ ...options, default: fallback }) };
}

function isConditions(schema: StructuralSchema): boolean {
  return canonical(withoutDescriptions(schema)) === canonical(Field.conditions().schema);
}
