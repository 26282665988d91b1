import { append } from '@kubewright/api/json';
import { deepEqual } from '@kubewright/api/patch';
import { dns1035LabelErrors, dns1123SubdomainErrors } from '@kubewright/api/names';
import { errorsOfEach, type FieldError, fieldErrors } from '@kubewright/api/schema';
import { age } from '../../objects/age.js';
import type { ApiObject, JsonDraft } from '../../objects/api-object.js';
import { isObject, madeAt, objectAt, objectsAt, stringAt } from '../../objects/json-object.js';
import type { Strategy } from '../../definitions/strategy.js';
import { defaultMatchResources, matchResourcesErrors, mutatingOperationErrors } from './admission-rules.js';
import { matchConditionErrors } from './expression-errors.js';
import { PolicyExpressions } from './policy-expressions.js';
import { fill } from '../rules/field-checks.js';

const failurePolicies = ['Fail', 'Ignore'];
const reinvocations = ['IfNeeded', 'Never'];
const patchTypes = ['ApplyConfiguration', 'JSONPatch'];
const atLeastOne = 'validations or auditAnnotations must contain at least one item';

/** The strategy for ValidatingAdmissionPolicies. */
export const validatingAdmissionPolicyStrategy: Partial<Strategy> = {
  ownRules: true,
  metadataRules: { preservedByStatus: 'all' },
  tracksGeneration: true,
  defaults: defaultPolicy,
  prepareForCreate: (draft) => {
    draft['status'] = {};
  },
  validate: validatingErrors,
  validateUpdate: validatingErrors,
  cells: (policy, now) => policyCells(policy, 'validations', now),
};

/** The strategy for MutatingAdmissionPolicies. */
export const mutatingAdmissionPolicyStrategy: Partial<Strategy> = {
  ownRules: true,
  storedVersion: 'v1beta1',
  tracksGeneration: true,
  defaults: defaultPolicy,
  validate: mutatingErrors,
  validateUpdate: mutatingErrors,
  cells: (policy, now) => policyCells(policy, 'mutations', now),
};

function defaultPolicy(draft: JsonDraft): void {
  const spec = madeAt(draft, 'spec');
  fill(spec, { failurePolicy: 'Fail' });
  if (isObject(spec['matchConstraints'])) defaultMatchResources(spec['matchConstraints']);
}

function policyCells(policy: ApiObject, field: string, now: Date): readonly unknown[] {
  const { apiVersion, kind } = objectAt(policy, 'spec', 'paramKind');
  return [
    policy.metadata.name,
    objectsAt(policy, 'spec', field).length,
    kind === undefined ? '<unset>' : `${String(apiVersion)}/${String(kind)}`,
    age(policy.metadata.creationTimestamp, now),
  ];
}

function validatingErrors(policy: ApiObject, old?: ApiObject): readonly FieldError[] {
  const spec = objectAt(policy, 'spec');
  const expressions = new PolicyExpressions(spec, objectsAt(spec, 'variables').length > 0);
  const validations = objectsAt(spec, 'validations');
  const annotations = objectsAt(spec, 'auditAnnotations');
  const errors = [...scopeErrors(spec), ...conditionErrors(spec, old), ...expressions.variableErrors()];
  if (validations.length === 0 && annotations.length === 0) {
    return [
      ...errors,
      fieldErrors.required('spec.validations', atLeastOne),
      fieldErrors.required('spec.auditAnnotations', atLeastOne),
    ];
  }
  append(
    errors,
    errorsOfEach(validations, (validation, index) =>
      expressions.validationErrors(validation, `spec.validations[${index}]`),
    ),
  );
  return [...errors, ...expressions.auditAnnotationErrors(annotations, policy.metadata.name)];
}

function mutatingErrors(policy: ApiObject, old?: ApiObject): readonly FieldError[] {
  const spec = objectAt(policy, 'spec');
  const expressions = new PolicyExpressions(spec, true);
  const mutations = objectsAt(spec, 'mutations');
  const errors = [...scopeErrors(spec)];
  const operations = 'spec.matchConstraints.resourceRules.operations';
  append(errors, mutatingOperationErrors(objectAt(spec, 'matchConstraints'), operations));
  append(errors, conditionErrors(spec, old), expressions.variableErrors());
  if (mutations.length === 0)
    errors.push(fieldErrors.required('spec.mutations', 'mutations must contain at least one item'));
  append(
    errors,
    errorsOfEach(mutations, (mutation, index) => mutationErrors(mutation, `spec.mutations[${index}]`, expressions)),
  );
  const policyName = stringAt(spec, 'reinvocationPolicy');
  if (policyName === '') errors.push(fieldErrors.required('spec.reinvocationPolicy'));
  else if (!reinvocations.includes(policyName)) {
    errors.push(fieldErrors.notSupported('spec.reinvocationPolicy', policyName, reinvocations));
  }
  return errors;
}

