import { append } from '@kubewright/api/json';
import { qualifiedNameErrors } from '@kubewright/api/names';
import { errorsOfEach, type FieldError, fieldErrors } from '@kubewright/api/schema';
import type { JsonDraft } from '../../objects/api-object.js';
import { isObject, numberAt, objectAt, objectsAt, stringAt, valueAt } from '../../objects/json-object.js';
import { domainPrefixedPathErrors } from '../rules/domain-prefixed-path.js';
import { notNegative } from '../rules/field-checks.js';
import { goList, invalidStruct } from '../rules/go-text.js';
import { countIndexes } from './index-intervals.js';
import { podTemplateErrors } from '../core/pod-spec/pod-spec-validation.js';
import { repeatedPositions } from '../rules/repeated-positions.js';

const modes = ['NonIndexed', 'Indexed'];
const actions = ['Count', 'FailIndex', 'FailJob', 'Ignore'];
const statuses = ['False', 'True', 'Unknown'];
const most = { managedBy: 63, parallelism: 100_000, rules: 20, values: 255, patterns: 20 };
const high = { completions: 100_000, parallelism: 10_000, failed: 10_000 };

/** Returns the errors of the spec of a Job, except the errors of its selector. */
export function jobSpecErrors(spec: JsonDraft, path: string): readonly FieldError[] {
  const errors = [
    ...notNegative(
      spec,
      path,
      'parallelism',
      'completions',
      'activeDeadlineSeconds',
      'backoffLimit',
      'ttlSecondsAfterFinished',
      'backoffLimitPerIndex',
      'maxFailedIndexes',
    ),
  ];
  if (spec['maxFailedIndexes'] !== undefined && spec['backoffLimitPerIndex'] === undefined) {
    errors.push(fieldErrors.required(`${path}.backoffLimitPerIndex`, 'when maxFailedIndexes is specified'));
  }
  append(errors, managerErrors(spec, path), completionErrors(spec, path));
  if (isObject(spec['podFailurePolicy'])) append(errors, failurePolicyErrors(spec, `${path}.podFailurePolicy`));
  if (isObject(spec['successPolicy'])) append(errors, successPolicyErrors(spec, `${path}.successPolicy`));
  append(errors, replacementErrors(spec, `${path}.podReplacementPolicy`));
  append(errors, podTemplateErrors(objectAt(spec, 'template'), `${path}.template`));
  return [...errors, ...restartErrors(spec, `${path}.template.spec.restartPolicy`)];
}

function managerErrors(spec: JsonDraft, path: string): readonly FieldError[] {
  const manager = spec['managedBy'];
  if (manager === undefined) return [];
  const errors = [...domainPrefixedPathErrors(String(manager), `${path}.managedBy`)];
  if (String(manager).length > most.managedBy) errors.push(fieldErrors.tooLong(`${path}.managedBy`, most.managedBy));
  return errors;
}

function completionErrors(spec: JsonDraft, path: string): readonly FieldError[] {
  const mode = stringAt(spec, 'completionMode') || 'NonIndexed';
  const errors: FieldError[] = [];
  if (!modes.includes(mode)) errors.push(fieldErrors.notSupported(`${path}.completionMode`, mode, modes));
  if (mode === 'Indexed') append(errors, indexedErrors(spec, path));
  if (mode !== 'NonIndexed') return errors;
  for (const field of ['backoffLimitPerIndex', 'maxFailedIndexes']) {
    if (spec[field] === undefined) continue;
    errors.push(fieldErrors.invalid(`${path}.${field}`, spec[field], 'requires indexed completion mode'));
  }
  return errors;
}

function indexedErrors(spec: JsonDraft, path: string): readonly FieldError[] {
  const completions = numberAt(spec, 'completions');
  const parallelism = numberAt(spec, 'parallelism') ?? 0;
  const failed = numberAt(spec, 'maxFailedIndexes');
  const atMost = (field: string, value: number, rule: string): FieldError =>
    fieldErrors.invalid(`${path}.${field}`, value, `must be less than or equal to ${rule}`);
  const errors: FieldError[] = [];
  if (completions === undefined) {
    errors.push(fieldErrors.required(`${path}.completions`, 'when completion mode is Indexed'));
  }
  if (parallelism > most.parallelism) {
    errors.push(atMost('parallelism', parallelism, `${most.parallelism} when completion mode is Indexed`));
  }
  if (failed !== undefined && completions !== undefined && failed > completions) {
    errors.push(atMost('maxFailedIndexes', failed, 'completions'));
  }
  if (failed !== undefined && failed > most.parallelism) {
    errors.push(atMost('maxFailedIndexes', failed, String(most.parallelism)));
  }
  if ((completions ?? 0) <= high.completions || spec['backoffLimitPerIndex'] === undefined) return errors;
  const limit = `when completions are above ${high.completions} and used with backoff limit per index`;
  if (failed === undefined) {
    const why = `must be specified when completions is above ${high.completions}`;
    errors.push(fieldErrors.required(`${path}.maxFailedIndexes`, why));
  }
  if (parallelism > high.parallelism) errors.push(atMost('parallelism', parallelism, `${high.parallelism} ${limit}`));
  if ((failed ?? 0) > high.failed) errors.push(atMost('maxFailedIndexes', failed ?? 0, `${high.failed} ${limit}`));
  return errors;
}

