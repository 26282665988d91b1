import { append } from '@kubewright/api/json';
import { dns1123SubdomainErrors, pathSegmentErrors } from '@kubewright/api/names';
import { type FieldError, fieldErrors } from '@kubewright/api/schema';
import { age } from '../../objects/age.js';
import type { JsonDraft } from '../../objects/api-object.js';
import { isObject, madeAt, objectAt, stringAt, valueAt } from '../../objects/json-object.js';
import type { Strategy } from '../../definitions/strategy.js';
import { addressFaults } from '../rules/addresses.js';
import { unchanged } from '../rules/field-checks.js';

const path = 'spec.parentRef';

/** The strategy for IPAddresses. The name is the address, and the parentRef is immutable. */
export const ipAddressStrategy: Partial<Strategy> = {
  ownRules: true,
  nameErrors: addressFaults,
  defaults: (draft) => {
    madeAt(draft, 'spec');
  },
  validate: (address) => {
    const parent = valueAt(address, 'spec', 'parentRef');
    return isObject(parent) ? parentErrors(parent) : [fieldErrors.required(path)];
  },
  validateUpdate: (next, old) => unchanged(next, old, path),
  cells: (address, now) => [
    address.metadata.name,
    parentText(objectAt(address, 'spec', 'parentRef')),
    age(address.metadata.creationTimestamp, now),
  ],
};

function parentErrors(parent: JsonDraft): readonly FieldError[] {
  const group = stringAt(parent, 'group');
  const errors: FieldError[] = [];
  if (group !== '') {
    append(
      errors,
      dns1123SubdomainErrors(group).map((why) => fieldErrors.invalid(`${path}.group`, group, why)),
    );
  }
  for (const field of ['resource', 'name', 'namespace']) {
    const value = stringAt(parent, field);
    if (value === '' && field !== 'namespace') errors.push(fieldErrors.required(`${path}.${field}`));
    append(
      errors,
      pathSegmentErrors(value).map((why) => fieldErrors.invalid(`${path}.${field}`, value, why)),
    );
  }
  return errors;
}

function parentText(parent: JsonDraft): string {
  const { group, resource, namespace, name } = parent;
  if (resource === undefined) return '<none>';
  const qualified = `${String(resource)}${group ? `.${String(group)}` : ''}`.toLowerCase();
  return [qualified, ...(namespace ? [String(namespace)] : []), String(name)].join('/');
}
