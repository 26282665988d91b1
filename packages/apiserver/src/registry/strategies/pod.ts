import { compareQuantities, isQuantity } from '@kubewright/api/quantity';
import { deepEqual } from '@kubewright/api/patch';
import { type FieldError, fieldErrors } from '@kubewright/api/schema';
import {
  type ApiObject,
  copyJson,
  type JsonDraft,
  madeAt,
  numberAt,
  objectAt,
  objectsAt,
  stringAt,
} from '../json-object.js';
import type { Strategy } from '../strategy.js';
import { podCells } from './pod-cells.js';
import { allContainers, defaultPodSpec } from './pod-spec-defaults.js';
import { podSpecErrors } from './pod-spec-validation.js';

const changeable =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,' +
  '`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),' +
  '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';

/** Pods: a new one is Pending; only little of its spec may change; it is given time to stop once it is on a node. */
export const podStrategy: Partial<Strategy> = {
  tracksGeneration: true,
  selectableFields: [
    'spec.nodeName',
    'spec.restartPolicy',
    'spec.schedulerName',
    'spec.serviceAccountName',
    'spec.hostNetwork',
    'status.phase',
    'status.podIP',
    'status.nominatedNodeName',
  ],
  defaults: (draft) => {
    const spec = madeAt(draft, 'spec');
    defaultPodSpec(spec);
    spec['enableServiceLinks'] ??= true;
  },
  prepareForCreate: (draft) => {
    draft['status'] = { phase: 'Pending', qosClass: qosClass(objectAt(draft, 'spec')) };
  },
  prepareForStatusUpdate: (next, old) => {
    next.metadata.ownerReferences = old.metadata.ownerReferences;
    if (next.metadata.ownerReferences === undefined) delete next.metadata.ownerReferences;
  },
  validate: (pod) => podSpecErrors(objectAt(pod, 'spec'), 'spec'),
  validateUpdate: podUpdateErrors,
  cells: podCells,
  gracefulDeletion: (pod, requested) => {
    const phase = stringAt(pod, 'status', 'phase');
    if (stringAt(pod, 'spec', 'nodeName') === '' || phase === 'Succeeded' || phase === 'Failed') return 0;
    return requested ?? numberAt(pod, 'spec', 'terminationGracePeriodSeconds') ?? 30;
  },
};

function podUpdateErrors(next: ApiObject, old: ApiObject): readonly FieldError[] {
  const before = comparable(objectAt(old, 'spec'));
  const after = comparable(objectAt(next, 'spec'));
  return deepEqual(before, after) ? [] : [fieldErrors.forbidden('spec', changeable)];
}

/** The spec without what may change. */
function comparable(spec: JsonDraft): JsonDraft {
  const { activeDeadlineSeconds: _, tolerations: __, ...rest } = copyJson(spec);
  for (const container of allContainers(rest)) delete container['image'];
  return rest;
}

/** How well the Pod is guarded against eviction, from its requests and limits of cpu and memory. */
function qosClass(spec: JsonDraft): string {
  const containers = allContainers(spec).map((container) => objectAt(container, 'resources'));
  const amounts = containers.flatMap((resources) => [
    ...Object.keys(objectAt(resources, 'limits')),
    ...Object.keys(objectAt(resources, 'requests')),
  ]);
  if (!amounts.some((name) => name === 'cpu' || name === 'memory')) return 'BestEffort';
  const guaranteed = containers.every((resources) =>
    ['cpu', 'memory'].every((name) => {
      const limit = objectAt(resources, 'limits')[name];
      const request = objectAt(resources, 'requests')[name];
      // Amounts that cannot be read are reported by the validation, which comes later.
      return (
        isQuantity(String(limit)) &&
        isQuantity(String(request)) &&
        compareQuantities(String(limit), String(request)) === 0
      );
    }),
  );
  return guaranteed && objectsAt(spec, 'containers').length > 0 ? 'Guaranteed' : 'Burstable';
}
