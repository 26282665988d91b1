import { madeAt } from '../json-object.js';
import type { Strategy } from '../strategy.js';
import { defaultPodSpec } from './pod-spec-defaults.js';
import { replicaSetCells } from './workload-cells.js';
import { selectorUpdateErrors, workloadErrors } from './workload-selector.js';

/** ReplicaSets: one replica unless said otherwise; the selector never changes. */
export const replicaSetStrategy: Partial<Strategy> = {
  tracksGeneration: true,
  selectableFields: ['status.replicas'],
  defaults: (draft) => {
    const spec = madeAt(draft, 'spec');
    spec['replicas'] ??= 1;
    if (spec['template'] !== undefined) defaultPodSpec(madeAt(spec, 'template', 'spec'));
  },
  prepareForCreate: (draft) => {
    draft['status'] = { replicas: 0 };
  },
  validate: (replicaSet) => workloadErrors(replicaSet, 'replicaset'),
  validateUpdate: selectorUpdateErrors,
  cells: replicaSetCells,
};
