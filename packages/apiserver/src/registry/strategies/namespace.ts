import { dns1123LabelErrors } from '@kubewright/api/names';
import { age } from '../age.js';
import { copyJson, madeAt, objectAt, stringAt, valueAt } from '../json-object.js';
import type { Strategy } from '../strategy.js';

/** Namespaces: kept by spec.finalizers until their contents are gone; labelled with their own name. */
export const namespaceStrategy: Partial<Strategy> = {
  selectableFields: ['status.phase'],
  nameErrors: dns1123LabelErrors,
  defaults: (draft) => {
    const { name } = draft.metadata;
    if (name) draft.metadata.labels = { ...draft.metadata.labels, 'kubernetes.io/metadata.name': name };
  },
  prepareForCreate: (draft) => {
    draft['status'] = { phase: 'Active' };
    const spec = madeAt(draft, 'spec');
    const finalizers = Array.isArray(spec['finalizers']) ? spec['finalizers'] : [];
    if (!finalizers.includes('kubernetes')) spec['finalizers'] = [...finalizers, 'kubernetes'];
  },
  prepareForUpdate: (draft, old, { subresource }) => {
    if (subresource !== 'finalize') draft['spec'] = copyJson(valueAt(old, 'spec'));
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
