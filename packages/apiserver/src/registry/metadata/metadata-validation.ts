import type { FieldError } from '@kubewright/api/schema';
import type { ApiObject } from '../objects/api-object.js';
import { finalizerNameErrors, metadataUpdateErrors } from './metadata-rules.js';
import type { ResourceDefinition } from '../definitions/resource-definition.js';

/** Returns the errors of the finalizer names of an object. Returns no errors for a kind that accepts any finalizer name. */
export function kindFinalizerErrors(object: ApiObject, definition: ResourceDefinition): readonly FieldError[] {
  return definition.strategy.metadataRules?.anyFinalizer ? [] : finalizerNameErrors(object);
}

/**
 * Returns the errors in the metadata of an update, repeated as often as kube-apiserver repeats them. `general` contains the errors of the
 * new metadata. Most errors of the change occur twice, because the rules for all kinds and the rules of the kind report them.
 */
export function metadataErrorsOfUpdate(
  { next, old }: { readonly next: ApiObject; readonly old: ApiObject },
  general: readonly FieldError[],
  { definition, subresource }: { readonly definition: ResourceDefinition; readonly subresource: string | undefined },
): readonly FieldError[] {
  const changes = metadataUpdateErrors(next, old, general);
  const common = [...general, ...changes];
  const { validatesAgain, onlyCommon } = definition.strategy.metadataRules ?? {};
  if (onlyCommon === 'all' || (onlyCommon === 'status' && subresource === 'status')) return common;
  const finalizers = kindFinalizerErrors(next, definition);
  const ofKind = [...changes, ...finalizers];
  const again = validatesAgain && subresource === undefined;
  return again ? [...common, ...ofKind, ...general, ...finalizers] : [...common, ...ofKind];
}
