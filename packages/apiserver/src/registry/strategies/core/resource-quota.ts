import { deepEqual } from '@kubewright/api/patch';
import { type FieldError, fieldErrors } from '@kubewright/api/schema';
import { age } from '../../age.js';
import { type ApiObject, type JsonDraft, objectAt, objectsAt, stringAt, valueAt } from '../../json-object.js';
import type { Strategy } from '../../strategy.js';
import { textsAt } from '../field-checks.js';
import { invalidStruct } from '../go-text.js';
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
    return [
      ...errors,
      fieldErrors.invalid('spec.scopes', valueAt(next, 'spec', 'scopes') ?? null, 'field is immutable'),
    ];
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
    ...misfits(quota, scope).map(() => refused('unsupported scope applied to resource')),
  ]);
  return [...errors, ...conflicts(given).map(() => refused('conflicting scopes'))];
}

function selectorErrors(quota: ApiObject): readonly FieldError[] {
  const at = 'spec.scopeSelector.matchExpressions';
  const requirements = objectsAt(quota, 'spec', 'scopeSelector', 'matchExpressions');
  const shown = {
    MatchExpressions: requirements.map(({ scopeName, operator, values }) => ({
      ScopeName: scopeName,
      Operator: operator,
      Values: values,
    })),
  };
  const named = requirements.map((requirement) => stringAt(requirement, 'scopeName'));
  return [
    ...requirements.flatMap((requirement, index) => [
      ...(scopes.includes(named[index] ?? '')
        ? []
        : [fieldErrors.invalid(`${at}.scopeName`, named[index], 'unsupported scope')]),
      ...misfits(quota, named[index] ?? '').map(() =>
        invalidStruct(at, shown, 'unsupported scope applied to resource'),
      ),
      ...operatorErrors(requirement, at),
    ]),
    ...conflicts(named).map(() =>
      fieldErrors.invalid(at, valueAt(quota, 'spec', 'scopes') ?? null, 'conflicting scopes'),
    ),
  ];
}

/** The names that the quota limits and that what is in the scope does not use. */
function misfits(quota: ApiObject, scope: string): readonly string[] {
  return limited(quota).filter((name) => !fits(scope, name));
}

function conflicts(given: readonly string[]): readonly unknown[] {
  return opposites.filter((pair) => pair.every((scope) => given.includes(scope)));
}

function operatorErrors(requirement: JsonDraft, at: string): readonly FieldError[] {
  const operator = stringAt(requirement, 'operator');
  const values = textsAt(requirement, 'values');
  const errors: FieldError[] = [];
  if (onlyExists.includes(stringAt(requirement, 'scopeName')) && operator !== 'Exists') {
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
}
