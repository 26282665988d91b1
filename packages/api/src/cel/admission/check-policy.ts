import { KubewrightError } from '../../errors/kubewright-error.js';
import type { PolicyMutation, PolicyValidation } from '../../policies/policy-options.js';
import { issuesText } from '../../schema/issues-text.js';
import type { WebhookCondition } from '../../webhooks/webhook-options.js';
import {
  AdmissionCompiler,
  type AdmissionExpression,
  type AdmissionFunctions,
  admissionFunctions,
  type ExpressionUse,
} from './admission-compiler.js';
import {
  type AdmissionBindings,
  AdmissionEvaluation,
  CONDITIONS_BUDGET,
  OutOfBudget,
  POLICY_BUDGET,
} from './admission-evaluation.js';
import type { AdmissionSchemas } from './declared-objects.js';
import { applyConfigurationOf } from './patches.js';

/** The expressions of a policy. */
export interface PolicyExpressions {
  readonly matchConditions: readonly WebhookCondition[];
  readonly variables: readonly { readonly name: string; readonly expression: string }[];
  readonly validations: readonly PolicyValidation[];
  readonly auditAnnotations: readonly { readonly key: string; readonly expression: string }[];
  readonly mutations: readonly PolicyMutation[];
}

/** The data with which the expressions of a policy are checked. */
export interface PolicyCheck {
  /** The schemas of the kinds. A variable without a schema is not checked. */
  readonly schemas: AdmissionSchemas;
  /** Whether the policy has parameters. */
  readonly params: boolean;
  /** A small request. The cost of each expression is measured with this request. */
  readonly sample: AdmissionBindings;
}

/** One error in a policy. */
export interface PolicyProblem {
  /** The option of the policy, such as `validations[0].rule`. */
  readonly path: string;
  /** The error, with its position in the expression, and a suggestion for a misspelled name. */
  readonly message: string;
}

interface Part {
  readonly path: string;
  readonly source: string;
  readonly use: ExpressionUse;
  /** The name of the variable that the expression declares. */
  readonly declares?: string;
}

const HINTS: Partial<Record<ExpressionUse, string>> = {
  condition: "the API server does not know the types of fields; compare the value, for example with '== true'",
  message: "the API server does not know the types of fields; write 'string(…)'",
  auditAnnotation: "the API server does not know the types of fields; write 'string(…)'",
};
/** The uses of expressions that do not share the budget of the validations. */
const SEPARATE: readonly ExpressionUse[] = ['variable', 'applyConfiguration', 'jsonPatch'];
const TOO_COSTLY = 'the cost exceeds the budget of the API server even for a small object; iterate over fewer values';

/**
 * Returns all errors in the expressions of a policy. First compiles each expression without types, as the API server does. Then compiles
 * each expression with the types of the fields, so that an expression cannot read a field that does not exist. Evaluates the expressions
 * for the sample with the cost limits of the API server.
 */
export function policyProblems(policy: PolicyExpressions, check: PolicyCheck): readonly PolicyProblem[] {
  const functions = admissionFunctions();
  return [
    ...conditionProblems(policy.matchConditions, check, functions),
    ...expressionProblems(policy, check, functions),
  ];
}

/**
 * Checks a policy as `policyProblems` does. `declaredBy` is the class or the call that declares the policy.
 * @throws KubewrightError INVALID_POLICY with all errors
 */
export function assertPolicy(declaredBy: string, policy: PolicyExpressions, check: PolicyCheck): void {
  const problems = policyProblems(policy, check).map(({ path, message }) => `${path}: ${message}`);
  if (problems.length === 0) return;
  const text = problems.length === 1 ? problems.join() : problems.map((problem) => `\n- ${problem}`).join('');
  throw new KubewrightError('INVALID_POLICY', `the policy of ${declaredBy} is not valid: ${text}`);
}

/**
 * Returns the errors in the match conditions of a policy or of a webhook, as `policyProblems` does. Match conditions cannot read the
 * variables of a policy, and have their own budget.
 */
