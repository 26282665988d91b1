import { append } from '@kubewright/api/json';
import { dns1123SubdomainErrors } from '@kubewright/api/names';
import { compareQuantities } from '@kubewright/api/quantity';
import { deepEqual } from '@kubewright/api/patch';
import { type FieldError, fieldErrors } from '@kubewright/api/schema';
import { age } from '../../objects/age.js';
import type { ApiObject, JsonDraft } from '../../objects/api-object.js';
import { isObject, madeAt, nameTable, objectAt, objectsAt, stringAt, textsAt } from '../../objects/json-object.js';
import { timestamp } from '../../metadata/metadata-rules.js';
import type { Strategy } from '../../definitions/strategy.js';
import { shownAccessModes } from './access-modes.js';
import { fill } from '../rules/field-checks.js';
import { unsupportedStruct } from '../rules/go-text.js';
import { goDiff } from '../rules/go-diff.js';
import { goForm } from '../rules/go-shape.js';
import { volumeAffinityShape, volumeSourceShape } from '../rules/volume-shapes.js';
import { oldStorageClassWarnings, storageClassOf } from '../rules/storage-class-annotations.js';
import { accessModeErrors, driverNameErrors, volumeModes } from './pod-spec/claim-spec-rules.js';
import { nodeSelectorErrors } from './pod-spec/label-rules.js';
import { amountErrors } from './pod-spec/resource-rules.js';
import { type SourceRule, volumeSourceRules } from './pod-spec/volume-source-rules.js';
import { backstepErrors, requiredErrors, supportedErrors, unlessEmpty } from './pod-spec/value-rules.js';

const { awsElasticBlockStore, azureDisk, azureFile, cephfs, cinder, fc, flexVolume, flocker, glusterfs, iscsi, nfs } =
  volumeSourceRules;
const { photonPersistentDisk, portworxVolume, quobyte, rbd, scaleIO, storageos, vsphereVolume } = volumeSourceRules;
/** The rules of each volume source, in validation order. */
const sources: Readonly<Record<string, SourceRule>> = {
  hostPath: (source, path) => {
    const missing = requiredErrors(source, path, ['path']);
    return missing.length > 0 ? missing : backstepErrors(stringAt(source, 'path'), `${path}.path`);
  },
  gcePersistentDisk: (source, path) => requiredErrors(source, path, ['pdName']),
  awsElasticBlockStore,
  glusterfs,
  flocker,
  nfs,
  rbd,
  quobyte,
  cephfs,
  iscsi,
  cinder,
  fc,
  flexVolume,
  azureFile,
  vsphereVolume,
  photonPersistentDisk,
  portworxVolume,
  azureDisk,
  scaleIO,
  local: (source, path) => {
    const missing = requiredErrors(source, path, ['path']);
    return missing.length > 0 ? missing : backstepErrors(stringAt(source, 'path'), `${path}.path`);
  },
  storageos,
  csi: (source, path) => [
    ...driverNameErrors(stringAt(source, 'driver'), `${path}.driver`),
    ...requiredErrors(source, path, ['volumeHandle']),
  ],
};

/** The current labels of nodes by their deprecated labels. */
const currentLabels = nameTable({
  'beta.kubernetes.io/arch': 'kubernetes.io/arch',
  'beta.kubernetes.io/instance-type': 'node.kubernetes.io/instance-type',
  'beta.kubernetes.io/os': 'kubernetes.io/os',
  'failure-domain.beta.kubernetes.io/region': 'topology.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone': 'topology.kubernetes.io/zone',
});

/** The strategy for PersistentVolumes. The volume source and the volumeMode are immutable. */
export const persistentVolumeStrategy: Partial<Strategy> = {
  ownRules: true,
  protectionFinalizer: 'kubernetes.io/pv-protection',
  metadataRules: { validatesAgain: true },
  deletionRules: { returnsObject: true },
  defaults: (draft) => {
    const spec = madeAt(draft, 'spec');
    fill(spec, { persistentVolumeReclaimPolicy: 'Retain' });
    spec['volumeMode'] ??= 'Filesystem';
    if (isObject(spec['hostPath'])) spec['hostPath']['type'] ??= '';
    if (stringAt(draft, 'status', 'phase') === '') madeAt(draft, 'status')['phase'] = 'Pending';
  },
  prepareForCreate: (draft) => {
    draft['status'] = { phase: 'Pending', lastPhaseTransitionTime: draft.metadata.creationTimestamp };
  },
  prepareForStatusUpdate: (draft, old, { now }) => {
    const changed = stringAt(draft, 'status', 'phase') !== stringAt(old, 'status', 'phase');
    const status = madeAt(draft, 'status');
    if (changed) status['lastPhaseTransitionTime'] = timestamp(now);
  },
  validate: volumeErrors,
  // As in kube-apiserver, an update reports the errors of the volume twice.
  validateUpdate: (next, old) => [...volumeErrors(next), ...volumeErrors(next), ...volumeUpdateErrors(next, old)],
  warnings: (volume) => {
    const warnings = [...oldStorageClassWarnings(volume)];
    if (stringAt(volume, 'spec', 'persistentVolumeReclaimPolicy') === 'Recycle') {
      const why =
        'The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.';
      warnings.push(`spec.persistentVolumeReclaimPolicy: ${why}`);
    }
    return warnings;
  },
  cells: (volume, now) => {
    const claim = objectAt(volume, 'spec')['claimRef'];
    return [
      volume.metadata.name,
      String(objectAt(volume, 'spec', 'capacity')['storage'] ?? '0'),
      shownAccessModes(textsAt(volume, 'spec', 'accessModes')),
      stringAt(volume, 'spec', 'persistentVolumeReclaimPolicy'),
      volume.metadata.deletionTimestamp === undefined ? stringAt(volume, 'status', 'phase') : 'Terminating',
      isObject(claim) ? `${stringAt(claim, 'namespace')}/${stringAt(claim, 'name')}` : '',
      storageClassOf(volume),
      String(objectAt(volume, 'spec')['volumeAttributesClassName'] ?? '<unset>'),
      stringAt(volume, 'status', 'reason'),
      age(volume.metadata.creationTimestamp, now),
      stringAt(volume, 'spec', 'volumeMode') || '<unset>',
    ];
  },
};

