import { deepEqual } from '@kubewright/api/patch';
import { type FieldError, fieldErrors } from '@kubewright/api/schema';
import type { ApiObject, JsonDraft } from '../../objects/api-object.js';
import { madeAt, numberAt, objectAt, valueAt } from '../../objects/json-object.js';
import type { Strategy } from '../../definitions/strategy.js';
import { fill, notDecremented, notNegative, unchanged } from '../rules/field-checks.js';
import { intOrPercentErrors, intOrPercentValue, notMoreThanAll } from '../rules/int-or-percent.js';
import { unsupportedStruct } from '../rules/go-text.js';
import { replicaCountErrors } from './replica-counts.js';
import { deploymentCells } from './workload-cells.js';
import { defaultTemplate, replicatedTemplateErrors } from './workload-selector.js';
import { workloadWarnings } from './workload-warnings.js';

/**
 * The strategy for Deployments. Defaults: one replica, and a rolling update with 25 % maxUnavailable and maxSurge. The selector is
 * immutable.
 */
export const deploymentStrategy: Partial<Strategy> = {
  ownRules: true,
  metadataRules: { preservedByStatus: 'labels' },
  zeroFields: { spec: { replicas: 0 } },
  tracksGeneration: true,
  defaults: (draft) => {
    const spec = madeAt(draft, 'spec');
    defaultTemplate(spec);
    fill(spec, { replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 });
    const strategy = madeAt(spec, 'strategy');
    fill(strategy, { type: 'RollingUpdate' });
    if (strategy['type'] !== 'RollingUpdate') return;
    fill(madeAt(strategy, 'rollingUpdate'), { maxUnavailable: '25%', maxSurge: '25%' });
  },
  prepareForCreate: (draft) => {
    draft['status'] = {};
  },
  prepareForUpdate: (draft, old) => {
    // A change of annotations also increments the generation, because the controller copies the annotations to the ReplicaSet.
    if (deepEqual(draft.metadata.annotations ?? {}, old.metadata.annotations ?? {})) return;
    draft.metadata.generation = (old.metadata.generation ?? 0) + 1;
  },
  validate: deploymentErrors,
  validateUpdate: (next, old) => [...deploymentErrors(next), ...unchanged(next, old, 'spec.selector')],
  validateStatusUpdate: (next, old) => [
    ...replicaCountErrors(next, { counts, parts: ['updatedReplicas', 'readyReplicas', 'availableReplicas'] }),
    ...notDecremented(next, old, 'collisionCount'),
  ],
  warnings: workloadWarnings,
  cells: deploymentCells,
};

const counts = [
  'observedGeneration',
  'replicas',
  'updatedReplicas',
  'readyReplicas',
  'availableReplicas',
  'unavailableReplicas',
  'terminatingReplicas',
  'collisionCount',
];

function deploymentErrors(deployment: ApiObject): readonly FieldError[] {
  const spec = objectAt(deployment, 'spec');
  const errors = [
    ...notNegative(spec, 'spec', 'replicas'),
    ...replicatedTemplateErrors(spec),
    ...strategyErrors(objectAt(spec, 'strategy')),
    ...notNegative(spec, 'spec', 'minReadySeconds', 'revisionHistoryLimit', 'progressDeadlineSeconds'),
  ];
  const deadline = numberAt(spec, 'progressDeadlineSeconds');
  if (deadline !== undefined && deadline <= (numberAt(spec, 'minReadySeconds') ?? 0)) {
    const why = 'must be greater than minReadySeconds';
    errors.push(fieldErrors.invalid('spec.progressDeadlineSeconds', deadline, why));
  }
  return errors;
}

function strategyErrors(strategy: JsonDraft): readonly FieldError[] {
  const rolling = valueAt(strategy, 'rollingUpdate');
  if (strategy['type'] === 'Recreate') {
    const why = "may not be specified when strategy `type` is 'Recreate'";
    return rolling === undefined ? [] : [fieldErrors.forbidden('spec.strategy.rollingUpdate', why)];
  }
  if (strategy['type'] !== 'RollingUpdate') {
    const shown = { Type: strategy['type'], RollingUpdate: rollingStruct(rolling) };
    return [unsupportedStruct('spec.strategy', shown, ['Recreate', 'RollingUpdate'])];
  }
  const path = 'spec.strategy.rollingUpdate';
  const unavailable = valueAt(rolling, 'maxUnavailable');
  const surge = valueAt(rolling, 'maxSurge');
  const errors = [
    ...intOrPercentErrors(unavailable, `${path}.maxUnavailable`),
    ...intOrPercentErrors(surge, `${path}.maxSurge`),
  ];
  if (intOrPercentValue(unavailable) === 0 && intOrPercentValue(surge) === 0) {
    const why = 'may not be 0 when `maxSurge` is 0';
    errors.push(fieldErrors.invalid(`${path}.maxUnavailable`, unavailable, why));
  }
  return [...errors, ...notMoreThanAll(unavailable, `${path}.maxUnavailable`)];
}

/**
 * Returns a rolling update with the internal field names of kube-apiserver, as error messages show the rolling update. Returns undefined
 * for an unset rolling update.
 */
export function rollingStruct(rolling: unknown): JsonDraft | undefined {
  if (rolling === undefined) return undefined;
  return { MaxUnavailable: valueAt(rolling, 'maxUnavailable') ?? 0, MaxSurge: valueAt(rolling, 'maxSurge') ?? 0 };
}
