import { compareQuantities, parseQuantity } from '@kubewright/api/quantity';
import { deepEqual } from '@kubewright/api/patch';
import { type FieldError, fieldErrors } from '@kubewright/api/schema';
import { age } from '../../objects/age.js';
import type { ApiObject, JsonDraft } from '../../objects/api-object.js';
import { copyJson, madeAt, objectAt, stringAt, textsAt } from '../../objects/json-object.js';
import type { Strategy } from '../../definitions/strategy.js';
import { shownAccessModes } from './access-modes.js';
import { defaultClaimSpec, normalizeSources } from './pod-spec/claim-spec-defaults.js';
import { claimSpecErrors } from './pod-spec/claim-spec-rules.js';
import { claimShape } from '../rules/claim-shapes.js';
import { goDiff } from '../rules/go-diff.js';
import { goForm } from '../rules/go-shape.js';
import { oldStorageClass, oldStorageClassWarnings, storageClassOf } from '../rules/storage-class-annotations.js';
import { persistentVolumeClaimQuota } from './persistent-volume-claim-quota.js';

/**
 * The strategy for PersistentVolumeClaims. The spec is immutable, except for an unset volumeName or storageClassName. The requested storage
 * and the volumeAttributesClassName of a bound claim are also mutable.
 */
export const persistentVolumeClaimStrategy: Partial<Strategy> = {
  ownRules: true,
  protectionFinalizer: 'kubernetes.io/pvc-protection',
  quotaRules: persistentVolumeClaimQuota,
  metadataRules: { validatesAgain: true },
  deletionRules: { returnsObject: true },
  defaults: (draft) => {
    defaultClaimSpec(madeAt(draft, 'spec'));
    defaultPhase(draft);
  },
  statusDefaults: defaultPhase,
  prepareForCreate: (draft) => {
    draft['status'] = {};
    normalizeSources(madeAt(draft, 'spec'));
  },
  prepareForUpdate: (draft) => normalizeSources(madeAt(draft, 'spec')),
  validate: claimErrors,
  validateUpdate: claimUpdateErrors,
  validateStatusUpdate: statusErrors,
  warnings: (claim) => [...oldStorageClassWarnings(claim), ...fractionWarnings(claim)],
  cells: (claim, now) => {
    const bound = stringAt(claim, 'spec', 'volumeName') !== '';
    return [
      claim.metadata.name,
      claim.metadata.deletionTimestamp === undefined ? stringAt(claim, 'status', 'phase') : 'Terminating',
      stringAt(claim, 'spec', 'volumeName'),
      bound ? String(objectAt(claim, 'status', 'capacity')['storage'] ?? '0') : '',
      bound ? shownAccessModes(textsAt(claim, 'status', 'accessModes')) : '',
      storageClassOf(claim),
      String(objectAt(claim, 'spec')['volumeAttributesClassName'] ?? '<unset>'),
      age(claim.metadata.creationTimestamp, now),
      stringAt(claim, 'spec', 'volumeMode') || '<unset>',
    ];
  },
};

function defaultPhase(claim: JsonDraft): void {
  if (stringAt(claim, 'status', 'phase') === '') madeAt(claim, 'status')['phase'] = 'Pending';
}

function fractionWarnings(claim: ApiObject): readonly string[] {
  return ['requests', 'limits'].flatMap((field) => {
    const amount = objectAt(claim, 'spec', 'resources', field)['storage'];
    if (typeof amount !== 'string' || parseQuantity(amount).nanos % 1_000_000_000n === 0n) return [];
    const why = `fractional byte value ${JSON.stringify(amount)} is invalid, must be an integer`;
    return [`spec.resources.${field}[storage]: ${why}`];
  });
}

function statusErrors(claim: ApiObject): readonly FieldError[] {
  const errors = textsAt(claim, 'spec', 'accessModes').length === 0 ? [fieldErrors.required('Spec.accessModes')] : [];
  for (const [name, amount] of Object.entries(objectAt(claim, 'status', 'capacity'))) {
    const { nanos } = parseQuantity(String(amount));
    if (nanos >= 0n) continue;
    const why = 'must be a valid resource quantity';
    errors.push(fieldErrors.invalid(`status.capacity[${name}]`, Number(nanos / 1_000_000_000n), why));
  }
  return errors;
}