export function conditionProblems(
  conditions: readonly WebhookCondition[],
  check: PolicyCheck,
  functions: AdmissionFunctions = admissionFunctions(),
): readonly PolicyProblem[] {
  const parts = conditions.map(
    ({ expression }, index): Part => ({
      path: `matchConditions[${index}].expression`,
      source: expression,
      use: 'condition',
    }),
  );
  const compiler = new AdmissionCompiler({ functions });
  const typed = new AdmissionCompiler({ functions, schemas: check.schemas });
  const evaluation = new AdmissionEvaluation(compiler, check.sample, CONDITIONS_BUDGET);
  return parts.flatMap((part) => {
    const expression = compiler.compile(part.source, part.use, { params: check.params });
    const problem =
      compileProblem(expression, compiledWith(typed, part, check), part) ?? evaluationProblem(evaluation, expression);
    return problem === undefined ? [] : [{ path: part.path, message: problem }];
  });
}

function expressionProblems(
  policy: PolicyExpressions,
  check: PolicyCheck,
  functions: AdmissionFunctions,
): readonly PolicyProblem[] {
  const composited = true;
  const compiler = new AdmissionCompiler({ functions, composited });
  const typed = new AdmissionCompiler({ functions, composited, schemas: check.schemas });
  const compiled = partsOf(policy).map((part) => {
    const expression = compiledWith(compiler, part, check);
    return { part, expression, problem: compileProblem(expression, compiledWith(typed, part, check), part) };
  });
  // All validations share one budget. Each mutation has its own budget. Variables are measured with the expressions that read them. They
  // are also measured separately, because the error of an expression does not contain the reason if reading a variable fails.
  const shared = new AdmissionEvaluation(compiler, check.sample, POLICY_BUDGET);
  return compiled.flatMap(({ part, expression, problem }) => {
    const evaluation = SEPARATE.includes(part.use)
      ? new AdmissionEvaluation(compiler, check.sample, POLICY_BUDGET)
      : shared;
    const message = problem ?? evaluationProblem(evaluation, expression);
    return message === undefined ? [] : [{ path: part.path, message }];
  });
}

/** Returns the expressions that can read variables, in the order in which the API server compiles them. */
function partsOf({ variables, validations, auditAnnotations, mutations }: PolicyExpressions): readonly Part[] {
  return [
    ...variables.map(
      ({ name, expression }): Part => ({
        path: `variables.${name}`,
        source: expression,
        use: 'variable',
        declares: name,
      }),
    ),
    ...validations.flatMap(({ rule, messageExpression }, index): readonly Part[] => [
      { path: `validations[${index}].rule`, source: rule, use: 'condition' },
      ...(messageExpression === undefined
        ? []
        : [{ path: `validations[${index}].messageExpression`, source: messageExpression, use: 'message' } as const]),
    ]),
    ...auditAnnotations.map(
      ({ key, expression }): Part => ({
        path: `auditAnnotations[${key}]`,
        source: expression,
        use: 'auditAnnotation',
      }),
    ),
    ...mutations.map(
      ({ apply, patch }, index): Part =>
        apply === undefined
          ? { path: `mutations[${index}].patch`, source: patch, use: 'jsonPatch' }
          : { path: `mutations[${index}].apply`, source: apply, use: 'applyConfiguration' },
    ),
  ];
}

function compiledWith(
  compiler: AdmissionCompiler,
  { source, use, declares }: Part,
  { params }: PolicyCheck,
): AdmissionExpression {
  return declares === undefined
    ? compiler.compile(source, use, { params })
    : compiler.declare(declares, source, { params });
}

/** Returns the error of an expression. The errors with types are more precise, because they contain the errors in fields. */
function compileProblem(
  expression: AdmissionExpression,
  typed: AdmissionExpression,
  { use }: Part,
): string | undefined {
  const error = typed.error ?? expression.error;
  if (error === undefined) return undefined;
  if (error.issues.length > 0) return issuesText(error.issues);
  const hint = typed.error === undefined ? HINTS[use] : undefined;
  return hint === undefined ? error.detail : `${error.detail}; ${hint}`;
}

/**
 * Returns the error of an evaluation that exceeds its cost budget. Ignores all other errors, because an expression may read fields that the
 * sample lacks.
 */
function evaluationProblem(evaluation: AdmissionEvaluation, expression: AdmissionExpression): string | undefined {
  try {
    const result = evaluation.evaluate(expression);
    if ('error' in result) return result.exceeded === true ? TOO_COSTLY : undefined;
    if (expression.type?.name !== 'Object') return undefined;
    const applied = applyConfigurationOf(result.value);
    return 'error' in applied ? applied.error : undefined;
  } catch (error) {
    if (error instanceof OutOfBudget) return TOO_COSTLY;
    throw error;
  }
}
