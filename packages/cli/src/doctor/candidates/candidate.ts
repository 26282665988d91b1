import { AdmissionCompiler, checkExpressions } from '@kubewright/api/cel';
import type { StructuralSchema, ValidationRule } from '@kubewright/api/schema';
import { conditionText } from './condition-text.js';
import { type Condition, isFalse, not } from './condition.js';
import { NotTranslatable } from './not-translatable.js';
import { type Shape, shapeOfKind } from './shape.js';
import type { Translated } from './translated.js';
import type { ValidatorClass } from './validator-source.js';
import {
  kindRuleValues,
  OLD_EXISTS,
  policyValues,
  replaced,
  specRuleValues,
  type ValidatorValues,
} from './validator-values.js';
import { type TranslatedViolation, violationsOf } from './violation-translation.js';

/** A CEL rule that rejects an object if and only if the validator returns the violation. */
export interface EquivalentRule {
  /** The expression that is true for valid objects. */
  readonly rule: string;
  readonly message: string;
  /** The reason of a rule of a kind. Undefined for the default reason. */
  readonly reason?: string;
  /** The field that a rule of a kind reports. */
  readonly fieldPath?: string;
}

/** The CEL rules that can replace a validator. */
export interface Candidate {
  /** Where the rules can be declared: on the class of the spec, on the class of the kind, or in a policy. */
  readonly place: 'spec' | 'kind' | 'policy';
  readonly rules: readonly EquivalentRule[];
}

/** A validator, the schema of its kind, and the requests that the API server sends to the validator. */
export interface CandidateSubject {
  readonly validator: Pick<ValidatorClass, 'decorator' | 'method' | 'translation'>;
  readonly schema: StructuralSchema;
  /** The operations of the webhook. */
  readonly operations: readonly string[];
  /**
   * Whether the API server sends all objects of the kind to the validator, in this version. If false, the validator cannot become rules of
   * the kind, because these rules would apply to more objects.
   */
  readonly isForAll: boolean;
}

/**
 * Returns the rules that are equivalent to a validator: rules of the kind if possible, and otherwise the rules of a policy. The rules give
 * the same verdict as the validator for each object that matches the schema. Returns undefined if CEL cannot express the validator, or if
 * the webhook handles other operations than CREATE and UPDATE.
 */
export function candidateOf(subject: CandidateSubject): Candidate | undefined {
  const { schema, operations } = subject;
  const shape = shapeOfKind(schema);
  const isKnown = operations.length > 0 && operations.every((each) => each === 'CREATE' || each === 'UPDATE');
  if (!isKnown) return undefined;
  const policy = translated(subject, policyValues(shape, operations));
  if (policy === undefined || policy.length === 0) return undefined;
  if (subject.isForAll && operations.length === 2) {
    const ofKind = ruleOfKind(subject, shape);
    if (ofKind !== undefined) return ofKind;
  }
  const rules = policy.map(({ condition, field, message }) => ({
    rule: textOf(not(condition)),
    message: oneLine(field === '' ? message : `${field}: ${message}`),
  }));
  return rules.every(({ rule }) => compilesInPolicy(rule)) ? { place: 'policy', rules } : undefined;
}

function ruleOfKind(subject: CandidateSubject, shape: Shape): Candidate | undefined {
  const places = [
    { place: 'spec', values: specRuleValues(shape), prefix: 'spec' },
    { place: 'kind', values: kindRuleValues(shape), prefix: '' },
  ] as const;
  for (const { place, values, prefix } of places) {
    const violations = values === undefined ? undefined : translated(subject, values);
    const rules = violations?.map((violation) => kindRule(violation, prefix));
    if (rules === undefined || rules.includes(undefined)) continue;
    const known = rules.flatMap((rule) => rule ?? []);
    if (compilesInSchema(subject.schema, place, known)) return { place, rules: known };
  }
  return undefined;
}

function translated(
  { validator: { decorator, method, translation } }: CandidateSubject,
  values: ValidatorValues,
): readonly TranslatedViolation[] | undefined {
  try {
    const parameters = parametersOf(decorator, values);
    const found = violationsOf({ method, parameters, translation, path: { kind: 'constant', value: true } });
    return found.filter(({ condition }) => !isFalse(condition));
  } catch (error) {
    if (error instanceof NotTranslatable) return undefined;
    throw error;
  }
}

function parametersOf(decorator: ValidatorClass['decorator'], values: ValidatorValues): readonly Translated[] {
  const { object, old, context = NOTHING } = values;
  if (decorator === 'Validator') return [object, old, context];
  const members = context.kind === 'members' ? context.members : [];
  return [{ ...NOTHING, members: new Map([...members, ['object', object], ['old', old]]) }];
}

const NOTHING: Extract<Translated, { kind: 'members' }> = {
  kind: 'members',
  members: new Map(),
  defined: { kind: 'constant', value: true },
};

/** The reasons of rules of a kind. */
const REASONS = ['FieldValueInvalid', 'FieldValueForbidden', 'FieldValueRequired', 'FieldValueDuplicate'];

/**
 * Converts a violation to a rule of a kind. The API server does not evaluate a rule that reads `oldSelf` for new objects. Therefore,
 * returns undefined if such a rule would have to reject new objects, or if a rule without `oldSelf` would differ between creations and
 * updates.
 */
function kindRule(
  { condition, field, message, reason }: TranslatedViolation,
  prefix: string,
): EquivalentRule | undefined {
  const onUpdate = replaced(condition, OLD_EXISTS, true);
  const onCreate = replaced(condition, OLD_EXISTS, false);
  const rule = textOf(not(onUpdate));
  const readsOld = /\boldSelf\b/.test(withoutTexts(rule));
  const isSame = readsOld ? isFalse(onCreate) : textOf(not(onCreate)) === rule;
  if (!isSame) return undefined;
  const path = prefix === '' ? `.${field}` : field.replace(/^spec/, '');
  const hasPath = /^spec(?:\.\w+)*$/.test(field) && path !== '';
  const isKnown = reason !== undefined && reason !== 'FieldValueInvalid' && REASONS.includes(reason);
  return { rule, message: oneLine(message), ...(isKnown && { reason }), ...(hasPath && { fieldPath: path }) };
}

/** Replaces line breaks with spaces, because messages of rules and policies must not contain line breaks. */
function oneLine(message: string): string {
  return message.replace(/\s*\n\s*/g, ' ');
}
function withoutTexts(rule: string): string {
  return rule.replace(/'(?:[^'\\]|\\.)*'/g, "''");
}
function textOf(condition: Condition): string {
  return conditionText(condition).text;
}

function compilesInPolicy(rule: string): boolean {
  return new AdmissionCompiler().compile(rule, 'condition').error === undefined;
}

/**
 * Reports whether the API server accepts a definition with the rules. Checks the types, and the estimated cost with the limits of the
 * schema.
 */
function compilesInSchema(schema: StructuralSchema, place: 'spec' | 'kind', rules: readonly ValidationRule[]): boolean {
  if (place === 'kind') return checkExpressions(withRules(schema, rules), '').length === 0;
  const spec = schema.properties?.['spec'];
  if (spec === undefined) return false;
  const changed = { ...schema, properties: { ...schema.properties, spec: withRules(spec, rules) } };
  return checkExpressions(changed, '').length === 0;
}

function withRules(schema: StructuralSchema, rules: readonly ValidationRule[]): StructuralSchema {
  return { ...schema, 'x-kubernetes-validations': [...(schema['x-kubernetes-validations'] ?? []), ...rules] };
}
