import { append } from '@kubewright/api/json';
import { dns1035LabelErrors, dns1123SubdomainErrors } from '@kubewright/api/names';
import { errorsOfEach, type FieldError, fieldErrors } from '@kubewright/api/schema';
import { age } from '../../objects/age.js';
import type { ApiObject, JsonDraft } from '../../objects/api-object.js';
import { isObject, madeAt, objectAt, objectsAt, stringAt, textsAt } from '../../objects/json-object.js';
import type { Strategy } from '../../definitions/strategy.js';
import { defaultMatchResources, matchConditionErrors, matchResourcesErrors } from './admission-rules.js';
import { fill } from '../rules/field-checks.js';

const failurePolicies = ['Fail', 'Ignore'];
const reasons = ['Forbidden', 'Invalid', 'RequestEntityTooLarge'];
const mutatingOperations = ['*', 'CONNECT', 'CREATE', 'UPDATE'];
const reinvocations = ['IfNeeded', 'Never'];
const patchTypes = ['ApplyConfiguration', 'JSONPatch'];
const atLeastOne = 'validations or auditAnnotations must contain at least one item';

/** The strategy for ValidatingAdmissionPolicies. The server does not check the CEL expressions. */
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

/** The strategy for MutatingAdmissionPolicies. The server does not check the CEL expressions. */
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

function validatingErrors(policy: ApiObject): readonly FieldError[] {
  const spec = objectAt(policy, 'spec');
  const validations = objectsAt(spec, 'validations');
  const errors = [...scopeErrors(spec), ...matchConditionErrors(spec, 'spec'), ...variableErrors(spec)];
  if (validations.length === 0 && objectsAt(spec, 'auditAnnotations').length === 0) {
    return [
      ...errors,
      fieldErrors.required('spec.validations', atLeastOne),
      fieldErrors.required('spec.auditAnnotations', atLeastOne),
    ];
  }
  return [
    ...errors,
    ...errorsOfEach(validations, (validation, index) => validationErrors(validation, `spec.validations[${index}]`)),
  ];
}

function mutatingErrors(policy: ApiObject): readonly FieldError[] {
  const spec = objectAt(policy, 'spec');
  const mutations = objectsAt(spec, 'mutations');
  const errors = [...scopeErrors(spec)];
  for (const rule of objectsAt(spec, 'matchConstraints', 'resourceRules')) {
    for (const operation of textsAt(rule, 'operations')) {
      if (mutatingOperations.includes(operation)) continue;
      const path = 'spec.matchConstraints.resourceRules.operations';
      errors.push(fieldErrors.notSupported(path, operation, mutatingOperations));
    }
  }
  append(errors, matchConditionErrors(spec, 'spec'), variableErrors(spec));
  if (mutations.length === 0)
    errors.push(fieldErrors.required('spec.mutations', 'mutations must contain at least one item'));
  append(
    errors,
    errorsOfEach(mutations, (mutation, index) => mutationErrors(mutation, `spec.mutations[${index}]`)),
  );
  const policyName = stringAt(spec, 'reinvocationPolicy');
  if (policyName === '') errors.push(fieldErrors.required('spec.reinvocationPolicy'));
  else if (!reinvocations.includes(policyName)) {
    errors.push(fieldErrors.notSupported('spec.reinvocationPolicy', policyName, reinvocations));
  }
  return errors;
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

function variableErrors(spec: JsonDraft): readonly FieldError[] {
  return errorsOfEach(objectsAt(spec, 'variables'), (variable, index) => {
    const path = `spec.variables[${index}]`;
    const name = stringAt(variable, 'name');
    const errors: FieldError[] = [];
    if (name.trim() === '') errors.push(fieldErrors.required(`${path}.name`, 'name is not specified'));
    else if (!/^[_a-zA-Z][_a-zA-Z0-9]*$/.test(name)) {
      errors.push(fieldErrors.invalid(`${path}.name`, name, 'must be a valid CEL identifier'));
    }
    if (stringAt(variable, 'expression').trim() !== '') return errors;
    return [...errors, fieldErrors.required(`${path}.expression`, 'expression is not specified')];
  });
}

function validationErrors(validation: JsonDraft, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  const message = stringAt(validation, 'message');
  const reason = validation['reason'];
  if (stringAt(validation, 'expression').trim() === '') {
    errors.push(fieldErrors.required(`${path}.expression`, 'expression is not specified'));
  }
  for (const field of ['messageExpression', 'message']) {
    const text = stringAt(validation, field);
    if (text === '' || text.trim() !== '') continue;
    errors.push(fieldErrors.invalid(`${path}.${field}`, text, 'must be non-empty if specified'));
  }
  if (message.trim().includes('\n')) {
    errors.push(fieldErrors.invalid(`${path}.message`, message, 'must not contain line breaks'));
  }
  if (reason !== undefined && !reasons.includes(String(reason))) {
    errors.push(fieldErrors.notSupported(`${path}.reason`, reason, reasons));
  }
  return errors;
}

function mutationErrors(mutation: JsonDraft, path: string): readonly FieldError[] {
  const type = stringAt(mutation, 'patchType');
  if (type === '') return [fieldErrors.required(`${path}.patchType`)];
  if (!patchTypes.includes(type)) return [fieldErrors.notSupported(`${path}.patchType`, type, patchTypes)];
  const [own, other] = type === 'JSONPatch' ? ['jsonPatch', 'applyConfiguration'] : ['applyConfiguration', 'jsonPatch'];
  const errors: FieldError[] = [];
  if (!isObject(mutation[own])) {
    errors.push(fieldErrors.required(`${path}.${own}`, `must be specified when patchType is ${type}`));
  } else if (stringAt(mutation, own, 'expression').trim() === '') {
    errors.push(fieldErrors.required(`${path}.${own}.expression`, 'expression is not specified'));
  }
  if (!isObject(mutation[other])) return errors;
  const why = `must not be specified when patchType is ${type}`;
  return [...errors, fieldErrors.invalid(`${path}.${other}`, `{${other}}`, why)];
}
