import { deepEqual } from '@kubewright/api/patch';
import { type FieldError, fieldErrors } from '@kubewright/api/schema';
import { age } from '../../age.js';
import { type ApiObject, objectAt, objectsAt, stringAt } from '../../json-object.js';
import type { Strategy } from '../../strategy.js';
import { textsAt } from '../field-checks.js';
import { amountErrors, quotaNameErrors } from './pod-spec/resource-rules.js';

const podScopes = ['Terminating', 'NotTerminating', 'NotBestEffort', 'PriorityClass', 'CrossNamespacePodAffinity'];
const scopes = [...podScopes, 'BestEffort', 'VolumeAttributesClass'];
const onlyExists = ['BestEffort', 'NotBestEffort', 'Terminating', 'NotTerminating', 'CrossNamespacePodAffinity'];
const podNames = ['pods', 'cpu', 'memory', 'limits.cpu', 'limits.memory', 'requests.cpu', 'requests.memory'];
const opposites = [
  ['BestEffort', 'NotBestEffort'],
  ['Terminating', 'NotTerminating'],
];

/** ResourceQuotas: what a namespace may use; a controller and admission write down what it does use. */
export const resourceQuotaStrategy: Partial<Strategy> = {
  ownRules: true,
  prepareForCreate: (draft) => {
    draft['status'] = {};
  },
  validate: quotaErrors,
  validateUpdate: (next, old) => {
    const after = textsAt(next, 'spec', 'scopes');
    const errors = quotaErrors(next);
    if (deepEqual(after.toSorted(), textsAt(old, 'spec', 'scopes').toSorted())) return errors;
    return [...errors, fieldErrors.invalid('spec.scopes', after.length === 0 ? null : after, 'field is immutable')];
  },
  validateStatusUpdate: (next) => ['hard', 'used'].flatMap((field) => listErrors(next, 'status', field)),
  cells: (quota, now) => [
    quota.metadata.name,
    usage(quota, (name) => !name.startsWith('limits.')),
    usage(quota, (name) => name.startsWith('limits.')),
    age(quota.metadata.creationTimestamp, now),
  ],
};

function usage(quota: ApiObject, isShown: (name: string) => boolean): string {
  const hard = objectAt(quota, 'status', 'hard');
  const used = objectAt(quota, 'status', 'used');
  return Object.keys(hard)
    .filter(isShown)
    .toSorted()
    .map((name) => `${name}: ${String(used[name] ?? '0')}/${String(hard[name])}`)
    .join(', ');
}

function listErrors(quota: ApiObject, part: string, field: string): readonly FieldError[] {
  return Object.entries(objectAt(quota, part, field)).flatMap(([name, amount]) => {
    const at = `${part}.${field}[${name}]`;
    return [...quotaNameErrors(name, at), ...amountErrors(name, String(amount), at)];
  });
}

function quotaErrors(quota: ApiObject): readonly FieldError[] {
  return [...listErrors(quota, 'spec', 'hard'), ...scopeErrors(quota), ...selectorErrors(quota)];
}

function fits(scope: string, name: string): boolean {
  if (scope === 'BestEffort') return name === 'pods';
  if (scope === 'VolumeAttributesClass') return name === 'persistentvolumeclaims' || name === 'requests.storage';
  return !podScopes.includes(scope) || podNames.includes(name);
}

function limited(quota: ApiObject): readonly string[] {
  return Object.keys(objectAt(quota, 'spec', 'hard'))
    .filter((name) => quotaNameErrors(name, '').length === 0 && !name.includes('/'))
    .toSorted();
}

function scopeErrors(quota: ApiObject): readonly FieldError[] {
  const given = textsAt(quota, 'spec', 'scopes');
  const refused = (why: string): FieldError => fieldErrors.invalid('spec.scopes', given, why);
  const errors = given.flatMap((scope) => [
    ...(scopes.includes(scope) ? [] : [refused('unsupported scope')]),
    ...limited(quota).flatMap((name) => (fits(scope, name) ? [] : [refused('unsupported scope applied to resource')])),
  ]);
  for (const pair of opposites) {
    if (pair.every((scope) => given.includes(scope))) errors.push(refused('conflicting scopes'));
  }
  return errors;
}

function selectorErrors(quota: ApiObject): readonly FieldError[] {
  const at = 'spec.scopeSelector.matchExpressions';
  return objectsAt(quota, 'spec', 'scopeSelector', 'matchExpressions').flatMap((requirement) => {
    const scope = stringAt(requirement, 'scopeName');
    const operator = stringAt(requirement, 'operator');
    const values = textsAt(requirement, 'values');
    const errors: FieldError[] = [];
    if (!scopes.includes(scope)) errors.push(fieldErrors.invalid(`${at}.scopeName`, scope, 'unsupported scope'));
    if (onlyExists.includes(scope) && operator !== 'Exists') {
      const why =
        "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, " +
        'ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity';
      errors.push(fieldErrors.invalid(`${at}.operator`, operator, why));
    }
    if (operator === 'In' || operator === 'NotIn') {
      const why = "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector";
      if (values.length === 0) errors.push(fieldErrors.required(`${at}.values`, why));
    } else if (operator === 'Exists' || operator === 'DoesNotExist') {
      const why = "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector";
      if (values.length > 0) errors.push(fieldErrors.invalid(`${at}.values`, values, why));
    } else {
      errors.push(fieldErrors.invalid(`${at}.operator`, operator, 'not a valid selector operator'));
    }
    return errors;
  });
}
