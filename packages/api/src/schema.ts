export type { FieldError, FieldErrorReason } from './schema/field-error.js';
export { fieldErrors, invalidValueSteps } from './schema/field-errors.js';
export type { ListType, StructuralSchema, ValidationRule } from './schema/structural-schema.js';
export { applyDefaults } from './schema/apply-defaults.js';
export { type Pruned, prune } from './schema/prune.js';
export { pruneNulls } from './schema/prune-nulls.js';
export { validate, validateBriefly } from './schema/validate.js';
export { TakesLong, TimeLimit } from './schema/time-limit.js';
export { validateUpdate } from './schema/validate-update.js';
export {
  annotationErrors,
  type ObjectMetaRules,
  labelErrors,
  validateObjectMeta,
  validateObjectMetaSteps,
} from './schema/validate-object-meta.js';
export { errorsOfEach, firstErrors, limitErrors, type LimitedErrors } from './schema/limit-errors.js';
export { hasRules } from './schema/has-rules.js';
export { ruleText } from './schema/rule-text.js';
export { goDuration } from './schema/duration-text.js';
export { patternProblem } from './fields/leaf-schemas.js';
export { checkStructural } from './schema/check-structural.js';
