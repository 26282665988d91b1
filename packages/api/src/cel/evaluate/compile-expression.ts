import { CelError, CostExceeded } from '../values/cel-error.js';
import type { CelType } from '../values/cel-type.js';
import { celTypes } from '../values/cel-type.js';
import type { CelValue } from '../values/cel-value.js';
import { check, type CheckedExpression } from '../check/check.js';
import type { Environment } from '../check/environment.js';
import { type EvaluationLimits, Frame } from './frame.js';
import { parse } from '../syntax/parser.js';
import { plan } from './plan.js';
import { type ExpressionErrors, expressionErrors } from '../syntax/source-issues.js';
import { literalIssues } from '../check/validate-literals.js';

/** The result and the cost of an evaluation. */
export interface Outcome {
  /** The value, or an error. */
  readonly value: CelValue;
  readonly cost: number;
  /** A measure of the duration of the evaluation: the cost, plus the work passed to `Frame.announce` if `limits.nowMs` is set. */
  readonly effort: number;
  /** Whether the evaluation was stopped because it exceeded the cost limit. */
  readonly exceeded: boolean;
}

/** A parsed, type-checked and compiled expression. */
export interface CompiledExpression {
  readonly type: CelType;
  readonly checked: CheckedExpression;
  /** Whether the expression refers to the variable. */
  uses(variable: string): boolean;
  /**
   * Evaluates the expression with the values of the variables, in the order of the environment.
   * @throws TakesLong if `limits.nowMs` is set and the evaluation takes too long
   */
  evaluate(values: readonly CelValue[], limits?: EvaluationLimits): Outcome;
}

/** A compiled expression, or its errors. */
export type Compilation = { readonly compiled: CompiledExpression } | ExpressionErrors;

/** The cost limit of one evaluation. */
const CALL_LIMIT = 1_000_000;

/**
 * Parses, type-checks and compiles an expression. Returns errors in the wording of the API server. Throws PlanError if a constant cannot be
 * converted.
 */
export function compileExpression(source: string, environment: Environment): Compilation {
  const checked = parsedAndChecked(source, environment);
  return 'errors' in checked ? checked : { compiled: ready(checked, environment) };
}

/** Parses and type-checks an expression. Returns the type of the result, or the errors in the wording of the API server. */
export function checkExpression(
  source: string,
  environment: Environment,
): { readonly type: CelType } | ExpressionErrors {
  const checked = parsedAndChecked(source, environment);
  return 'errors' in checked ? checked : { type: typeOf(checked) };
}

function parsedAndChecked(source: string, environment: Environment): CheckedExpression | ExpressionErrors {
  const parsed = parse(source);
  if ('errors' in parsed) return parsed;
  const checked = check(parsed.expression, environment);
  const issues = checked.issues.length > 0 ? checked.issues : literalIssues(checked);
  return issues.length > 0 ? expressionErrors(source, issues) : checked;
}

function typeOf({ types, expression }: CheckedExpression): CelType {
  return types.get(expression) ?? celTypes.dyn;
}

function ready(checked: CheckedExpression, environment: Environment): CompiledExpression {
  const used = new Set(checked.names.values());
  const { run, slots } = plan(checked, environment);
  return {
    type: typeOf(checked),
    checked,
    uses: (variable) => used.has(variable),
    evaluate: (values, { cost = CALL_LIMIT, nowMs } = {}) => {
      const frame = new Frame(
        Array.from({ length: slots }, (_, index) => values[index] ?? null),
        { cost, nowMs },
      );
      try {
        return { value: run(frame), cost: frame.cost, effort: frame.effort, exceeded: false };
      } catch (error) {
        if (!(error instanceof CostExceeded)) throw error;
        return { value: new CelError(error.message), cost: frame.cost, effort: frame.effort, exceeded: true };
      }
    },
  };
}
