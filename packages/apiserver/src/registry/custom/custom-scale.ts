import { type FieldError, fieldErrors } from '@kubewright/api/schema';
import { type ApiObject, valueAt } from '../json-object.js';
import type { ScalePaths } from '../resource-definition.js';

const most = 2 ** 31 - 1;

/** What is wrong with the replicas that a custom object asks for, where it can be scaled. */
export function scaleSpecErrors(object: ApiObject, scale: ScalePaths | undefined): readonly FieldError[] {
  return scale === undefined ? [] : replicaErrors(object, scale.specReplicasPath);
}

/** What is wrong with the replicas and the selector that its status tells. */
export function scaleStatusErrors(object: ApiObject, scale: ScalePaths | undefined): readonly FieldError[] {
  return scale === undefined ? [] : replicaErrors(object, scale.statusReplicasPath);
}

function replicaErrors(object: ApiObject, path: string): readonly FieldError[] {
  const replicas = valueAt(object, ...path.split('.').slice(1));
  if (typeof replicas !== 'number') return [];
  if (replicas < 0) return [fieldErrors.invalid(path, replicas, 'should be a non-negative integer')];
  return replicas > most ? [fieldErrors.invalid(path, replicas, `should be less than or equal to ${most}`)] : [];
}
