export { type FieldRequirement, type FieldSelector, parseFieldSelector } from './selectors/field-selector.js';
export type { LabelOperator, LabelRequirement } from './selectors/label-requirement.js';
export {
  formatLabels,
  type LabelExpression,
  type LabelSelector,
  type LabelSelectorObject,
  labelSelectorFromObject,
} from './selectors/label-selector.js';
export { parseLabelSelector } from './selectors/parse-label-selector.js';
