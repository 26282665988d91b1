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