function claimErrors(claim: ApiObject): readonly FieldError[] {
  return claimSpecErrors(objectAt(claim, 'spec'), 'spec');
}

function claimUpdateErrors(next: ApiObject, old: ApiObject): readonly FieldError[] {
  const errors = [...claimErrors(next), ...annotationErrors(next, old)];
  const after = comparable(next, old);
  const before = copyJson(objectAt(old, 'spec'));
  if (stringAt(before, 'volumeName') === '') setOrDelete(before, 'volumeName', after['volumeName']);
  if (!deepEqual(after, before)) {
    const why =
      'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';
    const diff = goDiff(goForm(before, claimShape), goForm(after, claimShape));
    errors.push(fieldErrors.forbidden('spec', `${why}\n${diff}`));
  }
  const size = requestedSize(next);
  const capacity = String(objectAt(old, 'status', 'capacity')['storage'] ?? '0');
  if (compareQuantities(size, requestedSize(old)) < 0 && compareQuantities(size, capacity) <= 0) {
    const why = 'field can not be less than status.capacity';
    errors.push(fieldErrors.forbidden('spec.resources.requests.storage', why));
  }
  const mode = stringAt(next, 'spec', 'volumeMode');
  if (mode !== stringAt(old, 'spec', 'volumeMode')) {
    errors.push(fieldErrors.invalid('volumeMode', mode, 'field is immutable'));
  }
  return [...errors, ...attributesErrors(next, old)];
}

function requestedSize(claim: ApiObject): string {
  return String(objectAt(claim, 'spec', 'resources', 'requests')['storage'] ?? '0');
}

/** Returns the error of a change of the storage class in the deprecated annotation. A claim may move the class to its spec. */
function annotationErrors(next: ApiObject, old: ApiObject): readonly FieldError[] {
  const [after = '', before = ''] = [next, old].map(({ metadata }) => metadata.annotations?.[oldStorageClass]);
  if (after === before || (after === '' && movesClass(next, old))) return [];
  return [fieldErrors.invalid(`metadata.annotations.${oldStorageClass}`, after, 'field is immutable')];
}

/** Whether an update sets the storageClassName of a claim to the class in the deprecated annotation. */
function movesClass(next: ApiObject, old: ApiObject): boolean {
  const before = old.metadata.annotations?.[oldStorageClass];
  return (
    before !== undefined &&
    objectAt(old, 'spec')['storageClassName'] === undefined &&
    objectAt(next, 'spec')['storageClassName'] === before
  );
}

/** Returns the error of an update that removes a volumeAttributesClassName although the volume has a class. */
function attributesErrors(next: ApiObject, old: ApiObject): readonly FieldError[] {
  const [name, before] = [next, old].map((claim) => objectAt(claim, 'spec')['volumeAttributesClassName']);
  const isApplied = objectAt(old, 'status')['currentVolumeAttributesClassName'] !== undefined;
  if (!isApplied || name === before || (name !== undefined && name !== '')) return [];
  const why = `update to ${name === '' ? 'empty string' : 'nil'} is forbidden when status.currentVolumeAttributesClassName is not nil`;
  return [fieldErrors.forbidden('spec.volumeAttributesClassName', why)];
}

/** Returns the new spec with the old values of the fields that the update may change, for the comparison with the old spec. */
function comparable(next: ApiObject, old: ApiObject): JsonDraft {
  const after = copyJson(objectAt(next, 'spec'));
  const before = objectAt(old, 'spec');
  const annotation = old.metadata.annotations?.[oldStorageClass];
  if (
    before['storageClassName'] === undefined &&
    (annotation ?? after['storageClassName']) === after['storageClassName']
  ) {
    delete after['storageClassName'];
  }
  if (stringAt(next, 'status', 'phase') !== 'Bound') return after;
  if (objectAt(after, 'resources')['requests'] !== undefined) {
    setOrDelete(
      madeAt(after, 'resources', 'requests'),
      'storage',
      objectAt(before, 'resources', 'requests')['storage'],
    );
  }
  setOrDelete(after, 'volumeAttributesClassName', before['volumeAttributesClassName']);
  return after;
}

function setOrDelete(target: JsonDraft, field: string, value: unknown): void {
  if (value === undefined) delete target[field];
  else target[field] = value;
}
