import { dns1123SubdomainErrors } from '@kubewright/api/names';
import { compareQuantities, isQuantity } from '@kubewright/api/quantity';
import { type FieldError, fieldErrors } from '@kubewright/api/schema';
import type { ApiObject } from '../../objects/api-object.js';
import { stringAt } from '../../objects/json-object.js';
import type { Strategy } from '../../definitions/strategy.js';
import { labelSelectorErrors, unchanged } from '../rules/field-checks.js';

/** The strategy for CSIStorageCapacities. The storage class and the topology are immutable. */
export const csiStorageCapacityStrategy: Partial<Strategy> = {
  ownRules: true,
  metadataRules: { validatesAgain: true },
  defaults: (draft) => {
    draft['storageClassName'] ??= '';
  },
  validate: capacityErrors,
  validateUpdate: (next, old) => [
    ...capacityErrors(next),
    ...unchanged(next, old, 'nodeTopology'),
    ...unchanged(next, old, 'storageClassName'),
  ],
  cells: ({ metadata }) => [metadata.name, metadata.creationTimestamp],
};

function capacityErrors(capacity: ApiObject): readonly FieldError[] {
  const name = stringAt(capacity, 'storageClassName');
  const amount = capacity['capacity'];
  const errors: FieldError[] = [
    ...labelSelectorErrors(capacity['nodeTopology'], 'nodeTopology'),
    ...dns1123SubdomainErrors(name).map((why) => fieldErrors.invalid('storageClassName', name, why)),
  ];
  if (isQuantity(amount) && compareQuantities(String(amount), '0') < 0) {
    errors.push(fieldErrors.invalid('capacity', amount, 'must be greater than or equal to 0'));
  }
  return errors;
}
