import {
  copyJson,
  madeAt,
  objectAt,
  objectsAt,
  stringAt,
  type ApiObject,
  type DraftObject,
  type JsonDraft,
  valueAt,
} from '../json-object.js';
import type { Strategy } from '../strategy.js';
import {
  customResourceDefinitionErrors,
  customResourceDefinitionUpdateErrors,
} from './custom-resource-definition-rules.js';

/** Keeps a definition until its objects are gone. */
export const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io';

/** CustomResourceDefinitions: their names are accepted and they are established in the write that makes them. */
export const customResourceDefinitionStrategy: Partial<Strategy> = {
  tracksGeneration: true,
  allowUnconditionalUpdate: false,
  defaults: (draft) => {
    const spec = madeAt(draft, 'spec');
    const names = madeAt(spec, 'names');
    const kind = stringAt(names, 'kind');
    if (kind !== '') {
      names['singular'] ||= kind.toLowerCase();
      names['listKind'] ||= `${kind}List`;
    }
    madeAt(spec, 'conversion')['strategy'] ??= 'None';
  },
  prepareForCreate: (draft) => {
    draft.metadata.finalizers = [...(draft.metadata.finalizers ?? []), cleanupFinalizer];
    draft['status'] = {
      acceptedNames: copyJson(objectAt(draft, 'spec', 'names')),
      conditions: establishedConditions(draft),
      storedVersions: storageVersions(draft),
    };
  },
  prepareForUpdate: (draft, old) => {
    const before = valueAt(old, 'status', 'storedVersions');
    const known = Array.isArray(before) ? before.map(String) : [];
    const status = madeAt(draft, 'status');
    status['acceptedNames'] = copyJson(objectAt(draft, 'spec', 'names'));
    status['storedVersions'] = [...new Set([...known, ...storageVersions(draft)])];
  },
  prepareForDeletion: (draft) => {
    const status = madeAt(draft, 'status');
    const others = objectsAt(status, 'conditions').filter(({ type }) => type !== 'Terminating');
    const terminating = condition('Terminating', draft.metadata.deletionTimestamp ?? '', {
      reason: 'InstanceDeletionInProgress',
      message: 'CustomResource deletion is in progress',
    });
    status['conditions'] = [...others, terminating];
  },
  validate: customResourceDefinitionErrors,
  validateUpdate: customResourceDefinitionUpdateErrors,
  cells: (crd: ApiObject) => [crd.metadata.name, crd.metadata.creationTimestamp],
};

function establishedConditions(draft: DraftObject): readonly JsonDraft[] {
  const since = draft.metadata.creationTimestamp ?? '';
  return [
    condition('NamesAccepted', since, { reason: 'NoConflicts', message: 'no conflicts found' }),
    condition('Established', since, {
      reason: 'InitialNamesAccepted',
      message: 'the initial names have been accepted',
    }),
  ];
}

function condition(type: string, since: string, why: { readonly reason: string; readonly message: string }): JsonDraft {
  return { lastTransitionTime: since, message: why.message, reason: why.reason, status: 'True', type };
}

function storageVersions(draft: DraftObject): readonly string[] {
  const stored = objectsAt(draft, 'spec', 'versions').filter((version) => version['storage'] === true);
  return stored.map((version) => stringAt(version, 'name'));
}
