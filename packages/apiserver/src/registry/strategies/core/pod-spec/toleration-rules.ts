import { append } from '@kubewright/api/json';
import { labelValueErrors } from '@kubewright/api/names';
import { errorsOfEach, type FieldError, fieldErrors } from '@kubewright/api/schema';
import type { JsonDraft } from '../../../objects/api-object.js';
import { stringAt } from '../../../objects/json-object.js';
import { qualifiedErrors, supportedErrors } from './value-rules.js';

/** The effects of taints, in the order of error texts. */
export const taintEffects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

/** Returns the errors of tolerations. */
export function tolerationErrors(tolerations: readonly JsonDraft[], path: string): readonly FieldError[] {
  return errorsOfEach(tolerations, (toleration, index) => {
    const at = `${path}[${index}]`;
    const key = stringAt(toleration, 'key');
    const operator = stringAt(toleration, 'operator');
    const effect = stringAt(toleration, 'effect');
    const errors = key === '' ? [] : [...qualifiedErrors(key, `${at}.key`)];
    if (key === '' && operator !== 'Exists') {
      const why = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
      errors.push(fieldErrors.invalid(`${at}.operator`, operator, why));
    }
    if (toleration['tolerationSeconds'] !== undefined && effect !== 'NoExecute') {
      const why = "effect must be 'NoExecute' when `tolerationSeconds` is set";
      errors.push(fieldErrors.invalid(`${at}.effect`, effect, why));
    }
    append(errors, valueErrors(operator, stringAt(toleration, 'value'), at));
    if (effect !== '') append(errors, supportedErrors(effect, `${at}.effect`, taintEffects));
    return errors;
  });
}

function valueErrors(operator: string, value: string, path: string): readonly FieldError[] {
  switch (operator) {
    case 'Equal':
    case '': {
      const reasons = labelValueErrors(value);
      return reasons.length === 0 ? [] : [fieldErrors.invalid(`${path}.operator`, value, reasons.join(';'))];
    }
    case 'Exists': {
      const why = "value must be empty when `operator` is 'Exists'";
      return value === '' ? [] : [fieldErrors.invalid(`${path}.operator`, value, why)];
    }
    case 'Lt':
    case 'Gt':
      return [fieldErrors.notSupported(`${path}.operator`, operator, ['Equal', 'Exists', 'Lt', 'Gt'])];
    default:
      return [fieldErrors.notSupported(`${path}.operator`, operator, ['Equal', 'Exists'])];
  }
}
