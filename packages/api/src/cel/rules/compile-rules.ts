import { ruleFieldPath } from '../../schema/rule-field-path.js';
import type { StructuralSchema, ValidationRule } from '../../schema/structural-schema.js';
import { type CelType, optionalOf } from '../values/cel-type.js';
import { compileExpression, type CompiledExpression } from '../evaluate/compile-expression.js';
import { type DeclaredType, declareType, LARGEST_REQUEST, objectFields } from '../check/declared-type.js';
import type { FunctionTable } from '../check/environment.js';
import { estimateCost } from '../cost/estimate-cost.js';
import { PlanError } from '../evaluate/plan-error.js';

/** A rule that was compiled, or what is wrong with it. */
export interface CompiledRule {
  readonly rule: ValidationRule;
  /** What is wrong with the expression; it is not evaluated then. */
  readonly error?: string;
  readonly expression?: CompiledExpression;
  readonly message?: CompiledExpression;
  readonly messageError?: string;
  readonly usesOldSelf: boolean;
  /** The field to blame, below that of the schema; '' for that itself. */
  readonly fieldPath: string;
  /** What one evaluation may cost at most. */
  readonly maxCost: number;
  readonly messageMaxCost: number;
}

/** What rules of a schema are compiled for. */
export interface RuleSubject {
  readonly schema: StructuralSchema;
  readonly declared: DeclaredType;
  readonly functions: FunctionTable;
  readonly objects: ReadonlyMap<string, ReadonlyMap<string, CelType>>;
  /** How often a rule may have to be evaluated if nothing bounds that. */
  readonly maxCardinality: number;
}

/** Returns what the rules of a schema are compiled for. Undefined if expressions cannot reach its values. */
export function ruleSubject(
  schema: StructuralSchema,
  { root, functions }: { readonly root: boolean; readonly functions: FunctionTable },
): RuleSubject | undefined {
  // The name is different each time, so that nobody relies on it.
  const declared = declareType(schema, `selfType${process.hrtime.bigint() % 1_000_000_000n}`, root);
  if (declared === undefined) return undefined;
  const maxCardinality = Math.floor(LARGEST_REQUEST / (declared.minBytes + 1));
  return { schema, declared, functions, objects: objectFields(declared), maxCardinality };
}

/** Compiles a rule of a schema. */
export function compileRule(rule: ValidationRule, subject: RuleSubject): CompiledRule {
  const unusable = { rule, usesOldSelf: false, fieldPath: '', maxCost: 0, messageMaxCost: 0 };
  const compiled = compile(rule.rule, rule, subject);
  if ('errors' in compiled) {
    const { instantiation } = compiled;
    return {
      ...unusable,
      error: `${instantiation ? 'program instantiation' : 'compilation'} failed: ${compiled.errors}`,
    };
  }
  const { expression, maxCost } = compiled;
  if (expression.type.kind !== 'bool') return { ...unusable, error: 'cel expression must evaluate to a bool' };
  return {
    rule,
    expression,
    usesOldSelf: expression.uses('oldSelf'),
    fieldPath: rule.fieldPath === undefined ? '' : (ruleFieldPath(rule.fieldPath, subject.schema) ?? ''),
    maxCost,
    messageMaxCost: 0,
    ...compileMessage(rule, subject),
  };
}

function compileMessage(
  rule: ValidationRule,
  subject: RuleSubject,
): Pick<CompiledRule, 'message' | 'messageMaxCost'> | Pick<CompiledRule, 'messageError'> {
  if (!rule.messageExpression) return {};
  const compiled = compile(rule.messageExpression, rule, subject);
  if ('errors' in compiled) {
    const { instantiation } = compiled;
    const what = instantiation ? 'messageExpression instantiation' : 'messageExpression compilation';
    return { messageError: `${what} failed: ${compiled.errors}` };
  }
  const { expression, maxCost } = compiled;
  if (expression.type.kind !== 'string') return { messageError: 'messageExpression must evaluate to a string' };
  return { message: expression, messageMaxCost: maxCost };
}

type Attempt =
  | { readonly expression: CompiledExpression; readonly maxCost: number }
  | { readonly errors: string; readonly instantiation?: boolean };

function compile(source: string, rule: ValidationRule, { declared, functions, objects }: RuleSubject): Attempt {
  const oldSelf = rule.optionalOldSelf === true ? optionalOf(declared.type) : declared.type;
  const variables = new Map([
    ['self', declared.type],
    ['oldSelf', oldSelf],
  ]);
  try {
    const compilation = compileExpression(source, { functions, variables, objects });
    if ('errors' in compilation) return compilation;
    const { compiled } = compilation;
    return { expression: compiled, maxCost: estimateCost(compiled.checked, declared).max };
  } catch (error) {
    if (!(error instanceof PlanError)) throw error;
    return { errors: error.message, instantiation: true };
  }
}
