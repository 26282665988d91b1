import { deepEqual } from '@kubewright/api/patch';
import { errorsOfEach, type FieldError, fieldErrors, firstErrors } from '@kubewright/api/schema';
import { age } from '../../objects/age.js';
import type { ApiObject, JsonDraft } from '../../objects/api-object.js';
import { objectAt, objectsAt, stringAt, textsAt, valueAt } from '../../objects/json-object.js';
import type { Strategy } from '../../definitions/strategy.js';
import { countedByName } from '../../quota/quota-rules.js';
import { invalidStruct } from '../rules/go-text.js';
import { amountErrors, quotaNameErrors } from './pod-spec/resource-rules.js';

const podScopes = ['Terminating', 'NotTerminating', 'NotBestEffort', 'PriorityClass', 'CrossNamespacePodAffinity'];
const scopes = [...podScopes, 'BestEffort', 'VolumeAttributesClass'];
const onlyExists = ['BestEffort', 'NotBestEffort', 'Terminating', 'NotTerminating', 'CrossNamespacePodAffinity'];
const podNames = ['pods', 'cpu', 'memory', 'limits.cpu', 'limits.memory', 'requests.cpu', 'requests.memory'];
const opposites = [
  ['BestEffort', 'NotBestEffort'],
  ['Terminating', 'NotTerminating'],
];

/** The strategy for ResourceQuotas. A controller and the admission plugin record the usage of the namespace in the status. */
export const resourceQuotaStrategy: Partial<Strategy> = {
  ownRules: true,
  quotaRules: countedByName('resourcequotas'),
  deletionRules: { returnsObject: true },
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
  return errorsOfEach(Object.entries(objectAt(quota, part, field)), ([name, amount]) => {
    const at = `${part}.${field}[${name}]`;
    return [...quotaNameErrors(name, at), ...amountErrors(name, String(amount), at)];
  });
}

function quotaErrors(quota: ApiObject): readonly FieldError[] {
  return [
    ...listErrors(quota, 'spec', 'hard'),
    ...firstErrors(scopeErrors(quota)),
    ...firstErrors(selectorErrors(quota)),
  ];
}

function fits(scope: string, name: string): boolean {
  if (scope === 'BestEffort') return name === 'pods';
  if (scope === 'VolumeAttributesClass') return name === 'persistentvolumeclaims' || name === 'requests.storage';
  return !podScopes.includes(scope) || podNames.includes(name);
}

// Each scope can be invalid for each resource name. The errors are generated one by one, because a list of all errors can be much larger
// than the quota.
function* scopeErrors(quota: ApiObject): Generator<FieldError, void> {
  const given = textsAt(quota, 'spec', 'scopes');
  const errors = new Map<string, FieldError>();
  const refused = (why: string): FieldError => {
    const error = errors.get(why) ?? fieldErrors.invalid('spec.scopes', given, why);
    errors.set(why, error);
    return error;
  };
  const mismatches = mismatchesOf(quota);
  for (const scope of given) {
    if (!scopes.includes(scope)) yield refused('unsupported scope');
    for (const _ of mismatches(scope)) yield refused('unsupported scope applied to resource');
  }
  for (const _ of conflicts(given)) yield refused('conflicting scopes');
}

function* selectorErrors(quota: ApiObject): Generator<FieldError, void> {
  const at = 'spec.scopeSelector.matchExpressions';
  const requirements = objectsAt(quota, 'spec', 'scopeSelector', 'matchExpressions');
  const mismatches = mismatchesOf(quota);
  let mismatch: FieldError | undefined;
  for (const requirement of requirements) {
    const scope = stringAt(requirement, 'scopeName');
    if (!scopes.includes(scope)) yield fieldErrors.invalid(`${at}.scopeName`, scope, 'unsupported scope');
    for (const _ of mismatches(scope)) yield (mismatch ??= mismatchError(requirements, at));
    yield* operatorErrors(requirement, at);
  }
  const named = requirements.map((requirement) => stringAt(requirement, 'scopeName'));
  for (const _ of conflicts(named)) {
    yield fieldErrors.invalid(at, valueAt(quota, 'spec', 'scopes') ?? null, 'conflicting scopes');
  }
}

function mismatchError(requirements: readonly JsonDraft[], at: string): FieldError {
  const shown = requirements.map(({ scopeName, operator, values }) => ({
    ScopeName: scopeName,
    Operator: operator,
    Values: values,
  }));
  return invalidStruct(at, { MatchExpressions: shown }, 'unsupported scope applied to resource');
}

/**
 * Returns a function that returns the names in `spec.hard` that a scope does not support. Ignores invalid names and names that contain '/'.
 */
function mismatchesOf(quota: ApiObject): (scope: string) => readonly string[] {
  const limited = Object.keys(objectAt(quota, 'spec', 'hard')).filter(
    (name) => !name.includes('/') && quotaNameErrors(name, '').length === 0,
  );
  const known = new Map(scopes.map((scope) => [scope, limited.filter((name) => !fits(scope, name))]));
  return (scope) => known.get(scope) ?? [];
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
