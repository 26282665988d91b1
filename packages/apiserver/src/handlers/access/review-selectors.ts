import { KubewrightError } from '@kubewright/api/errors';
import { append } from '@kubewright/api/json';
import { labelValueErrors, qualifiedNameErrors } from '@kubewright/api/names';
import { type FieldError, fieldErrors } from '@kubewright/api/schema';
import { parseFieldSelector, parseLabelSelector } from '@kubewright/api/selectors';
import type { JsonObject } from '../../registry/objects/api-object.js';
import { isObject, objectsAt, stringAt } from '../../registry/objects/json-object.js';

/**
 * The maximum length of a raw selector that the server parses, in characters. The server reports a longer selector as ignored. RBAC does
 * not use selectors, so this limit does not change any decision.
 */
const mostRawLength = 64 * 1024;

/** Validates the selectors of a review. Accepts unknown operators, which newer clients can send. */
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
  requirements.forEach((each, index) => append(errors, requirementErrors(each, `${path}.requirements[${index}]`)));
  return errors;
}

function requirementErrors(requirement: JsonObject, path: string): readonly FieldError[] {
  const { operator, values } = requirement;
  const some = Array.isArray(values) && values.length > 0;
  const errors: FieldError[] = [];
  if (stringAt(requirement, 'key') === '' && path.includes('.fieldSelector.')) {
    errors.push(fieldErrors.required(`${path}.key`, 'must be specified'));
  }
  if (path.includes('.labelSelector.')) {
    const key = stringAt(requirement, 'key');
    append(
      errors,
      qualifiedNameErrors(key).map((why) => fieldErrors.invalid(`${path}.key`, key, why)),
    );
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

/**
 * Returns a message about the selectors of a review that the server cannot parse, or can parse only partially. Returns '' if the server can
 * parse all selectors.
 */
export function unreadSelectors(attributes: JsonObject, path: string): string {
  const problems = (['fieldSelector', 'labelSelector'] as const).flatMap((name) => {
    const selector = attributes[name];
    if (!isObject(selector)) return [];
    const { read, unread } = requirementCounts(selector, name);
    if (unread === 0) return [];
    return [`${path}.${name} ${read > 0 ? 'partially ' : ''}ignored due to parse error`];
  });
  return problems.join('; ');
}

function requirementCounts(
  selector: JsonObject,
  name: 'fieldSelector' | 'labelSelector',
): { readonly read: number; readonly unread: number } {
  const requirements = objectsAt(selector, 'requirements');
  if (requirements.length > 0) {
    const isRead = name === 'fieldSelector' ? isReadField : isReadLabel;
    const read = requirements.filter(isRead).length;
    return { read, unread: requirements.length - read };
  }
  try {
    const raw = stringAt(selector, 'rawSelector');
    if (raw.length > mostRawLength) return { read: 0, unread: 1 };
    if (name === 'fieldSelector') parseFieldSelector(raw);
    else parseLabelSelector(raw);
    return { read: 1, unread: 0 };
  } catch (error) {
    if (error instanceof KubewrightError) return { read: 0, unread: 1 };
    throw error;
  }
}

function isReadField({ operator, values }: JsonObject): boolean {
  return (operator === 'In' || operator === 'NotIn') && Array.isArray(values) && values.length === 1;
}

function isReadLabel({ operator, values }: JsonObject): boolean {
  const known = ['In', 'NotIn', 'Exists', 'DoesNotExist'].includes(String(operator));
  const given = Array.isArray(values) ? values.map(String) : [];
  return known && given.every((value) => labelValueErrors(value).length === 0);
}
