import { dns1123LabelErrors } from '@kubewright/api/names';
import { type FieldError, fieldErrors } from '@kubewright/api/schema';
import type { ApiObject, DraftObject, JsonDraft } from '../../objects/api-object.js';
import { isObject, madeAt, numberAt, objectAt, objectsAt, stringAt } from '../../objects/json-object.js';
import type { Strategy } from '../../definitions/strategy.js';
import { isMirrorPod } from '../rules/mirror-pod.js';
import { podCells } from './pod/pod-cells.js';
import { ephemeralUpdateErrors, keepPart, resizeErrors } from './pod/pod-part-updates.js';
import { podQosClass } from './pod/pod-qos-class.js';
import { podQuota } from './pod/pod-quota.js';
import { podAnnotationErrors } from './pod-spec/pod-annotation-rules.js';
import { applyAppArmorAnnotations, profileMatchErrors } from './pod-spec/profile-annotations.js';
import { podOnlyErrors } from './pod-spec/pod-only-rules.js';
import { podSpecWarnings } from './pod-spec/pod-spec-warnings.js';
import { defaultPod } from './pod-spec/pod-spec-defaults.js';
import { podSpecErrors } from './pod-spec/pod-spec-validation.js';
import { podStatusErrors } from './pod/pod-status-rules.js';
import { podUpdateErrors } from './pod/pod-update-rules.js';

/**
 * The strategy for Pods. A new Pod is Pending, and most of its spec is immutable. The deletion of an unfinished Pod on a node has a grace
 * period.
 */
export const podStrategy: Partial<Strategy> = {
  ownRules: true,
  quotaRules: podQuota,
  metadataRules: { validatesAgain: true },
  deletionRules: { returnsObject: true },
  tracksGeneration: true,
  selectableFields: [
    'spec.nodeName',
    'spec.restartPolicy',
    'spec.schedulerName',
    'spec.serviceAccountName',
    'spec.hostNetwork',
    'status.phase',
    'status.podIP',
    'status.podIPs',
    'status.nominatedNodeName',
  ],
  selectableField: podField,
  defaults: (draft) => {
    defaultPod(madeAt(draft, 'spec'));
    if (isObject(draft['status'])) keepAddressesInStep(draft['status']);
  },
  prepareForCreate: (draft, { warnings }) => {
    applyAppArmorAnnotations(draft, warnings);
    draft['status'] = { phase: 'Pending', qosClass: podQosClass(objectAt(draft, 'spec')) };
    if (objectsAt(draft, 'spec', 'schedulingGates').length > 0) markGated(draft);
  },
  prepareForUpdate: (draft, old, { subresource }) => {
    if (subresource !== undefined) keepPart(draft, old, subresource);
  },
  prepareForStatusUpdate: (next, old) => {
    const { ownerReferences } = old.metadata;
    if (ownerReferences === undefined) delete next.metadata.ownerReferences;
    else next.metadata.ownerReferences = ownerReferences;
    const status = madeAt(next, 'status');
    status['qosClass'] ??= stringAt(old, 'status', 'qosClass');
  },
  validate: (pod) => {
    const spec = objectAt(pod, 'spec');
    const errors = [...podErrors(pod)];
    if (objectsAt(spec, 'ephemeralContainers').length > 0) {
      errors.push(fieldErrors.forbidden('spec.ephemeralContainers', 'cannot be set on create'));
    }
    if (stringAt(spec, 'nodeName') !== '' && objectsAt(spec, 'schedulingGates').length > 0) {
      const why = 'cannot be set until all schedulingGates have been cleared';
      errors.push(fieldErrors.forbidden('spec.nodeName', why));
    }
    return [...errors, ...profileMatchErrors(objectAt(pod, 'metadata'), spec, 'spec')];
  },
  validateUpdate: (next, old, subresource) => {
    if (subresource === 'resize') return [...podErrors(next), ...resizeErrors(next, old)];
    const own = subresource === 'ephemeralcontainers' ? ephemeralUpdateErrors : podUpdateErrors;
    return [...podErrors(next), ...own(next, old)];
  },
  validateStatusUpdate: podStatusErrors,
  warnings: (pod, old) => (old === undefined ? podWarnings(pod) : []),
  cells: podCells,
  gracefulDeletion: (pod, requested) => {
    const phase = stringAt(pod, 'status', 'phase');
    if (stringAt(pod, 'spec', 'nodeName') === '' || phase === 'Succeeded' || phase === 'Failed') return 0;
    const seconds = requested ?? numberAt(pod, 'spec', 'terminationGracePeriodSeconds') ?? 0;
    return seconds < 0 ? 1 : seconds;
  },
};

function podErrors(pod: ApiObject): readonly FieldError[] {
  const spec = objectAt(pod, 'spec');
  return [
    ...podAnnotationErrors(objectAt(pod, 'metadata'), spec, 'metadata.annotations'),
    ...podSpecErrors(spec, 'spec', pod.metadata.name),
    ...(isMirrorPod(pod) ? mirrorErrors(spec) : []),
    ...podOnlyErrors(spec, 'spec'),
  ];
}

/** Returns the errors of a mirror Pod, which represents a static Pod of a node. */
function mirrorErrors(spec: JsonDraft): readonly FieldError[] {
  // As in kube-apiserver, these errors do not name the field.
  return objectsAt(spec, 'resourceClaims').map(() =>
    fieldErrors.forbidden('[]', 'static pods do not support resource claims'),
  );
}

function podWarnings(pod: ApiObject): readonly string[] {
  const host = dns1123LabelErrors(pod.metadata.name);
  const named =
    "metadata.name: this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended";
  return [
    ...(host.length === 0 ? [] : [`${named}: [${host.join(' ')}]`]),
    ...podSpecWarnings(objectAt(pod, 'spec'), objectAt(pod, 'metadata'), ''),
  ];
}

/** Returns the value of a selectable field. The value of podIP and podIPs is the first address. */
function podField(pod: ApiObject, field: string): string {
  if (field === 'spec.hostNetwork') return String(objectAt(pod, 'spec')['hostNetwork'] === true);
  if (field === 'status.podIP' || field === 'status.podIPs') {
    const [first] = objectsAt(pod, 'status', 'podIPs');
    return stringAt(first, 'ip') || stringAt(pod, 'status', 'podIP');
  }
  return stringAt(pod, ...field.split('.'));
}

/**
 * Synchronizes `podIP` with the first entry of `podIPs`. An unset `podIP` gets the address of this entry. A `podIP` with another address
 * replaces the list.
 */
function keepAddressesInStep(status: JsonDraft): void {
  const first = stringAt(objectsAt(status, 'podIPs')[0], 'ip');
  const ip = stringAt(status, 'podIP');
  if (ip !== '' && ip !== first) status['podIPs'] = [{ ip }];
  else if (first !== '') status['podIP'] = first;
}

/** Adds the PodScheduled condition with the reason SchedulingGated to a new Pod. */
function markGated(draft: DraftObject): void {
  madeAt(draft, 'status')['conditions'] = [
    {
      type: 'PodScheduled',
      status: 'False',
      lastProbeTime: null,
      lastTransitionTime: draft.metadata.creationTimestamp,
      reason: 'SchedulingGated',
      message: 'Scheduling is blocked due to non-empty scheduling gates',
    },
  ];
}
