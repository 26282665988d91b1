import { AdmissionCompiler, type AdmissionExpression, type AdmissionVariables } from './admission-compiler.js';
import { type AdmissionBindings, AdmissionEvaluation, CONDITIONS_BUDGET, OutOfBudget } from './admission-evaluation.js';

/** A condition of a webhook or of a policy. */
export interface MatchCondition {
  readonly name: string;
  readonly expression: string;
}

/** The reaction to an error in a condition: `Fail` rejects the request, and `Ignore` skips the webhook or the policy. */
export type ConditionFailurePolicy = 'Fail' | 'Ignore';

/**
 * Whether the request matches all conditions. `failed` is the name of the first condition that is false. `error` is the error of the
 * conditions, in the wording of kube-apiserver; the request must be rejected.
 */
export type ConditionVerdict =
  | { readonly matches: true }
  | { readonly matches: false; readonly failed?: string }
  | { readonly error: string };

/**
 * The `matchConditions` of a webhook or of a policy.
 *
 * @example
 * ```ts
 * import { MatchConditions } from '@kubewright/api/cel';
 *
 * const conditions = new MatchConditions([{ name: 'not-system', expression: "!object.metadata.name.startsWith('system:')" }]);
 * const verdict = conditions.match({ object: { metadata: { name: 'a' } }, request: { operation: 'CREATE' } }, 'Fail');
 * // { matches: true }
 * ```
 */
export class MatchConditions {
  readonly #compiler: AdmissionCompiler;
  readonly #conditions: readonly (readonly [string, AdmissionExpression])[];

  /**
   * @param conditions the conditions
   * @param options.compiler the compiler with the variables of a policy @default a compiler without variables
   * @param options.variables the optional variables that the conditions can read @default `authorizer`
   */
  constructor(
    conditions: readonly MatchCondition[],
    {
      compiler = new AdmissionCompiler(),
      variables = {},
    }: { readonly compiler?: AdmissionCompiler; readonly variables?: AdmissionVariables } = {},
  ) {
    this.#compiler = compiler;
    this.#conditions = conditions.map(({ name, expression }) => {
      return [name, compiler.compile(expression, 'condition', variables)];
    });
  }

  /**
   * Evaluates the conditions. A false condition always determines the verdict. If no condition is false but a condition has an error, the
   * failure policy determines the verdict: the error for `Fail`, and no match for `Ignore`.
   */
  match(bindings: AdmissionBindings, failurePolicy: ConditionFailurePolicy): ConditionVerdict {
    if (this.#conditions.length === 0) return { matches: true };
    const evaluation = new AdmissionEvaluation(this.#compiler, bindings, CONDITIONS_BUDGET);
    const errors = new Set<string>();
    let failed: string | undefined;
    try {
      // All conditions are evaluated before the first false condition counts, because a condition after it can exceed the budget.
      for (const [name, expression] of this.#conditions) {
        const result = evaluation.evaluate(expression);
        if (failed !== undefined) continue;
        if ('error' in result) errors.add(result.error);
        else if (result.value === false) failed = name;
      }
    } catch (error) {
      if (!(error instanceof OutOfBudget)) throw error;
      return failurePolicy === 'Fail' ? { error: error.message } : { matches: false };
    }
    if (failed !== undefined) return { matches: false, failed };
    if (errors.size === 0) return { matches: true };
    return failurePolicy === 'Fail' ? { error: aggregate([...errors]) } : { matches: false };
  }
}

function aggregate(errors: readonly string[]): string {
  return errors.length === 1 ? (errors[0] ?? '') : `[${errors.join(', ')}]`;
}
