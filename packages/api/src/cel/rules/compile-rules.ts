import { ruleFieldPath } from '../../schema/rule-field-path.js';
import type { ExpressionIssue } from '../../schema/field-error.js';
import type { StructuralSchema, ValidationRule } from '../../schema/structural-schema.js';
import { type CelType, optionalOf } from '../values/cel-type.js';
import { compileExpression, type CompiledExpression } from '../evaluate/compile-expression.js';
import { type DeclaredType, declareType, LARGEST_REQUEST, objectFields } from '../check/declared-type.js';
import type { FunctionTable } from '../check/environment.js';
import { estimateCost } from '../cost/estimate-cost.js';
import type { ExpressionErrors } from '../syntax/source-issues.js';
import { PlanError } from '../evaluate/plan-error.js';

/** The error in an expression: the complete message, and the individual errors that have a position in the expression. */
export interface ExpressionFault {
  readonly detail: string;
  readonly issues: readonly ExpressionIssue[];
}

/** A compiled rule, or its errors. */
export interface CompiledRule {
  readonly rule: ValidationRule;
  /** The error in the expression. A rule with an error is not evaluated. */
  readonly error?: ExpressionFault;
  readonly expression?: CompiledExpression;
  readonly message?: CompiledExpression;
  readonly messageError?: ExpressionFault;
  readonly usesOldSelf: boolean;
  /** The field that errors report, relative to the field of the schema. '' represents the field of the schema itself. */
  readonly fieldPath: string;
  /** The maximum cost of one evaluation. */
  readonly maxCost: number;
  readonly messageMaxCost: number;
}

/** The data for compiling the rules of a schema. */
export interface RuleSubject {
  readonly schema: StructuralSchema;
  readonly declared: DeclaredType;
  readonly functions: FunctionTable;
  readonly objects: ReadonlyMap<string, ReadonlyMap<string, CelType>>;
  /** The maximum number of evaluations of a rule if the schema has no bounds. */
  readonly maxCardinality: number;
}

/** Returns the data for compiling the rules of a schema. Returns undefined if expressions cannot reach the values of the schema. */
export function ruleSubject(
  schema: StructuralSchema,
  { root, functions }: { readonly root: boolean; readonly functions: FunctionTable },
): RuleSubject | undefined {
  // The name of the type is different in each call, so that rules cannot depend on the name.
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
    return { ...unusable, error: failed(compiled.instantiation ? 'program instantiation' : 'compilation', compiled) };
  }
  const { expression, maxCost } = compiled;
  if (expression.type.kind !== 'bool') {
    return { ...unusable, error: { detail: 'cel expression must evaluate to a bool', issues: [] } };
  }
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
    return { messageError: failed(what, compiled) };
  }
  const { expression, maxCost } = compiled;
  if (expression.type.kind !== 'string') {
    return { messageError: { detail: 'messageExpression must evaluate to a string', issues: [] } };
  }
  return { message: expression, messageMaxCost: maxCost };
}

type Attempt =
  | { readonly expression: CompiledExpression; readonly maxCost: number }
  | (ExpressionErrors & { readonly instantiation?: boolean });

function failed(what: string, { errors, issues }: ExpressionErrors): ExpressionFault {
  return { detail: `${what} failed: ${errors}`, issues };
}

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
    return { errors: error.message, issues: [], instantiation: true };
  }
}
