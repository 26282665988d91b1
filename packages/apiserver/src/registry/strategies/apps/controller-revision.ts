import { type FieldError, fieldErrors } from '@kubewright/api/schema';
import { age } from '../../objects/age.js';
import type { ApiObject } from '../../objects/api-object.js';
import { isObject, numberAt } from '../../objects/json-object.js';
import type { Strategy } from '../../definitions/strategy.js';
import { notNegative, unchanged } from '../rules/field-checks.js';

/** The strategy for ControllerRevisions, whose data is immutable. */
export const controllerRevisionStrategy: Partial<Strategy> = {
  ownRules: true,
  defaults: (draft) => {
    draft['revision'] ??= 0;
  },
  validate: (revision) => {
    const errors: FieldError[] = notNegative(revision as never, '', 'revision').map(atTop);
    if (revision['data'] === undefined) errors.push(fieldErrors.required('data', 'data is mandatory'));
    else if (!isObject(revision['data'])) errors.push(fieldErrors.required('data', 'data must be a valid JSON object'));
    return errors;
  },
  validateUpdate: (next, old) => [
    ...notNegative(next as never, '', 'revision').map(atTop),
    ...unchanged(next, old, 'data'),
  ],
  cells: (revision, now) => [
    revision.metadata.name,
    controllerName(revision),
    numberAt(revision, 'revision') ?? 0,
    age(revision.metadata.creationTimestamp, now),
  ],
};

function atTop(error: FieldError): FieldError {
  return { ...error, field: error.field.replace(/^\./, '') };
}

/** Returns the controller of the object as `kind.group/name`, or `<none>`. The controller is the owner with `controller: true`. */
function controllerName({ metadata }: ApiObject): string {
  const owner = (metadata.ownerReferences ?? []).find(({ controller }) => controller === true);
  if (owner === undefined) return '<none>';
  const group = owner.apiVersion.includes('/') ? `.${owner.apiVersion.split('/')[0]}` : '';
  return `${owner.kind.toLowerCase()}${group}/${owner.name}`;
}