function failurePolicyErrors(spec: JsonDraft, path: string): readonly FieldError[] {
  const rules = objectsAt(spec, 'podFailurePolicy', 'rules');
  const errors: FieldError[] = [];
  if (rules.length > most.rules) errors.push(fieldErrors.tooMany(`${path}.rules`, rules.length, most.rules));
  const pod = objectAt(spec, 'template', 'spec');
  const containers = [...objectsAt(pod, 'containers'), ...objectsAt(pod, 'initContainers')];
  const names = new Set(containers.map((container) => stringAt(container, 'name')));
  for (const [index, rule] of rules.entries()) {
    append(errors, ruleErrors(rule, { path: `${path}.rules[${index}]`, spec, names }));
  }
  return errors;
}

function ruleErrors(
  rule: JsonDraft,
  { path, spec, names }: { readonly path: string; readonly spec: JsonDraft; readonly names: ReadonlySet<string> },
): readonly FieldError[] {
  const action = stringAt(rule, 'action');
  const errors: FieldError[] = [];
  if (action === '') errors.push(fieldErrors.required(`${path}.action`, `valid values: ${goList(actions)}`));
  else if (!actions.includes(action)) errors.push(fieldErrors.notSupported(`${path}.action`, action, actions));
  else if (action === 'FailIndex' && spec['backoffLimitPerIndex'] === undefined) {
    errors.push(fieldErrors.invalid(`${path}.action`, action, 'requires the backoffLimitPerIndex to be set'));
  }
  const codes = rule['onExitCodes'];
  const patterns = objectsAt(rule, 'onPodConditions');
  if (isObject(codes)) append(errors, exitCodeErrors(codes, `${path}.onExitCodes`, names));
  if (patterns.length > most.patterns) {
    errors.push(fieldErrors.tooMany(`${path}.onPodConditions`, patterns.length, most.patterns));
  }
  append(
    errors,
    errorsOfEach(patterns, (pattern, index) => patternErrors(pattern, `${path}.onPodConditions[${index}]`)),
  );
  if (isObject(codes) && patterns.length > 0) {
    errors.push(withoutValue(path, 'specifying both OnExitCodes and OnPodConditions is not supported'));
  }
  if (!isObject(codes) && patterns.length === 0) {
    errors.push(withoutValue(path, 'specifying one of OnExitCodes and OnPodConditions is required'));
  }
  return errors;
}

/** Returns an `Invalid value: <detail>` error that does not show the value. */
export function withoutValue(path: string, detail: string): FieldError {
  return { reason: 'FieldValueInvalid', field: path, message: `Invalid value: ${detail}` };
}

function exitCodeErrors(codes: JsonDraft, path: string, names: ReadonlySet<string>): readonly FieldError[] {
  const operator = stringAt(codes, 'operator');
  const operators = ['In', 'NotIn'];
  const errors: FieldError[] = [];
  if (operator === '') errors.push(fieldErrors.required(`${path}.operator`, `valid values: ${goList(operators)}`));
  else if (!operators.includes(operator)) {
    errors.push(fieldErrors.notSupported(`${path}.operator`, operator, operators));
  }
  const container = codes['containerName'];
  if (container !== undefined && !names.has(String(container))) {
    const why = 'must be one of the container or initContainer names in the pod template';
    errors.push(fieldErrors.invalid(`${path}.containerName`, container, why));
  }
  const listed = valueAt(codes, 'values');
  const values = Array.isArray(listed) ? (listed as number[]) : [];
  if (values.length === 0)
    errors.push(fieldErrors.invalid(`${path}.values`, listed ?? null, 'at least one value is required'));
  if (values.length > most.values) errors.push(fieldErrors.tooMany(`${path}.values`, values.length, most.values));
  const repeated = repeatedPositions(values);
  for (const [index, value] of values.entries()) {
    const at = `${path}.values[${index}]`;
    if (operator === 'In' && value === 0)
      errors.push(fieldErrors.invalid(at, value, 'must not be 0 for the In operator'));
    if (repeated.has(index)) errors.push(fieldErrors.duplicate(at, value));
  }
  const ordered = values.every((value, index) => index === 0 || (values[index - 1] ?? value) <= value);
  if (!ordered) errors.push(fieldErrors.invalid(`${path}.values`, values, 'must be ordered'));
  return errors;
}

