import { type FieldError, fieldErrors } from '@kubewright/api/schema';
import { isObject, type JsonObject, objectsAt, stringAt } from '../registry/json-object.js';

/** What is wrong with the selectors of a review; operators that are not known are let through, for newer clients. */
export function selectorErrors(attributes: JsonObject, path: string): readonly FieldError[] {
  return (['fieldSelector', 'labelSelector'] as const).flatMap((name) => {
    const selector = attributes[name];
    return isObject(selector) ? errorsOf(selector, `${path}.${name}`) : [];
  });
}

function errorsOf(selector: JsonObject, path: string): readonly FieldError[] {
  const raw = stringAt(selector, 'rawSelector');
  const requirements = objectsAt(selector, 'requirements');
  const errors: FieldError[] = [];
  if (raw !== '' && requirements.length > 0) {
    const why = 'may not specified at the same time as requirements';
    errors.push(fieldErrors.invalid(`${path}.rawSelector`, raw, why));
  }
  if (raw === '' && requirements.length === 0) {
    const why = `when ${path} is specified, requirements or rawSelector is required`;
    errors.push(fieldErrors.required(`${path}.requirements`, why));
  }
  requirements.forEach((each, index) => errors.push(...requirementErrors(each, `${path}.requirements[${index}]`)));
  return errors;
}

function requirementErrors(requirement: JsonObject, path: string): readonly FieldError[] {
  const { operator, values } = requirement;
  const some = Array.isArray(values) && values.length > 0;
  const errors: FieldError[] = [];
  if (stringAt(requirement, 'key') === '' && path.includes('.fieldSelector.')) {
    errors.push(fieldErrors.required(`${path}.key`, 'must be specified'));
  }
  if ((operator === 'In' || operator === 'NotIn') && !some) {
    errors.push(fieldErrors.required(`${path}.values`, "must be specified when `operator` is 'In' or 'NotIn'"));
  }
  if ((operator === 'Exists' || operator === 'DoesNotExist') && some) {
    const why = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
    errors.push(fieldErrors.forbidden(`${path}.values`, why));
  }
  return errors;
}
