import { append } from '@kubewright/api/json';
import { deepEqual } from '@kubewright/api/patch';
import { dns1123LabelErrors } from '@kubewright/api/names';
import { errorsOfEach, type FieldError, fieldErrors } from '@kubewright/api/schema';
import type { ApiObject, JsonDraft } from '../../objects/api-object.js';
import { madeAt, numberAt, objectAt, objectsAt, stringAt, valueAt } from '../../objects/json-object.js';
import type { Strategy } from '../../definitions/strategy.js';
import { fill, notDecremented, notNegative } from '../rules/field-checks.js';
import { invalidStruct } from '../rules/go-text.js';
import { intOrPercentErrors, intOrPercentValue, notMoreThanAll } from '../rules/int-or-percent.js';
import { podTemplateErrors } from '../core/pod-spec/pod-spec-validation.js';
import { replicaCountErrors } from './replica-counts.js';
import { statefulSetCells } from './workload-cells.js';
import { defaultTemplate, lastingPodErrors, selectorErrors, templateLabelErrors } from './workload-selector.js';
import { templateWarnings } from './workload-warnings.js';

const negativeLimit =
  'spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended';
const changeable = [
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
];

/**
 * The strategy for StatefulSets. By default, Pods are created and replaced one after the other. Immutable fields include the selector,
 * serviceName, podManagementPolicy and volumeClaimTemplates.
 */
export const statefulSetStrategy: Partial<Strategy> = {
  ownRules: true,
  zeroFields: { spec: { replicas: 0 } },
  tracksGeneration: true,
  nameErrors: dns1123LabelErrors,
  defaults: (draft) => defaultStatefulSet(madeAt(draft, 'spec')),
  prepareForCreate: (draft) => {
    draft['status'] = { replicas: 0, availableReplicas: 0 };
  },
  validate: (set) => statefulSetErrors(set),
  validateUpdate: (next, old) => [...statefulSetErrors(next, old), ...updateErrors(next, old)],
  validateStatusUpdate: (next, old) => [
    ...replicaCountErrors(next, { counts, parts, ready: 'status.readyReplicas' }),
    ...notDecremented(next, old, 'collisionCount'),
  ],
  warnings: (set, old) => [
    ...templateWarnings(objectAt(set, 'spec'), old && objectAt(old, 'spec'), 'spec'),
    ...((numberAt(set, 'spec', 'revisionHistoryLimit') ?? 0) < 0 ? [negativeLimit] : []),
  ],
  cells: statefulSetCells,
};

const parts = ['readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'];
const counts = ['replicas', ...parts, 'observedGeneration', 'collisionCount'];

function defaultStatefulSet(spec: JsonDraft): void {
  defaultTemplate(spec);
  fill(spec, { podManagementPolicy: 'OrderedReady', replicas: 1, revisionHistoryLimit: 10 });
  spec['serviceName'] ??= '';
  const update = madeAt(spec, 'updateStrategy');
  if (!update['type']) {
    update['type'] = 'RollingUpdate';
    update['rollingUpdate'] ??= {};
  }
  const rolling = update['rollingUpdate'];
  if (update['type'] === 'RollingUpdate' && rolling !== undefined)
    fill(madeAt(update, 'rollingUpdate'), { partition: 0 });
  const retention = madeAt(spec, 'persistentVolumeClaimRetentionPolicy');
  fill(retention, { whenDeleted: 'Retain', whenScaled: 'Retain' });
  for (const claim of objectsAt(spec, 'volumeClaimTemplates')) {
    claim['apiVersion'] = 'v1';
    claim['kind'] = 'PersistentVolumeClaim';
    const claimSpec = madeAt(claim, 'spec');
    fill(claimSpec, { volumeMode: 'Filesystem' });
    madeAt(claimSpec, 'resources');
    fill(madeAt(claim, 'status'), { phase: 'Pending' });
  }
}

function statefulSetErrors(set: ApiObject, old?: ApiObject): readonly FieldError[] {
  const spec = objectAt(set, 'spec');
  const errors = [
    ...managementErrors(spec),
    ...updateStrategyErrors(objectAt(spec, 'updateStrategy')),
    ...retentionErrors(objectAt(spec, 'persistentVolumeClaimRetentionPolicy')),
    ...(old === undefined ? claimErrors(spec) : []),
    ...notNegative(spec, 'spec', 'replicas', 'minReadySeconds'),
    ...notNegative(objectAt(spec, 'ordinals'), 'spec.ordinals', 'start'),
  ];
  const service = stringAt(spec, 'serviceName');
  if (old === undefined && service !== '') {
    append(
      errors,
      dns1123LabelErrors(service).map((why) => fieldErrors.invalid('spec.serviceName', service, why)),
    );
  }
  append(errors, selectorErrors(spec, 'statefulset'));
  append(errors, templateLabelErrors(spec));
  return [...errors, ...templateErrors(spec), ...lastingPodErrors(spec, 'StatefulSet')];
}

