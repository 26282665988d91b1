import { deepEqual } from '@kubewright/api/patch';
import { type FieldError, fieldErrors } from '@kubewright/api/schema';
import { type ApiObject, madeAt, numberAt, objectAt, stringAt, valueAt } from '../json-object.js';
import type { Strategy } from '../strategy.js';
import { defaultPodSpec } from './pod-spec-defaults.js';
import { minimum } from './pod-spec-validation.js';
import { deploymentCells } from './workload-cells.js';
import { selectorUpdateErrors, workloadErrors } from './workload-selector.js';

/** Deployments: one replica and a rolling update of a quarter unless said otherwise; the selector never changes. */
export const deploymentStrategy: Partial<Strategy> = {
  tracksGeneration: true,
  defaults: (draft) => {
    const spec = madeAt(draft, 'spec');
    spec['replicas'] ??= 1;
    spec['revisionHistoryLimit'] ??= 10;
    spec['progressDeadlineSeconds'] ??= 600;
    const strategy = madeAt(spec, 'strategy');
    strategy['type'] ??= 'RollingUpdate';
    if (strategy['type'] === 'RollingUpdate') {
      const rolling = madeAt(strategy, 'rollingUpdate');
      rolling['maxUnavailable'] ??= '25%';
      rolling['maxSurge'] ??= '25%';
    }
    if (spec['template'] !== undefined) defaultPodSpec(madeAt(spec, 'template', 'spec'));
  },
  prepareForUpdate: (draft, old) => {
    // A change of annotations is one of the desired state: the controller copies them to the ReplicaSet.
    if (deepEqual(draft.metadata.annotations ?? {}, old.metadata.annotations ?? {})) return;
    draft.metadata.generation = (old.metadata.generation ?? 0) + 1;
  },
  validate: (deployment) => [...workloadErrors(deployment, 'deployment'), ...rolloutErrors(deployment)],
  validateUpdate: selectorUpdateErrors,
  cells: deploymentCells,
};

function rolloutErrors(deployment: ApiObject): readonly FieldError[] {
  const spec = objectAt(deployment, 'spec');
  const errors: FieldError[] = [...minimum(spec, 'progressDeadlineSeconds', { path: 'spec', least: 0 })];
  const deadline = numberAt(spec, 'progressDeadlineSeconds');
  if (deadline !== undefined && deadline <= (numberAt(spec, 'minReadySeconds') ?? 0)) {
    const why = 'must be greater than minReadySeconds';
    errors.push(fieldErrors.invalid('spec.progressDeadlineSeconds', deadline, why));
  }
  const type = stringAt(spec, 'strategy', 'type');
  const rolling = valueAt(spec, 'strategy', 'rollingUpdate');
  if (type === 'Recreate' && rolling !== undefined) {
    const why = "may not be specified when strategy `type` is 'Recreate'";
    errors.push(fieldErrors.forbidden('spec.strategy.rollingUpdate', why));
  } else if (type !== 'Recreate' && type !== 'RollingUpdate') {
    errors.push(fieldErrors.notSupported('spec.strategy.type', type, ['Recreate', 'RollingUpdate']));
  } else if (isZero(valueAt(rolling, 'maxUnavailable')) && isZero(valueAt(rolling, 'maxSurge'))) {
    const why = 'may not be 0 when `maxSurge` is 0';
    errors.push(
      fieldErrors.invalid('spec.strategy.rollingUpdate.maxUnavailable', valueAt(rolling, 'maxUnavailable'), why),
    );
  }
  return errors;
}

function isZero(value: unknown): boolean {
  return value === 0 || value === '0%';
}
