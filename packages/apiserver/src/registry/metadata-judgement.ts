import type { FieldError } from '@kubewright/api/schema';
import type { ApiObject } from './json-object.js';
import { finalizerNameErrors, metadataUpdateErrors } from './metadata-rules.js';
import type { ResourceDefinition } from './resource-definition.js';

/** The kinds whose updates are validated again by the rules for new objects. */
const judgedAgain: ReadonlySet<string> = new Set([
  '/configmaps',
  '/endpoints',
  '/namespaces',
  '/persistentvolumeclaims',
  '/persistentvolumes',
  '/pods',
  '/secrets',
  '/serviceaccounts',
  'batch/jobs',
  'networking.k8s.io/ingressclasses',
  'networking.k8s.io/ingresses',
  'node.k8s.io/runtimeclasses',
  'rbac.authorization.k8s.io/clusterrolebindings',
  'rbac.authorization.k8s.io/clusterroles',
  'rbac.authorization.k8s.io/rolebindings',
  'rbac.authorization.k8s.io/roles',
  'resource.k8s.io/deviceclasses',
  'resource.k8s.io/resourceclaims',
  'resource.k8s.io/resourceclaimtemplates',
  'storage.k8s.io/csistoragecapacities',
  'storage.k8s.io/storageclasses',
]);
/** The kinds whose metadata is validated only by the common rules. */
const unjudged: ReadonlySet<string> = new Set(['policy/poddisruptionbudgets', 'batch/cronjobs/status']);
/** The kinds that accept any finalizer name. */
const anyFinalizer: ReadonlySet<string> = new Set([
  'coordination.k8s.io/leases',
  'node.k8s.io/runtimeclasses',
  'policy/poddisruptionbudgets',
]);

/** Returns the errors of finalizer names by the rules of built-in kinds. */
export function kindFinalizerErrors(object: ApiObject, definition: ResourceDefinition): readonly FieldError[] {
  const { custom, group, storageBucket } = definition;
  return custom || group === 'apiextensions.k8s.io' || anyFinalizer.has(storageBucket)
    ? []
    : finalizerNameErrors(object);
}

/**
 * Returns the errors of the metadata of an update, repeated as often as kube-apiserver repeats them. `general` contains the errors of the
 * metadata itself. The common rules report the errors of a change, and the rules of the kind report them again.
 */
export function metadataErrorsOfUpdate(
  { next, old }: { readonly next: ApiObject; readonly old: ApiObject },
  general: readonly FieldError[],
  { definition, subresource }: { readonly definition: ResourceDefinition; readonly subresource: string | undefined },
): readonly FieldError[] {
  const changes = metadataUpdateErrors(next, old, general);
  const common = [...general, ...changes];
  const { storageBucket } = definition;
  const judged = subresource === undefined ? storageBucket : `${storageBucket}/${subresource}`;
  if (unjudged.has(storageBucket) || unjudged.has(judged)) return common;
  const finalizers = kindFinalizerErrors(next, definition);
  const ofKind = [...changes, ...finalizers];
  return judgedAgain.has(judged) ? [...common, ...ofKind, ...general, ...finalizers] : [...common, ...ofKind];
}
