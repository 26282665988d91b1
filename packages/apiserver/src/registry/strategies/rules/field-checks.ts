import { append } from '@kubewright/api/json';
import { deepEqual } from '@kubewright/api/patch';
import { errorsOfEach, type FieldError, fieldErrors } from '@kubewright/api/schema';
import { labelValueErrors, qualifiedNameErrors } from '@kubewright/api/names';
import type { JsonDraft } from '../../objects/api-object.js';
import { isObject, numberAt, objectAt, objectsAt, stringAt, textsAt, valueAt } from '../../objects/json-object.js';
import { invalidStruct } from './go-text.js';

/** Returns an error for each of the fields that contains a negative number. */
export function notNegative(object: JsonDraft, path: string, ...fields: readonly string[]): readonly FieldError[] {
  return fields.flatMap((field) => {
    const value = object[field];
    if (typeof value !== 'number' || value >= 0) return [];
    return [fieldErrors.invalid(`${path}.${field}`, value, 'must be greater than or equal to 0')];
  });
}

/** Returns the error of an immutable field that an update changes. `path` is the dotted path of the field in the object. */
export function unchanged(next: unknown, old: unknown, path: string): readonly FieldError[] {
  const value = valueAt(next, ...path.split('.'));
  if (deepEqual(value, valueAt(old, ...path.split('.')))) return [];
  const why = 'field is immutable';
  return [isSelector(value) ? invalidSelector(path, value, why) : fieldErrors.invalid(path, value ?? null, why)];
}

/** Returns the error of a status field whose value decreases. */
export function notDecremented(next: unknown, old: unknown, field: string): readonly FieldError[] {
  const value = numberAt(next, 'status', field) ?? 0;
  if (value >= (numberAt(old, 'status', field) ?? 0)) return [];
  return [fieldErrors.invalid(`status.${field}`, value, 'cannot be decremented')];
}

/** Returns the errors of a LabelSelector. */
export function labelSelectorErrors(selector: unknown, path: string): readonly FieldError[] {
  const labels = Object.entries(objectAt(selector, 'matchLabels'));
  return [
    ...errorsOfEach(labels, ([key, value]) => [
      ...qualifiedNameErrors(key).map((why) => fieldErrors.invalid(`${path}.matchLabels`, key, why)),
      ...labelValueErrors(String(value)).map((why) => fieldErrors.invalid(`${path}.matchLabels`, value, why)),
    ]),
    ...errorsOfEach(objectsAt(selector, 'matchExpressions'), (expression, index) =>
      requirementErrors(expression, `${path}.matchExpressions[${index}]`),
    ),
  ];
}

/** Returns the errors of the values in a selector requirement with a set operator. Returns undefined for any other operator. */
export function setOperatorErrors(
  operator: string,
  values: readonly string[],
  path: string,
): readonly FieldError[] | undefined {
  if (operator === 'In' || operator === 'NotIn') {
    const why = "must be specified when `operator` is 'In' or 'NotIn'";
    return values.length === 0 ? [fieldErrors.required(`${path}.values`, why)] : [];
  }
  if (operator !== 'Exists' && operator !== 'DoesNotExist') return undefined;
  const why = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
  return values.length > 0 ? [fieldErrors.forbidden(`${path}.values`, why)] : [];
}

function requirementErrors(expression: JsonDraft, path: string): readonly FieldError[] {
  const operator = stringAt(expression, 'operator');
  const key = stringAt(expression, 'key');
  const values = textsAt(expression, 'values');
  const errors: FieldError[] = [];
  const notValid = fieldErrors.invalid(`${path}.operator`, operator, 'not a valid selector operator');
  append(errors, setOperatorErrors(operator, values, path) ?? [notValid]);
  append(
    errors,
    qualifiedNameErrors(key).map((why) => fieldErrors.invalid(`${path}.key`, key, why)),
  );
  for (const [index, value] of values.entries()) {
    const whys = labelValueErrors(value);
    append(
      errors,
      whys.map((why) => fieldErrors.invalid(`${path}.values[${index}]`, value, why)),
    );
  }
  return errors;
}

/** Returns an `Invalid value: <selector>: <detail>` error. The matchLabels are sorted by key. The matchExpressions keep their order. */
export function invalidSelector(path: string, selector: unknown, detail: string): FieldError {
  const labels = objectAt(selector, 'matchLabels');
  const sorted = Object.fromEntries(Object.entries(labels).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  const expressions = objectsAt(selector, 'matchExpressions').map(({ key = '', operator = '', values }) => ({
    key,
    operator,
    ...(values === undefined ? {} : { values }),
  }));
  const shown = {
    ...(Object.keys(labels).length === 0 ? {} : { matchLabels: sorted }),
    ...(expressions.length === 0 ? {} : { matchExpressions: expressions }),
  };
  return invalidStruct(path, shown, detail);
}

function isSelector(value: unknown): boolean {
  return isObject(value) && ('matchLabels' in value || 'matchExpressions' in value);
}

/** Whether a LabelSelector is empty, so that it matches every object. Returns true for an unset selector. */
export function isEmptySelector(selector: unknown): boolean {
  return (
    Object.keys(objectAt(selector, 'matchLabels')).length === 0 && objectsAt(selector, 'matchExpressions').length === 0
  );
}

/** Whether the object has a condition with the type and status. */
export function hasCondition(object: unknown, type: string, status = 'True'): boolean {
  return objectsAt(object, 'status', 'conditions').some(
    (condition) => condition['type'] === type && condition['status'] === status,
  );
}

/** Sets the default of each field that is unset or an empty string, the zero value of Go. */
export function fill(object: JsonDraft, defaults: Readonly<JsonDraft>): void {
  for (const [field, value] of Object.entries(defaults)) {
    if (object[field] === undefined || object[field] === '') object[field] = value;
  }
}

/** Removes empty fields, which kube-apiserver does not store: empty lists and maps, '', false and 0. */
export function dropEmpty(object: JsonDraft, ...fields: readonly string[]): void {
  for (const field of fields) {
    const value = object[field];
    const none = Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0;
    if (none || value === '' || value === false || value === 0) delete object[field];
  }
}

/** Returns the objects by name. If several objects have the same name, the first object is used. */
export function firstByName(objects: readonly JsonDraft[]): ReadonlyMap<unknown, JsonDraft> {
  return new Map(objects.map((object) => [object['name'], object] as const).toReversed());
}
