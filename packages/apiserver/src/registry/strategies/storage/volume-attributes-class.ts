import { deepEqual } from '@kubewright/api/patch';
import { type FieldError, fieldErrors } from '@kubewright/api/schema';
import { age } from '../../objects/age.js';
import type { ApiObject } from '../../objects/api-object.js';
import { objectAt, stringAt } from '../../objects/json-object.js';
import type { Strategy } from '../../definitions/strategy.js';
import { parameterErrors, provisionerErrors } from './storage-parameters.js';

/**
 * The strategy for VolumeAttributesClasses. The driverName and the parameters are immutable. A finalizer protects a class while a
 * PersistentVolume or a PersistentVolumeClaim names the class.
 */
export const volumeAttributesClassStrategy: Partial<Strategy> = {
  ownRules: true,
  protectionFinalizer: 'kubernetes.io/vac-protection',
  deletionRules: { returnsObject: true },
  defaults: (draft) => {
    draft['driverName'] ??= '';
  },
  validate: classErrors,
  validateUpdate: (next, old) => [
    ...['driverName', 'parameters']
      .filter((field) => !deepEqual(next[field], old[field]))
      .map((field) => fieldErrors.forbidden(field, `updates to ${field} are forbidden.`)),
    ...classErrors(next),
  ],
  cells: (volumeClass, now) => [
    volumeClass.metadata.name,
    stringAt(volumeClass, 'driverName'),
    age(volumeClass.metadata.creationTimestamp, now),
  ],
};

function classErrors(volumeClass: ApiObject): readonly FieldError[] {
  const parameters = objectAt(volumeClass, 'parameters');
  const errors = [
    ...provisionerErrors(stringAt(volumeClass, 'driverName'), 'driverName'),
    ...parameterErrors(parameters, 'parameters'),
  ];
  if (Object.keys(parameters).length > 0) return errors;
  return [...errors, fieldErrors.required('parameters', 'must contain at least one key/value pair')];
}
