import { append } from '@kubewright/api/json';
import { errorsOfEach, type FieldError, fieldErrors } from '@kubewright/api/schema';
import { qualifiedNameErrors } from '@kubewright/api/names';
import { age } from '../../objects/age.js';
import type { ApiObject, JsonDraft } from '../../objects/api-object.js';
import { objectAt, objectsAt, stringAt, textsAt } from '../../objects/json-object.js';
import type { Strategy } from '../../definitions/strategy.js';
import { fill, unchanged } from '../rules/field-checks.js';
import { isDefaultClass } from '../rules/storage-class-annotations.js';
import { parameterErrors, provisionerErrors } from './storage-parameters.js';
import { repeatedPositions } from '../rules/repeated-positions.js';

const bindingModes = ['Immediate', 'WaitForFirstConsumer'];
const reclaimPolicies = ['Delete', 'Retain'];

/** The strategy for StorageClasses. The parameters, provisioner, reclaimPolicy and volumeBindingMode are immutable. */
export const storageClassStrategy: Partial<Strategy> = {
  ownRules: true,
  metadataRules: { validatesAgain: true },
  deletionRules: { returnsObject: true },
  allowCreateOnUpdate: false,
  defaults: (draft) => {
    fill(draft, { reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' });
    draft['provisioner'] ??= '';
  },
  validate: classErrors,
  validateUpdate: (next, old) => [
    ...classErrors(next),
    ...['parameters', 'provisioner', 'reclaimPolicy', 'volumeBindingMode'].flatMap((field) =>
      unchanged(next, old, field),
    ),
  ],
  cells: (storageClass, now) => [
    storageClass.metadata.name + (isDefaultClass(storageClass) ? ' (default)' : ''),
    stringAt(storageClass, 'provisioner'),
    stringAt(storageClass, 'reclaimPolicy'),
    stringAt(storageClass, 'volumeBindingMode'),
    storageClass['allowVolumeExpansion'] === true,
    age(storageClass.metadata.creationTimestamp, now),
  ],
};

function classErrors(storageClass: ApiObject): readonly FieldError[] {
  return [
    ...provisionerErrors(stringAt(storageClass, 'provisioner'), 'provisioner'),
    ...parameterErrors(objectAt(storageClass, 'parameters'), 'parameters'),
    ...oneOfErrors(storageClass, 'reclaimPolicy', reclaimPolicies),
    ...oneOfErrors(storageClass, 'volumeBindingMode', bindingModes),
    ...topologyErrors(objectsAt(storageClass, 'allowedTopologies')),
  ];
}

function oneOfErrors(object: ApiObject, field: string, allowed: readonly string[]): readonly FieldError[] {
  const value = stringAt(object, field);
  return allowed.includes(value) ? [] : [fieldErrors.notSupported(field, value, allowed)];
}

function topologyErrors(terms: readonly JsonDraft[]): readonly FieldError[] {
  return errorsOfEach(terms, (term, index) => {
    const keys = new Set<string>();
    return errorsOfEach(objectsAt(term, 'matchLabelExpressions'), (expression, at) => {
      const path = `allowedTopologies[${index}].matchLabelExpressions[${at}]`;
      const key = stringAt(expression, 'key');
      const values = textsAt(expression, 'values');
      const errors: FieldError[] = values.length === 0 ? [fieldErrors.required(`${path}.values`)] : [];
      for (const position of repeatedPositions(values)) {
        errors.push(fieldErrors.duplicate(`${path}.values[${position}]`, values[position]));
      }
      append(
        errors,
        qualifiedNameErrors(key).map((why) => fieldErrors.invalid(`${path}.key`, key, why)),
      );
      if (keys.has(key)) errors.push(fieldErrors.duplicate(`${path}.key`, key));
      keys.add(key);
      return errors;
    });
  });
}