/** Returns the errors of the match conditions. Returns no errors if an update changes neither the match conditions nor the paramKind. */
function conditionErrors(spec: JsonDraft, old: ApiObject | undefined): readonly FieldError[] {
  const before = old === undefined ? undefined : objectAt(old, 'spec');
  const isKept = (field: string): boolean => deepEqual(spec[field] ?? [], before?.[field] ?? []);
  if (before !== undefined && isKept('matchConditions') && isKept('paramKind')) return [];
  return matchConditionErrors(spec, 'spec', { params: isObject(spec['paramKind']) });
}

function scopeErrors(spec: JsonDraft): readonly FieldError[] {
  const failure = stringAt(spec, 'failurePolicy');
  const errors: FieldError[] = [];
  if (!failurePolicies.includes(failure)) {
    errors.push(fieldErrors.notSupported('spec.failurePolicy', failure, failurePolicies));
  }
  if (isObject(spec['paramKind'])) append(errors, paramKindErrors(spec['paramKind'], 'spec.paramKind'));
  const constraints = spec['matchConstraints'];
  if (!isObject(constraints)) return [...errors, fieldErrors.required('spec.matchConstraints')];
  append(errors, matchResourcesErrors(constraints, 'spec.matchConstraints'));
  if (objectsAt(constraints, 'resourceRules').length > 0) return errors;
  return [...errors, fieldErrors.required('spec.matchConstraints.resourceRules')];
}

function paramKindErrors(paramKind: JsonDraft, path: string): readonly FieldError[] {
  const version = stringAt(paramKind, 'apiVersion');
  const kind = stringAt(paramKind, 'kind');
  const errors: FieldError[] = [];
  if (version === '') errors.push(fieldErrors.required(`${path}.apiVersion`));
  else append(errors, groupVersionErrors(version, `${path}.apiVersion`));
  const whys = dns1035LabelErrors(kind.toLowerCase());
  if (kind === '') errors.push(fieldErrors.required(`${path}.kind`));
  else if (whys.length > 0) {
    const why = `may have mixed case, but should otherwise match: ${whys.join(',')}`;
    errors.push(fieldErrors.invalid(`${path}.kind`, kind, why));
  }
  return errors;
}

function groupVersionErrors(text: string, path: string): readonly FieldError[] {
  const parts = text.split('/');
  if (parts.length > 2) return [fieldErrors.invalid(path, text, `unexpected GroupVersion string: ${text}`)];
  const [group, version] = parts.length === 2 ? parts : ['', text];
  const errors: FieldError[] = [];
  const groupErrors = group ? dns1123SubdomainErrors(group) : [];
  if (groupErrors.length > 0) errors.push(fieldErrors.invalid(path, group, groupErrors.join(',')));
  if (!version) return [...errors, fieldErrors.invalid(path, text, 'version must be specified')];
  const whys = dns1035LabelErrors(version);
  return whys.length === 0 ? errors : [...errors, fieldErrors.invalid(path, version, whys.join(','))];
}

function mutationErrors(mutation: JsonDraft, path: string, expressions: PolicyExpressions): readonly FieldError[] {
  const type = stringAt(mutation, 'patchType');
  if (type === '') return [fieldErrors.required(`${path}.patchType`)];
  if (type !== 'JSONPatch' && type !== 'ApplyConfiguration') {
    return [fieldErrors.notSupported(`${path}.patchType`, type, patchTypes)];
  }
  const [own, other] =
    type === 'JSONPatch'
      ? (['jsonPatch', 'applyConfiguration'] as const)
      : (['applyConfiguration', 'jsonPatch'] as const);
  const errors: FieldError[] = [];
  if (!isObject(mutation[own])) {
    errors.push(fieldErrors.required(`${path}.${own}`, `must be specified when patchType is ${type}`));
  } else append(errors, expressions.mutationErrors(mutation[own], `${path}.${own}`, own));
  if (!isObject(mutation[other])) return errors;
  const why = `must not be specified when patchType is ${type}`;
  return [...errors, fieldErrors.invalid(`${path}.${other}`, `{${other}}`, why)];
}
