import { qualifiedNameErrors } from '@kubewright/api/names';
import { errorsOfEach, type FieldError, fieldErrors } from '@kubewright/api/schema';
import type { JsonDraft } from '../../objects/api-object.js';
import { numberAt, stringAt } from '../../objects/json-object.js';
import { repeatedPositions } from '../rules/repeated-positions.js';

const statuses = ['False', 'True', 'Unknown'];
const longestReason = 1024;
const longestMessage = 32 * 1024;
const reasonForm = '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?';
const reasonText =
  "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', " +
  "and must end with an alphanumeric character or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  " +
  `or 'ReasonA:ReasonB', regex used for validation is '${reasonForm}')`;

/** Returns the errors of conditions in the standard form of metav1.Condition. */
export function conditionErrors(conditions: readonly JsonDraft[], path: string): readonly FieldError[] {
  const types = conditions.map((condition) => stringAt(condition, 'type'));
  const repeated = repeatedPositions(types);
  return errorsOfEach(conditions, (condition, index) => {
    const at = `${path}[${index}]`;
    const known = repeated.has(index) ? [fieldErrors.duplicate(`${at}.type`, types[index])] : [];
    return [...known, ...errorsOf(condition, at)];
  });
}

function errorsOf(condition: JsonDraft, at: string): readonly FieldError[] {
  const [type, status, reason] = ['type', 'status', 'reason'].map((field) => stringAt(condition, field)) as [
    string,
    string,
    string,
  ];
  const errors = qualifiedNameErrors(type).map((why) => fieldErrors.invalid(`${at}.type`, type, why));
  if (!statuses.includes(status)) errors.push(fieldErrors.notSupported(`${at}.status`, status, statuses));
  const generation = numberAt(condition, 'observedGeneration') ?? 0;
  if (generation < 0) {
    const why = 'must be greater than or equal to zero';
    errors.push(fieldErrors.invalid(`${at}.observedGeneration`, generation, why));
  }
  if (stringAt(condition, 'lastTransitionTime') === '') errors.push(fieldErrors.required(`${at}.lastTransitionTime`));
  if (reason === '') errors.push(fieldErrors.required(`${at}.reason`));
  else if (!new RegExp(`^${reasonForm}$`).test(reason)) {
    errors.push(fieldErrors.invalid(`${at}.reason`, reason, reasonText));
  }
  if (reason.length > longestReason) errors.push(fieldErrors.tooLong(`${at}.reason`, longestReason));
  if (stringAt(condition, 'message').length > longestMessage) {
    errors.push(fieldErrors.tooLong(`${at}.message`, longestMessage));
  }
  return errors;
}