function volumeErrors(volume: ApiObject): readonly FieldError[] {
  const spec = objectAt(volume, 'spec');
  const modes = textsAt(spec, 'accessModes');
  const errors: FieldError[] = [];
  if (modes.length === 0) errors.push(fieldErrors.required('spec.accessModes'));
  append(errors, accessModeErrors(modes, 'spec.accessModes'), capacityErrors(spec));
  const policies = ['Delete', 'Recycle', 'Retain'];
  append(
    errors,
    supportedErrors(spec['persistentVolumeReclaimPolicy'], 'spec.persistentVolumeReclaimPolicy', policies),
    affinityErrors(spec),
    sourceErrors(spec),
    unlessEmpty(stringAt(spec, 'storageClassName'), 'spec.storageClassName', dns1123SubdomainErrors),
    supportedErrors(spec['volumeMode'], 'spec.volumeMode', volumeModes),
  );
  return errors;
}

function capacityErrors(spec: JsonDraft): readonly FieldError[] {
  const capacity = objectAt(spec, 'capacity');
  const names = Object.keys(capacity);
  if (names.length === 0) {
    const message = 'Unsupported value: null: supported values: "storage"';
    return [
      fieldErrors.required('spec.capacity'),
      { reason: 'FieldValueNotSupported', field: 'spec.capacity', message },
    ];
  }
  if (capacity['storage'] === undefined || names.length > 1) {
    return [unsupportedStruct('spec.capacity', capacity, ['storage'])];
  }
  const amount = String(capacity['storage']);
  const at = 'spec.capacity[storage]';
  if (compareQuantities(amount, '0') <= 0) return [fieldErrors.invalid(at, amount, 'must be greater than zero')];
  return amountErrors('storage', amount, at);
}

function affinityErrors(spec: JsonDraft): readonly FieldError[] {
  const { nodeAffinity } = spec as { nodeAffinity?: unknown };
  if (!isObject(nodeAffinity)) return [];
  const required = nodeAffinity['required'];
  const at = 'spec.nodeAffinity.required';
  return isObject(required)
    ? nodeSelectorErrors(required, at)
    : [fieldErrors.required(at, 'must specify required node constraints')];
}

function sourceErrors(spec: JsonDraft): readonly FieldError[] {
  const kinds = Object.keys(sources).filter((kind) => isObject(spec[kind]));
  if (kinds.length === 0) return [fieldErrors.required('spec', 'must specify a volume type')];
  const errors = kinds.flatMap((kind, index) =>
    index === 0
      ? (sources[kind]?.(spec[kind] as JsonDraft, `spec.${kind}`) ?? [])
      : [fieldErrors.forbidden(`spec.${kind}`, 'may not specify more than 1 volume type')],
  );
  if (kinds[0] === 'local' && objectAt(spec, 'nodeAffinity')['required'] === undefined) {
    return [...errors, fieldErrors.required('spec.nodeAffinity', 'Local volume requires node affinity')];
  }
  return errors;
}

function volumeUpdateErrors(next: ApiObject, old: ApiObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const [after, before] = [objectAt(next, 'spec'), objectAt(old, 'spec')];
  const source = withoutNewSecret(after, before);
  if (Object.keys(sources).some((kind) => !deepEqual(source[kind], before[kind]))) {
    const diff = goDiff(goForm(before, volumeSourceShape), goForm(source, volumeSourceShape));
    const why = `spec.persistentvolumesource is immutable after creation\n${diff}`;
    errors.push(fieldErrors.forbidden('spec.persistentvolumesource', why));
  }
  if (after['volumeMode'] !== before['volumeMode']) {
    errors.push(fieldErrors.invalid('volumeMode', after['volumeMode'], 'field is immutable'));
  }
  const affinity = before['nodeAffinity'];
  if (affinity === undefined || deepEqual(withCurrentLabels(after['nodeAffinity']), withCurrentLabels(affinity))) {
    return errors;
  }
  const shown = JSON.stringify(goForm(after['nodeAffinity'], volumeAffinityShape));
  const message = `Invalid value: ${shown}: field is immutable, except for updating from beta label to GA`;
  return [...errors, { reason: 'FieldValueInvalid', field: 'nodeAffinity', message }];
}

/** Returns a spec without the secret for expansion, if an update adds this secret to a CSI volume. */
function withoutNewSecret(after: JsonDraft, before: JsonDraft): JsonDraft {
  const field = 'controllerExpandSecretRef';
  if (!isObject(before['csi']) || before['csi'][field] !== undefined || !isObject(after['csi'])) return after;
  const { [field]: _, ...csi } = after['csi'];
  return { ...after, csi };
}

/** Returns a node affinity in which the current node labels replace the deprecated labels. */
function withCurrentLabels(affinity: unknown): unknown {
  return objectsAt(affinity, 'required', 'nodeSelectorTerms').map((term) => ({
    ...term,
    matchExpressions: objectsAt(term, 'matchExpressions').map((requirement) => {
      const key = stringAt(requirement, 'key');
      return { ...requirement, key: currentLabels[key] ?? key };
    }),
  }));
}
