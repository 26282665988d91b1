import { type FieldError, fieldErrors } from '@kubewright/api/schema';
import type { ApiObject } from '../objects/api-object.js';
import { valueAt } from '../objects/json-object.js';
import type { ScalePaths } from '../definitions/resource-definition.js';

const most = 2 ** 31 - 1;

/** Returns the errors of the replicas in the spec of a custom object, if the resource has a scale subresource. */
export function scaleSpecErrors(object: ApiObject, scale: ScalePaths | undefined): readonly FieldError[] {
  return scale === undefined ? [] : replicaErrors(object, scale.specReplicasPath);
}

/** Returns the errors of the replicas in the status of a custom object, if the resource has a scale subresource. */
export function scaleStatusErrors(object: ApiObject, scale: ScalePaths | undefined): readonly FieldError[] {
  return scale === undefined ? [] : replicaErrors(object, scale.statusReplicasPath);
}

function replicaErrors(object: ApiObject, path: string): readonly FieldError[] {
  const replicas = valueAt(object, ...path.split('.').slice(1));
  if (typeof replicas !== 'number') return [];
  if (replicas < 0) return [fieldErrors.invalid(path, replicas, 'should be a non-negative integer')];
  return replicas > most ? [fieldErrors.invalid(path, replicas, `should be less than or equal to ${most}`)] : [];
}
