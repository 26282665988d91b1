import {
  AdmissionCompiler,
  AdmissionEvaluation,
  type AdmissionExpression,
  CONDITIONS_BUDGET,
  OutOfBudget,
} from '@kubewright/api/cel';
import { KubewrightError } from '@kubewright/api/errors';
import type { DescribedAdmissionWebhook } from '@kubewright/runtime';
import { admissionSample } from '../admission-sample.js';
import type { ManifestsInput } from '../manifests-input.js';

/**
 * Compiles the match conditions of a webhook with the environment of the API server. If the project declares the kind, also evaluates the
 * conditions for a sample of the kind, with the cost budget of the API server.
 * @throws KubewrightError INVALID_WEBHOOK with the webhook and the condition if a condition does not compile or exceeds the budget
 */
export function checkConditions(webhook: DescribedAdmissionWebhook, input: ManifestsInput): void {
  const { name, declaredBy = name, matchConditions } = webhook;
  if (matchConditions.length === 0) return;
  const invalid = (condition: string, problem: string): KubewrightError =>
    new KubewrightError(
      'INVALID_WEBHOOK',
      `cannot generate the webhook of ${declaredBy}: the match condition '${condition}' ${problem}`,
    );
  const compiler = new AdmissionCompiler();
  const compiled = matchConditions.map((condition) => {
    const expression = compiler.compile(condition.expression, 'condition');
    if (expression.error !== undefined) throw invalid(condition.name, `is not valid: ${expression.error.detail}`);
    return [condition.name, expression] as const;
  });
  const evaluation = new AdmissionEvaluation(compiler, admissionSample(webhook, input.crds), CONDITIONS_BUDGET);
  for (const [condition, expression] of compiled) {
    if (isTooCostly(evaluation, expression)) {
      throw invalid(
        condition,
        'exceeds the cost budget of the API server already for a small object; iterate over fewer values',
      );
    }
  }
}

/** Reports whether a condition exceeds the cost limit of one expression, or the remaining budget of all conditions. */
function isTooCostly(evaluation: AdmissionEvaluation, expression: AdmissionExpression): boolean {
  try {
    const result = evaluation.evaluate(expression);
    // Ignores other errors, because the condition may read fields that the sample does not have.
    return 'error' in result && result.exceeded === true;
  } catch (error) {
    if (error instanceof OutOfBudget) return true;
    throw error;
  }
}
