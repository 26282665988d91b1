import { append } from '@kubewright/api/json';
import { type FieldError, fieldErrors } from '@kubewright/api/schema';
import { age } from '../../objects/age.js';
import type { ApiObject } from '../../objects/api-object.js';
import { madeAt, numberAt, objectAt, objectsAt, valueAt } from '../../objects/json-object.js';
import type { Strategy } from '../../definitions/strategy.js';
import { conditionErrors } from './condition-rules.js';
import { labelSelectorErrors, notNegative } from '../rules/field-checks.js';
import { invalidStruct } from '../rules/go-text.js';
import { intOrPercentErrors, notMoreThanAll } from '../rules/int-or-percent.js';

const counts = ['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods'];
const bounds = ['minAvailable', 'maxUnavailable'];

/** The strategy for PodDisruptionBudgets. An update requires a resourceVersion, because evictions depend on the status. */
export const podDisruptionBudgetStrategy: Partial<Strategy> = {
  ownRules: true,
  metadataRules: { onlyCommon: 'all', anyFinalizer: true },
  tracksGeneration: true,
  allowUnconditionalUpdate: false,
  defaults: (draft) => {
    madeAt(draft, 'spec');
  },
  prepareForCreate: (draft) => {
    draft['status'] = Object.fromEntries(counts.map((field) => [field, 0]));
  },
  prepareForStatusUpdate: (draft) => {
    const status = madeAt(draft, 'status');
    for (const field of counts) status[field] ??= 0;
  },
  validate: budgetErrors,
  validateUpdate: budgetErrors,
  validateStatusUpdate: (next) => [
    ...conditionErrors(objectsAt(next, 'status', 'conditions'), 'status.conditions'),
    ...notNegative(objectAt(next, 'status'), 'status', ...counts),
  ],
  cells: (budget, now) => [
    budget.metadata.name,
    ...bounds.map((field) => String(valueAt(budget, 'spec', field) ?? 'N/A')),
    numberAt(budget, 'status', 'disruptionsAllowed') ?? 0,
    age(budget.metadata.creationTimestamp, now),
  ],
};

function budgetErrors(budget: ApiObject): readonly FieldError[] {
  const spec = objectAt(budget, 'spec');
  const errors: FieldError[] = [];
  if (bounds.every((field) => spec[field] !== undefined)) {
    const shown = {
      MinAvailable: spec['minAvailable'],
      Selector: spec['selector'] ?? null,
      MaxUnavailable: spec['maxUnavailable'],
      UnhealthyPodEvictionPolicy: spec['unhealthyPodEvictionPolicy'] ?? null,
    };
    errors.push(invalidStruct('spec', shown, 'minAvailable and maxUnavailable cannot be both set'));
  }
  for (const field of bounds) {
    if (spec[field] === undefined) continue;
    append(errors, intOrPercentErrors(spec[field], `spec.${field}`), notMoreThanAll(spec[field], `spec.${field}`));
  }
  append(errors, labelSelectorErrors(spec['selector'], 'spec.selector'));
  const policy = spec['unhealthyPodEvictionPolicy'];
  const policies = ['AlwaysAllow', 'IfHealthyBudget'];
  if (policy !== undefined && !policies.includes(String(policy))) {
    errors.push(fieldErrors.notSupported('spec.unhealthyPodEvictionPolicy', policy, policies));
  }
  return errors;
}
