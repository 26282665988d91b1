import type { Steps } from '@kubewright/api/apply';
import {
  definitionErrorsSteps,
  definitionStatusErrors,
  definitionUpdateErrorsSteps,
  unrecognizedFormats,
} from '@kubewright/api/crd';
import { deepEqual } from '@kubewright/api/patch';
import { type FieldError, fieldErrors, TakesLong } from '@kubewright/api/schema';
import { cleanupFinalizer } from './cleanup-finalizer.js';
import { isTrue, setCondition } from './custom-definition-names.js';
import { validateInWorker } from '../../custom-validation/validate-in-worker.js';
import type { ApiObject, IncomingObject } from '../../objects/api-object.js';
import { copyJson, isObject, madeAt, objectsAt, stringAt, valueAt } from '../../objects/json-object.js';
import type { Strategy } from '../../definitions/strategy.js';
import { foregroundFinalizer, orphanFinalizer } from '../../metadata/deletion.js';
import { trustedAuthorities } from '../../webhooks/trusted-authorities.js';
import { WebhookCallError } from '../../webhooks/webhook-call-error.js';

/** The strategy for CustomResourceDefinitions. The registry accepts the names of a definition after the write. */
export const customResourceDefinitionStrategy: Partial<Strategy> = {
  metadataRules: { anyFinalizer: true },
  deletionRules: { setsDeletionTimestampFirst: true },
  storageFolder: 'apiextensions.k8s.io/customresourcedefinitions',
  tracksGeneration: true,
  allowUnconditionalUpdate: false,
  ownRules: true,
  storedVersion: 'v1beta1',
  defaults,
  prepareForCreate: (draft) => {
    draft['status'] = {
      conditions: null,
      acceptedNames: { plural: '', kind: '' },
      storedVersions: storageVersions(draft),
    };
  },
  prepareForUpdate: (draft, old) => {
    const status = madeAt(draft, 'status');
    Object.assign(status, copyJson(valueAt(old, 'status')));
    const known = valueAt(status, 'storedVersions');
    status['storedVersions'] = [
      ...new Set([...(Array.isArray(known) ? known.map(String) : []), ...storageVersions(draft)]),
    ];
  },
  // The server checks for remaining objects only after it has set the deletionTimestamp of the definition.
  holdsDeletion: ({ metadata }) => metadata.deletionTimestamp === undefined,
  prepareForDeletion: (draft) => {
    const { metadata } = draft;
    if (metadata.finalizers?.includes(cleanupFinalizer)) return;
    delete metadata.deletionGracePeriodSeconds;
    if (metadata.generation !== undefined) metadata.generation -= 1;
    const ownPolicy: readonly string[] = [foregroundFinalizer, orphanFinalizer, cleanupFinalizer];
    const others = (metadata.finalizers ?? []).filter((finalizer) => !ownPolicy.includes(finalizer));
    metadata.finalizers = [...others, cleanupFinalizer];
    const reason = 'InstanceDeletionPending';
    const message = 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon';
    const since = metadata.deletionTimestamp ?? '';
    setCondition(madeAt(draft, 'status'), { type: 'Terminating', status: 'True', reason, message }, since);
  },
  validateSteps: function* (crd, old) {
    return [...(yield* errorsOf(crd, old)), ...authorityErrors(crd, old)];
  },
  validateStatusUpdate: definitionStatusErrors,
  warnings: (crd, old) => {
    if (old !== undefined && deepEqual(old['spec'], crd['spec'])) return [];
    const before = new Set(old === undefined ? [] : unrecognizedFormats(old));
    const formats = unrecognizedFormats(crd).filter((format) => !before.has(format));
    return formats.map((format) => `unrecognized format ${JSON.stringify(format)}`);
  },
  cells: (crd: ApiObject) => [crd.metadata.name, crd.metadata.creationTimestamp],
};

/**
 * Validates a definition. The validation of the defaults in its schemas can take seconds. If the validation takes too long, a worker thread
 * repeats the whole validation.
 */
function* errorsOf(crd: ApiObject, old: ApiObject | undefined): Steps<readonly FieldError[]> {
  const options = { isBrief: true };
  try {
    if (old === undefined) return yield* definitionErrorsSteps(crd, options);
    return yield* definitionUpdateErrorsSteps(crd, old, options);
  } catch (error) {
    if (!(error instanceof TakesLong)) throw error;
  }
  return (yield* validateInWorker({ part: 'definition', object: crd, old })).errors;
}

function defaults(draft: IncomingObject): void {
  const spec = madeAt(draft, 'spec');
  const names = madeAt(spec, 'names');
  const kind = stringAt(names, 'kind');
  if (!names['singular'] && kind !== '') names['singular'] = kind.toLowerCase();
  if (!names['listKind'] && kind !== '') names['listKind'] = `${kind}List`;
  if (!isObject(spec['conversion'])) spec['conversion'] = { strategy: 'None' };
  const service = valueAt(spec, 'conversion', 'webhook', 'clientConfig', 'service');
  if (isObject(service)) service['port'] ??= 443;
  const status = madeAt(draft, 'status');
  const stored = status['storedVersions'];
  if (!Array.isArray(stored) || stored.length === 0) status['storedVersions'] = storageVersions(draft);
}

function storageVersions(draft: IncomingObject): readonly string[] {
  const stored = objectsAt(draft, 'spec', 'versions').find((version) => version['storage'] === true);
  return stored === undefined ? [] : [stringAt(stored, 'name')];
}

/**
 * Returns the error of an invalid `caBundle` of a conversion webhook. As in kube-apiserver, returns no error if the definition is not
 * established yet, or if the stored bundle is already invalid.
 */
function authorityErrors(crd: ApiObject, old: ApiObject | undefined): readonly FieldError[] {
  if (old === undefined || !isTrue(old, 'Established')) return [];
  const before = caBundleOf(old);
  if (before !== '' && authorityFault(before) !== undefined) return [];
  const caBundle = caBundleOf(crd);
  const fault = caBundle === '' ? undefined : authorityFault(caBundle);
  return fault === undefined
    ? []
    : [fieldErrors.invalid('spec.conversion.webhookClientConfig.caBundle', caBundle, fault)];
}

function caBundleOf(crd: ApiObject): string {
  return stringAt(crd, 'spec', 'conversion', 'webhook', 'clientConfig', 'caBundle');
}

function authorityFault(caBundle: string): string | undefined {
  try {
    trustedAuthorities(caBundle);
    return undefined;
  } catch (error) {
    if (error instanceof WebhookCallError) return error.message;
    throw error;
  }
}
