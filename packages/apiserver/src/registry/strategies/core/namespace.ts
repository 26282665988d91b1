import { dns1123LabelErrors } from '@kubewright/api/names';
import { errorsOfEach, type FieldError, fieldErrors } from '@kubewright/api/schema';
import { age } from '../../objects/age.js';
import type { ApiObject } from '../../objects/api-object.js';
import { copyJson, madeAt, objectAt, stringAt, textsAt, valueAt } from '../../objects/json-object.js';
import type { Strategy } from '../../definitions/strategy.js';
import { fill } from '../rules/field-checks.js';
import { qualifiedErrors } from './pod-spec/value-rules.js';

const standardFinalizers: ReadonlySet<string> = new Set(['kubernetes', 'orphan', 'foregroundDeletion']);

/**
 * The strategy for Namespaces. A Namespace is removed only after spec.finalizers is empty. The label `kubernetes.io/metadata.name` contains
 * the name.
 */
export const namespaceStrategy: Partial<Strategy> = {
  ownRules: true,
  metadataRules: { validatesAgain: true },
  deletionRules: { returnsObject: true, setsDeletionTimestampFirst: true },
  selectableFields: ['status.phase'],
  nameErrors: dns1123LabelErrors,
  defaults: (draft) => {
    const { name } = draft.metadata;
    if (name) draft.metadata.labels = { ...draft.metadata.labels, 'kubernetes.io/metadata.name': name };
  },
  initialStatus: () => ({ phase: 'Active' }),
  prepareForCreate: (draft) => {
    draft['status'] = { phase: 'Active' };
    const spec = madeAt(draft, 'spec');
    const finalizers = Array.isArray(spec['finalizers']) ? spec['finalizers'] : [];
    if (!finalizers.includes('kubernetes')) spec['finalizers'] = [...finalizers, 'kubernetes'];
  },
  prepareForUpdate: (draft, old, { subresource }) => {
    if (subresource !== 'finalize') draft['spec'] = copyJson(valueAt(old, 'spec'));
  },
  prepareForStatusUpdate: (next) => {
    fill(madeAt(next, 'status'), { phase: 'Active' });
  },
  validate: (namespace) => finalizerErrors(namespace, () => 'spec.finalizers'),
  validateUpdate: (next) => finalizerErrors(next, (index) => `spec.finalizers[${index}]`),
  validateStatusUpdate: (next) => {
    const phase = stringAt(next, 'status', 'phase');
    const deleted = next.metadata.deletionTimestamp !== undefined;
    if (phase === (deleted ? 'Terminating' : 'Active')) return [];
    const why = deleted
      ? "may only be 'Terminating' if `deletionTimestamp` is not empty"
      : "may only be 'Active' if `deletionTimestamp` is empty";
    return [fieldErrors.invalid('status.Phase', phase, why)];
  },
  prepareForDeletion: (draft) => {
    madeAt(draft, 'status')['phase'] = 'Terminating';
    delete draft.metadata.deletionGracePeriodSeconds;
  },
  holdsDeletion: (namespace) => {
    const finalizers = objectAt(namespace, 'spec')['finalizers'];
    return Array.isArray(finalizers) && finalizers.length > 0;
  },
  cells: (namespace, now) => [
    namespace.metadata.name,
    stringAt(namespace, 'status', 'phase'),
    age(namespace.metadata.creationTimestamp, now),
  ],
};

function finalizerErrors(namespace: ApiObject, pathOf: (index: number) => string): readonly FieldError[] {
  return errorsOfEach(textsAt(namespace, 'spec', 'finalizers'), (name, index) => {
    const path = pathOf(index);
    const errors = [...qualifiedErrors(name, path)];
    if (!name.includes('/') && !standardFinalizers.has(name)) {
      const why = 'name is neither a standard finalizer name nor is it fully qualified';
      errors.push(fieldErrors.invalid(path, name, why));
    }
    return errors;
  });
}
