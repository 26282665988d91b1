import { append } from '@kubewright/api/json';
import { dns1123SubdomainErrors, labelValueErrors } from '@kubewright/api/names';
import { errorsOfEach, type FieldError, fieldErrors } from '@kubewright/api/schema';
import type { JsonDraft } from '../../../objects/api-object.js';
import { objectAt, objectsAt, stringAt, textsAt } from '../../../objects/json-object.js';
import { labelSelectorErrors, setOperatorErrors } from '../../rules/field-checks.js';
import { each, labelNameErrors, qualifiedErrors } from './value-rules.js';

/** Returns the errors of the keys and values in a map of labels. */
export function labelMapErrors(labels: JsonDraft, path: string): readonly FieldError[] {
  return errorsOfEach(Object.entries(labels), ([key, value]) => [
    ...qualifiedErrors(key, path),
    ...each(String(value), path, labelValueErrors),
  ]);
}

/** Returns the errors of a NodeSelector. */
export function nodeSelectorErrors(selector: JsonDraft, path: string): readonly FieldError[] {
  const terms = objectsAt(selector, 'nodeSelectorTerms');
  const at = `${path}.nodeSelectorTerms`;
  if (terms.length === 0) return [fieldErrors.required(at, 'must have at least one node selector term')];
  return errorsOfEach(terms, (term, index) => nodeTermErrors(term, `${at}[${index}]`, true));
}

/** Returns the errors of the affinity of a Pod spec. */
export function affinityErrors(affinity: JsonDraft, path: string): readonly FieldError[] {
  const node = objectAt(affinity, 'nodeAffinity');
  const required = node['requiredDuringSchedulingIgnoredDuringExecution'];
  const requiredPath = `${path}.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution`;
  return [
    ...(required === undefined ? [] : nodeSelectorErrors(required as JsonDraft, requiredPath)),
    ...preferredErrors(node, `${path}.nodeAffinity`),
    ...['podAffinity', 'podAntiAffinity'].flatMap((field) =>
      podAffinityErrors(objectAt(affinity, field), `${path}.${field}`),
    ),
  ];
}

/** Returns the errors of topology spread constraints. */
export function spreadErrors(constraints: readonly JsonDraft[], path: string): readonly FieldError[] {
  const pairs = constraints.map(spreadPair);
  const last = new Map(pairs.map((pair, index) => [pair, index]));
  return errorsOfEach(constraints, (constraint, index) => {
    const at = `${path}[${index}]`;
    const errors: FieldError[] = [];
    const skew = constraint['maxSkew'] ?? 0;
    if (typeof skew !== 'number' || skew <= 0) {
      errors.push(fieldErrors.invalid(`${at}.maxSkew`, skew, 'must be greater than zero'));
    }
    const key = stringAt(constraint, 'topologyKey');
    if (key === '') errors.push(fieldErrors.required(`${at}.topologyKey`, 'can not be empty'));
    const action = stringAt(constraint, 'whenUnsatisfiable');
    if (!['DoNotSchedule', 'ScheduleAnyway'].includes(action)) {
      errors.push(fieldErrors.notSupported(`${at}.whenUnsatisfiable`, action, ['DoNotSchedule', 'ScheduleAnyway']));
    }
    if (last.get(pairs[index] ?? '') !== index) {
      errors.push(fieldErrors.duplicate(`${at}.{topologyKey, whenUnsatisfiable}`, `{${key}, ${action}}`));
    }
    return [...errors, ...spreadDetailErrors(constraint, at, action)];
  });
}

function spreadPair(constraint: JsonDraft): string {
  const key = stringAt(constraint, 'topologyKey');
  return `${key.length} ${key}${stringAt(constraint, 'whenUnsatisfiable')}`;
}