function patternErrors(pattern: JsonDraft, path: string): readonly FieldError[] {
  const type = stringAt(pattern, 'type');
  const status = stringAt(pattern, 'status');
  const errors = qualifiedNameErrors(type).map((why) => fieldErrors.invalid(`${path}.type`, type, why));
  if (!statuses.includes(status)) errors.push(fieldErrors.notSupported(`${path}.status`, status, statuses));
  return errors;
}

function successPolicyErrors(spec: JsonDraft, path: string): readonly FieldError[] {
  const rules = objectsAt(spec, 'successPolicy', 'rules');
  if (spec['completionMode'] !== 'Indexed') {
    const shown = {
      Rules: rules.map(({ succeededIndexes = null, succeededCount = null }) => ({
        SucceededIndexes: succeededIndexes,
        SucceededCount: succeededCount,
      })),
    };
    return [invalidStruct(path, shown, 'requires indexed completion mode')];
  }
  const errors: FieldError[] = [];
  if (rules.length === 0) {
    const why = 'at least one rules must be specified when the successPolicy is specified';
    errors.push(fieldErrors.required(`${path}.rules`, why));
  }
  if (rules.length > most.rules) errors.push(fieldErrors.tooMany(`${path}.rules`, rules.length, most.rules));
  const completions = numberAt(spec, 'completions') ?? 0;
  append(
    errors,
    errorsOfEach(rules, (rule, index) => successErrors(rule, `${path}.rules[${index}]`, completions)),
  );
  return errors;
}

function successErrors(rule: JsonDraft, path: string, completions: number): readonly FieldError[] {
  const { succeededIndexes: indexes, succeededCount: count } = rule;
  const errors: FieldError[] = [];
  if (indexes === undefined && count === undefined) {
    const why = 'at least one of succeededCount or succeededIndexes must be specified';
    errors.push(fieldErrors.required(path, why));
  }
  const total = typeof indexes === 'string' ? countIndexes(indexes, completions) : 0;
  if (typeof total !== 'number') {
    const why = `error parsing succeededIndexes: ${total.error}`;
    errors.push(fieldErrors.invalid(`${path}.succeededIndexes`, indexes, why));
  }
  if (typeof count !== 'number') return errors;
  const at = `${path}.succeededCount`;
  append(errors, notNegative(rule, path, 'succeededCount'));
  if (count > completions) {
    const why = `must be less than or equal to ${completions} (the number of specified completions)`;
    errors.push(fieldErrors.invalid(at, count, why));
  }
  const named = typeof total === 'number' ? total : 0;
  if (indexes !== undefined && count > named) {
    const why = `must be less than or equal to ${named} (the number of indexes in the specified succeededIndexes field)`;
    errors.push(fieldErrors.invalid(at, count, why));
  }
  return errors;
}

function replacementErrors(spec: JsonDraft, path: string): readonly FieldError[] {
  const policy = spec['podReplacementPolicy'];
  if (policy === undefined) return [];
  const allowed = spec['podFailurePolicy'] === undefined ? ['Failed', 'TerminatingOrFailed'] : ['Failed'];
  return allowed.includes(String(policy)) ? [] : [fieldErrors.notSupported(path, policy, allowed)];
}

function restartErrors(spec: JsonDraft, path: string): readonly FieldError[] {
  const policy = stringAt(spec, 'template', 'spec', 'restartPolicy');
  if (policy === 'Always' || policy === '') return [fieldErrors.required(path, 'valid values: "OnFailure", "Never"')];
  if (policy !== 'OnFailure' && policy !== 'Never') {
    return [fieldErrors.notSupported(path, policy, ['OnFailure', 'Never'])];
  }
  if (spec['podFailurePolicy'] === undefined || policy === 'Never') return [];
  return [fieldErrors.invalid(path, policy, 'only "Never" is supported when podFailurePolicy is specified')];
}
