import { append } from '@kubewright/api/json';
import { compareQuantities, parseQuantity } from '@kubewright/api/quantity';
import { errorsOfEach, type FieldError, fieldErrors } from '@kubewright/api/schema';
import { qualifiedNameErrors } from '@kubewright/api/names';
import type { ApiObject, JsonDraft } from '../../objects/api-object.js';
import { isObject, madeAt, objectAt, objectsAt, stringAt } from '../../objects/json-object.js';
import type { Strategy } from '../../definitions/strategy.js';
import { containerResourceNameErrors, isOvercommitted, resourceNameErrors } from './pod-spec/resource-rules.js';
import { each } from './pod-spec/value-rules.js';

const types = ['Pod', 'Container', 'PersistentVolumeClaim'];
const podForbids = ['default', 'defaultRequest'];

/** The strategy for LimitRanges. In a limit for containers, missing default amounts are set from the other amounts. */
export const limitRangeStrategy: Partial<Strategy> = {
  ownRules: true,
  allowCreateOnUpdate: true,
  defaults: (draft) => {
    for (const limit of objectsAt(draft, 'spec', 'limits')) if (limit['type'] === 'Container') fillDefaults(limit);
  },
  validate: limitRangeErrors,
  validateUpdate: limitRangeErrors,
  cells: (range) => [range.metadata.name, range.metadata.creationTimestamp],
};

/** Sets missing defaults: `default` from `max`, and `defaultRequest` from `default` and `min`. */
function fillDefaults(limit: JsonDraft): void {
  const add = (field: string, from: JsonDraft): void => {
    if (Object.keys(from).length === 0) return;
    const amounts = madeAt(limit, field);
    for (const [name, amount] of Object.entries(from)) amounts[name] ??= amount;
  };
  add('default', objectAt(limit, 'max'));
  add('defaultRequest', objectAt(limit, 'default'));
  add('defaultRequest', objectAt(limit, 'min'));
}

function limitRangeErrors(range: ApiObject): readonly FieldError[] {
  const seen = new Set<string>();
  return errorsOfEach(objectsAt(range, 'spec', 'limits'), (limit, index) => {
    const at = `spec.limits[${index}]`;
    const type = stringAt(limit, 'type');
    const errors = [...each(type, `${at}.type`, typeErrors)];
    if (seen.has(type)) errors.push(fieldErrors.duplicate(`${at}.type`, type));
    seen.add(type);
    return [...errors, ...limitErrors(limit, at)];
  });
}

function typeErrors(type: string): readonly string[] {
  const errors = qualifiedNameErrors(type);
  if (errors.length > 0 || type.includes('/') || types.includes(type)) return errors;
  return ['must be a standard limit type or fully qualified'];
}

function limitErrors(limit: JsonDraft, path: string): readonly FieldError[] {
  const type = stringAt(limit, 'type');
  const nameErrors = type === 'Pod' || type === 'Container' ? containerResourceNameErrors : resourceNameErrors;
  const names = new Set<string>();
  const errors: FieldError[] = [];
  for (const field of ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio']) {
    const amounts = Object.keys(objectAt(limit, field));
    if (type === 'Pod' && podForbids.includes(field)) {
      const why = "may not be specified when `type` is 'Pod'";
      if (amounts.length > 0) errors.push(fieldErrors.forbidden(`${path}.${field}`, why));
      continue;
    }
    if (field === 'maxLimitRequestRatio') append(errors, storageErrors(limit, path));
    for (const name of amounts) {
      names.add(name);
      append(errors, nameErrors(name, `${path}.${field}[${name}]`));
    }
  }
  return [...errors, ...errorsOfEach(names, (name) => boundErrors(limit, path, name))];
}

function storageErrors(limit: JsonDraft, path: string): readonly FieldError[] {
  if (limit['type'] !== 'PersistentVolumeClaim') return [];
  if (['min', 'max'].some((field) => objectAt(limit, field)['storage'] !== undefined)) return [];
  const why = 'either minimum or maximum storage value is required, but neither was provided';
  return [fieldErrors.required(`${path}.limits`, why)];
}

/**
 * The amounts that must not exceed another amount. Each row contains the lower field, the upper field, the field of the error, the field
 * whose value the error shows, and the labels of both amounts.
 */
const orders = [
  ['min', 'max', 'min', 'min', 'min value', 'max value'],
  ['min', 'defaultRequest', 'defaultRequest', 'defaultRequest', 'min value', 'default request value'],
  ['defaultRequest', 'max', 'defaultRequest', 'defaultRequest', 'default request value', 'max value'],
  ['defaultRequest', 'default', 'defaultRequest', 'defaultRequest', 'default request value', 'default limit value'],
  ['min', 'default', 'default', 'min', 'min value', 'default value'],
  ['default', 'max', 'default', 'max', 'default value', 'max value'],
] as const;

function boundErrors(limit: JsonDraft, path: string, name: string): readonly FieldError[] {
  const amount = (field: string): string | undefined => {
    if (limit['type'] === 'Pod' && podForbids.includes(field)) return undefined;
    const found = isObject(limit[field]) ? limit[field][name] : undefined;
    return found === undefined ? undefined : String(found);
  };
  const errors: FieldError[] = orders.flatMap(([less, more, field, shown, lessName, moreName]) => {
    const small = amount(less);
    const large = amount(more);
    if (small === undefined || large === undefined || compareQuantities(small, large) <= 0) return [];
    const why = `${lessName} ${small} is greater than ${moreName} ${large}`;
    return [fieldErrors.invalid(`${path}.${field}[${name}]`, amount(shown), why)];
  });
  const [requested, given] = [amount('defaultRequest'), amount('default')];
  if (
    !isOvercommitted(name) &&
    requested !== undefined &&
    given !== undefined &&
    compareQuantities(requested, given) !== 0
  ) {
    const why = `default value ${given} must equal to defaultRequest value ${requested} in ${name}`;
    errors.push(fieldErrors.invalid(`${path}.defaultRequest[${name}]`, requested, why));
  }
  const ratio = amount('maxLimitRequestRatio');
  if (ratio === undefined) return errors;
  const at = `${path}.maxLimitRequestRatio[${name}]`;
  if (compareQuantities(ratio, '1') < 0) errors.push(fieldErrors.invalid(at, ratio, `ratio ${ratio} is less than 1`));
  const [min, max] = [amount('min'), amount('max')];
  if (min === undefined || max === undefined) return errors;
  const most = Number(parseQuantity(max).nanos) / Number(parseQuantity(min).nanos);
  if (Number(parseQuantity(ratio).nanos) / 1e9 <= most) return errors;
  const why = `ratio ${ratio} is greater than max/min = ${most.toFixed(6)}`;
  return [...errors, fieldErrors.invalid(at, ratio, why)];
}
