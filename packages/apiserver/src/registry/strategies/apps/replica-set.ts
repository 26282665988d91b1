import type { FieldError } from '@kubewright/api/schema';
import type { ApiObject } from '../../objects/api-object.js';
import { madeAt, objectAt } from '../../objects/json-object.js';
import type { Strategy } from '../../definitions/strategy.js';
import { fill, notNegative, unchanged } from '../rules/field-checks.js';
import { replicaCountErrors } from './replica-counts.js';
import { replicaSetCells } from './workload-cells.js';
import { defaultTemplate, replicatedTemplateErrors } from './workload-selector.js';
import { workloadWarnings } from './workload-warnings.js';

/** The strategy for ReplicaSets. The default is one replica. The selector is immutable. */
export const replicaSetStrategy: Partial<Strategy> = {
  ownRules: true,
  zeroFields: { spec: { replicas: 0 } },
  tracksGeneration: true,
  defaults: (draft) => {
    const spec = madeAt(draft, 'spec');
    defaultTemplate(spec);
    fill(spec, { replicas: 1 });
  },
  prepareForCreate: (draft) => {
    draft['status'] = { replicas: 0 };
  },
  validate: replicaSetErrors,
  validateUpdate: (next, old) => [...replicaSetErrors(next), ...unchanged(next, old, 'spec.selector')],
  validateStatusUpdate: (next) =>
    replicaCountErrors(next, { counts, parts: ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'] }),
  warnings: workloadWarnings,
  cells: replicaSetCells,
};

const counts = [
  'replicas',
  'fullyLabeledReplicas',
  'readyReplicas',
  'availableReplicas',
  'observedGeneration',
  'terminatingReplicas',
];

function replicaSetErrors(replicaSet: ApiObject): readonly FieldError[] {
  const spec = objectAt(replicaSet, 'spec');
  return [...notNegative(spec, 'spec', 'replicas', 'minReadySeconds'), ...replicatedTemplateErrors(spec)];
}
