export { checkExpressions, checkExpressionsSteps } from './cel/rules/check-expressions.js';
export { defaultRuleErrors } from './cel/rules/default-rule-errors.js';
export {
  type Compilation,
  type CompiledExpression,
  compileExpression,
  type Outcome,
} from './cel/evaluate/compile-expression.js';
export { type Environment, functionTable, type FunctionTable } from './cel/check/environment.js';
export { RuleValidator, type RuleVerdict } from './cel/rules/rule-validator.js';
export { escapeName } from './cel/syntax/escape-name.js';
export {
  AdmissionCompiler,
  type AdmissionCompilerOptions,
  type AdmissionExpression,
  type AdmissionExpressionError,
  type AdmissionFunctions,
  admissionFunctions,
  type AdmissionVariables,
  type ExpressionUse,
} from './cel/admission/admission-compiler.js';
export {
  type AdmissionBindings,
  AdmissionEvaluation,
  CONDITIONS_BUDGET,
  type EvaluationResult,
  OutOfBudget,
  POLICY_BUDGET,
} from './cel/admission/admission-evaluation.js';
export {
  assertPolicy,
  conditionProblems,
  type PolicyCheck,
  type PolicyExpressions,
  type PolicyProblem,
  policyProblems,
} from './cel/admission/check-policy.js';
export type { AdmissionSchemas } from './cel/admission/declared-objects.js';
export {
  type ConditionFailurePolicy,
  type ConditionVerdict,
  type MatchCondition,
  MatchConditions,
} from './cel/admission/match-conditions.js';
export { type CheckedKind, PolicyTypeChecker, type PolicyTypes } from './cel/admission/type-checker.js';
export { applyConfigurationOf, jsonPatchOf, type PatchOperation } from './cel/admission/patches.js';
export type {
  AuthorizationCheck,
  AuthorizationDecision,
  Authorize,
  CheckedResource,
  CheckedServiceAccount,
  PathCheck,
  ResourceCheck,
} from './cel/library/authorizer-values.js';
