export { checkExpressions } from './cel/check-expressions.js';
export {
  type Compilation,
  type CompiledExpression,
  compileExpression,
  type Outcome,
} from './cel/compile-expression.js';
export { type Environment, functionTable, type FunctionTable } from './cel/environment.js';
export { RuleValidator, type RuleVerdict } from './cel/rule-validator.js';
