import { CelError, CostExceeded } from '../values/cel-error.js';
import type { CelType } from '../values/cel-type.js';
import { celTypes } from '../values/cel-type.js';
import type { CelValue } from '../values/cel-value.js';
import { check, type CheckedExpression } from '../check/check.js';
import type { Environment } from '../check/environment.js';
import { type EvaluationLimits, Frame } from './frame.js';
import { parse } from '../syntax/parser.js';
import { plan } from './plan.js';
import { formatIssues } from '../syntax/source-issues.js';
import { literalIssues } from '../check/validate-literals.js';

/** What an evaluation gave and what it cost. */
export interface Outcome {
  /** The value, or the error that there is instead of one. */
  readonly value: CelValue;
  readonly cost: number;
  /** The cost, and in a brief evaluation also the work that is out of proportion to it. */
  readonly effort: number;
  /** Whether it was given up because it cost too much. */
  readonly exceeded: boolean;
}

/** An expression that was parsed, checked and made ready. */
export interface CompiledExpression {
  readonly type: CelType;
  readonly checked: CheckedExpression;
  /** Whether the expression refers to the variable. */
  uses(variable: string): boolean;
  /**
   * Computes the value with those of the variables, in the order of the environment.
   * @throws TakesLong if the evaluation must be brief and is not
   */
  evaluate(values: readonly CelValue[], limits?: EvaluationLimits): Outcome;
}

/** A compiled expression, or what is wrong with it. */
export type Compilation = { readonly compiled: CompiledExpression } | { readonly errors: string };

/** What one evaluation may cost. */
const CALL_LIMIT = 1_000_000;

/** Parses and checks an expression; what is wrong is told in the API server's words. */
export function compileExpression(source: string, environment: Environment): Compilation {
  const parsed = parse(source);
  if ('errors' in parsed) return parsed;
  const checked = check(parsed.expression, environment);
  const issues = checked.issues.length > 0 ? checked.issues : literalIssues(checked);
  if (issues.length > 0) return { errors: formatIssues(source, issues) };
  return { compiled: ready(checked, environment) };
}

function ready(checked: CheckedExpression, { variables }: Environment): CompiledExpression {
  const names = [...variables.keys()];
  const used = new Set(checked.names.values());
  const { run, slots } = plan(checked, names);
  return {
    type: checked.types.get(checked.expression) ?? celTypes.dyn,
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