function managementErrors(spec: JsonDraft): readonly FieldError[] {
  const policy = stringAt(spec, 'podManagementPolicy');
  if (policy === 'OrderedReady' || policy === 'Parallel') return [];
  return [fieldErrors.invalid('spec.podManagementPolicy', policy, "must be 'OrderedReady' or 'Parallel'")];
}

function updateStrategyErrors(strategy: JsonDraft): readonly FieldError[] {
  const { type, rollingUpdate } = strategy;
  const path = 'spec.updateStrategy.rollingUpdate';
  if (type === 'OnDelete') {
    const why = "only allowed for updateStrategy 'RollingUpdate'";
    return rollingUpdate === undefined ? [] : [invalidStruct(path, rollingStruct(rollingUpdate), why)];
  }
  if (type !== 'RollingUpdate') {
    const value = { Type: type, RollingUpdate: rollingUpdate && rollingStruct(rollingUpdate) };
    return [invalidStruct('spec.updateStrategy', value, "must be 'RollingUpdate' or 'OnDelete'")];
  }
  const errors = [...notNegative(objectAt(strategy, 'rollingUpdate'), path, 'partition')];
  const most = valueAt(rollingUpdate, 'maxUnavailable');
  if (most === undefined) return errors;
  append(errors, intOrPercentErrors(most, `${path}.maxUnavailable`));
  if (intOrPercentValue(most) === 0) errors.push(fieldErrors.invalid(`${path}.maxUnavailable`, most, 'cannot be 0'));
  return [...errors, ...notMoreThanAll(most, `${path}.maxUnavailable`)];
}

function rollingStruct(rolling: unknown): JsonDraft {
  return { Partition: numberAt(rolling, 'partition') ?? 0, MaxUnavailable: valueAt(rolling, 'maxUnavailable') };
}

function retentionErrors(policy: JsonDraft): readonly FieldError[] {
  return ['whenDeleted', 'whenScaled']
    .filter((field) => !['Retain', 'Delete'].includes(stringAt(policy, field)))
    .map((field) => {
      const path = `spec.persistentVolumeClaimRetentionPolicy.${field}`;
      return fieldErrors.notSupported(path, stringAt(policy, field), ['Retain', 'Delete']);
    });
}

function claimErrors(spec: JsonDraft): readonly FieldError[] {
  return errorsOfEach(objectsAt(spec, 'volumeClaimTemplates'), (claim, index) => {
    const path = `spec.volumeClaimTemplates[${index}].spec`;
    const errors: FieldError[] = [];
    const modes = valueAt(claim, 'spec', 'accessModes');
    if (!Array.isArray(modes) || modes.length === 0) {
      errors.push(fieldErrors.required(`${path}.accessModes`, 'at least 1 access mode is required'));
    }
    if (valueAt(claim, 'spec', 'resources', 'requests', 'storage') === undefined) {
      errors.push(fieldErrors.required(`${path}.resources[storage]`));
    }
    return errors;
  });
}

/**
 * Validates the template with a volume for each claim template. These volumes replace volumes of the same name in the template. The
 * hostname and subdomain of the template are not validated.
 */
function templateErrors(spec: JsonDraft): readonly FieldError[] {
  const pod = objectAt(spec, 'template', 'spec');
  const claims = objectsAt(spec, 'volumeClaimTemplates').map((claim) => stringAt(claim, 'metadata', 'name'));
  const templates = new Set(claims);
  const own = objectsAt(pod, 'volumes').filter((volume) => !templates.has(stringAt(volume, 'name')));
  const claimed = claims.map((name) => ({ name, persistentVolumeClaim: { claimName: name } }));
  const { subdomain: _, hostname: __, ...rest } = pod;
  const volumes = [...claimed, ...own];
  const template = { ...objectAt(spec, 'template'), spec: volumes.length === 0 ? rest : { ...rest, volumes } };
  return podTemplateErrors(template, 'spec.template');
}

function updateErrors(next: ApiObject, old: ApiObject): readonly FieldError[] {
  const kept = { ...objectAt(next, 'spec') };
  const before = objectAt(old, 'spec');
  for (const field of changeable) {
    if (before[field] === undefined) delete kept[field];
    else kept[field] = before[field];
  }
  if (deepEqual(kept, before)) return [];
  const others = changeable.slice(0, -1).map((field) => `'${field}'`);
  const why = `updates to statefulset spec for fields other than ${others.join(', ')} and 'minReadySeconds' are forbidden`;
  return [fieldErrors.forbidden('spec', why)];
}