function spreadDetailErrors(constraint: JsonDraft, path: string, action: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  const domains = constraint['minDomains'];
  if (typeof domains === 'number') {
    if (domains <= 0) errors.push(fieldErrors.invalid(`${path}.minDomains`, domains, 'must be greater than zero'));
    if (action !== 'DoNotSchedule') {
      const why = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${action}`;
      errors.push(fieldErrors.invalid(`${path}.minDomains`, domains, why));
    }
  }
  for (const field of ['nodeAffinityPolicy', 'nodeTaintsPolicy']) {
    const policy = constraint[field];
    if (policy !== undefined && policy !== 'Honor' && policy !== 'Ignore') {
      errors.push(fieldErrors.notSupported(`${path}.${field}`, policy, ['Honor', 'Ignore']));
    }
  }
  const selector = constraint['labelSelector'];
  append(errors, matchKeyErrors(constraint, path, ['matchLabelKeys']));
  return [...errors, ...labelSelectorErrors(selector, `${path}.labelSelector`)];
}

function preferredErrors(node: JsonDraft, path: string): readonly FieldError[] {
  const field = 'preferredDuringSchedulingIgnoredDuringExecution';
  return errorsOfEach(objectsAt(node, field), (term, index) => {
    const at = `${path}.${field}[${index}]`;
    return [...weightErrors(term, at), ...nodeTermErrors(objectAt(term, 'preference'), `${at}.preference`, false)];
  });
}

function podAffinityErrors(affinity: JsonDraft, path: string): readonly FieldError[] {
  const required = 'requiredDuringSchedulingIgnoredDuringExecution';
  const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';
  return [
    ...errorsOfEach(objectsAt(affinity, required), (term, index) =>
      podTermErrors(term, `${path}.${required}[${index}]`),
    ),
    ...errorsOfEach(objectsAt(affinity, preferred), (term, index) => {
      const at = `${path}.${preferred}[${index}]`;
      return [...weightErrors(term, at), ...podTermErrors(objectAt(term, 'podAffinityTerm'), `${at}.podAffinityTerm`)];
    }),
  ];
}

function weightErrors(term: JsonDraft, path: string): readonly FieldError[] {
  const weight = term['weight'] ?? 0;
  if (typeof weight === 'number' && weight > 0 && weight <= 100) return [];
  return [fieldErrors.invalid(`${path}.weight`, weight, 'must be in the range 1-100')];
}

function podTermErrors(term: JsonDraft, path: string): readonly FieldError[] {
  const key = stringAt(term, 'topologyKey');
  return [
    ...labelSelectorErrors(term['labelSelector'], `${path}.labelSelector`),
    ...labelSelectorErrors(term['namespaceSelector'], `${path}.namespaceSelector`),
    ...errorsOfEach(textsAt(term, 'namespaces'), (name) => labelNameErrors(name, `${path}.namespace`)),
    ...matchKeyErrors(term, path, ['matchLabelKeys', 'mismatchLabelKeys']),
    ...(key === '' ? [fieldErrors.required(`${path}.topologyKey`, 'can not be empty')] : []),
    ...qualifiedErrors(key, `${path}.topologyKey`),
  ];
}

function matchKeyErrors(term: JsonDraft, path: string, fields: readonly string[]): readonly FieldError[] {
  const errors: FieldError[] = [];
  for (const field of fields) {
    const keys = textsAt(term, field);
    if (keys.length === 0) continue;
    if (term['labelSelector'] === undefined) {
      errors.push(fieldErrors.forbidden(`${path}.${field}`, 'must not be specified when labelSelector is not set'));
    } else {
      append(
        errors,
        errorsOfEach(keys, (key, index) => qualifiedErrors(key, `${path}.${field}[${index}]`)),
      );
    }
  }
  const mismatched = new Set(textsAt(term, 'mismatchLabelKeys'));
  for (const [index, key] of textsAt(term, 'matchLabelKeys').entries()) {
    const why = 'exists in both matchLabelKeys and mismatchLabelKeys';
    if (mismatched.has(key)) errors.push(fieldErrors.invalid(`${path}.matchLabelKeys[${index}]`, key, why));
  }
  return errors;
}

function nodeTermErrors(term: JsonDraft, path: string, checksValues: boolean): readonly FieldError[] {
  return [
    ...errorsOfEach(objectsAt(term, 'matchExpressions'), (requirement, index) =>
      nodeRequirementErrors(requirement, `${path}.matchExpressions[${index}]`, checksValues),
    ),
    ...errorsOfEach(objectsAt(term, 'matchFields'), (requirement, index) =>
      nodeFieldErrors(requirement, `${path}.matchFields[${index}]`),
    ),
  ];
}

function nodeRequirementErrors(requirement: JsonDraft, path: string, checksValues: boolean): readonly FieldError[] {
  const operator = stringAt(requirement, 'operator');
  const values = textsAt(requirement, 'values');
  const errors: FieldError[] = [];
  const onSets = setOperatorErrors(operator, values, path);
  if (onSets !== undefined) {
    append(errors, onSets);
  } else if (operator === 'Gt' || operator === 'Lt') {
    const why = "must be specified single value when `operator` is 'Lt' or 'Gt'";
    if (values.length !== 1) errors.push(fieldErrors.required(`${path}.values`, why));
  } else {
    errors.push(fieldErrors.invalid(`${path}.operator`, operator, 'not a valid selector operator'));
  }
  append(errors, qualifiedErrors(stringAt(requirement, 'key'), `${path}.key`));
  if (!checksValues) return errors;
  return [
    ...errors,
    ...errorsOfEach(values, (value, index) => each(value, `${path}.values[${index}]`, labelValueErrors)),
  ];
}

function nodeFieldErrors(requirement: JsonDraft, path: string): readonly FieldError[] {
  const operator = stringAt(requirement, 'operator');
  const key = stringAt(requirement, 'key');
  const values = textsAt(requirement, 'values');
  const errors: FieldError[] = [];
  if (operator !== 'In' && operator !== 'NotIn') {
    errors.push(fieldErrors.invalid(`${path}.operator`, operator, 'not a valid selector operator'));
  } else if (values.length !== 1) {
    const why = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
    errors.push(fieldErrors.required(`${path}.values`, why));
  }
  if (key !== 'metadata.name') {
    return [...errors, fieldErrors.invalid(`${path}.key`, key, 'not a valid field selector key')];
  }
  return [
    ...errors,
    ...errorsOfEach(values, (value, index) => each(value, `${path}.values[${index}]`, dns1123SubdomainErrors)),
  ];
}
