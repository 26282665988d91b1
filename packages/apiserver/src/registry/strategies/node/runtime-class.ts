import { append } from '@kubewright/api/json';
import { dns1123LabelErrors } from '@kubewright/api/names';
import { type FieldError, fieldErrors } from '@kubewright/api/schema';
import { age } from '../../objects/age.js';
import type { ApiObject } from '../../objects/api-object.js';
import { isObject, objectAt, objectsAt, stringAt } from '../../objects/json-object.js';
import type { Strategy } from '../../definitions/strategy.js';
import { unchanged } from '../rules/field-checks.js';
import { labelMapErrors } from '../core/pod-spec/label-rules.js';
import { requirementErrors } from '../core/pod-spec/resource-rules.js';
import { tolerationErrors } from '../core/pod-spec/toleration-rules.js';
import { ClaimNames } from '../core/pod-spec/claim-names.js';
import { repeatedPositions } from '../rules/repeated-positions.js';

/** The strategy for RuntimeClasses. The handler is immutable. */
export const runtimeClassStrategy: Partial<Strategy> = {
  ownRules: true,
  metadataRules: { validatesAgain: true, anyFinalizer: true },
  allowCreateOnUpdate: false,
  defaults: (draft) => {
    draft['handler'] ??= '';
  },
  validate: classErrors,
  validateUpdate: (next, old) => [...classErrors(next), ...unchanged(next, old, 'handler')],
  cells: (runtimeClass, now) => [
    runtimeClass.metadata.name,
    stringAt(runtimeClass, 'handler'),
    age(runtimeClass.metadata.creationTimestamp, now),
  ],
};

function classErrors(runtimeClass: ApiObject): readonly FieldError[] {
  const handler = stringAt(runtimeClass, 'handler');
  const errors: FieldError[] = handler === '' ? [fieldErrors.required('handler')] : [];
  if (handler !== '')
    append(
      errors,
      dns1123LabelErrors(handler).map((why) => fieldErrors.invalid('handler', handler, why)),
    );
  if (isObject(runtimeClass['overhead'])) {
    const limits = objectAt(runtimeClass, 'overhead', 'podFixed');
    append(errors, requirementErrors({ limits }, 'overhead', { claims: new ClaimNames([]) }));
  }
  const scheduling = objectAt(runtimeClass, 'scheduling');
  append(errors, labelMapErrors(objectAt(scheduling, 'nodeSelector'), 'scheduling.nodeSelector'));
  const tolerations = objectsAt(scheduling, 'tolerations');
  append(errors, tolerationErrors(tolerations, 'scheduling.tolerations'));
  for (const index of repeatedPositions(tolerations.map(listKey))) {
    errors.push(fieldErrors.duplicate(`scheduling.tolerations[${index}]`, tolerations[index]));
  }
  return errors;
}

function listKey({ key, operator, value, effect }: Record<string, unknown>): string {
  return JSON.stringify([key ?? '', operator ?? '', value ?? '', effect ?? '']);
}
