import { deepEqual } from '@kubewright/api/patch';
import { type FieldError, fieldErrors } from '@kubewright/api/schema';
import type { ApiObject, JsonDraft } from '../../objects/api-object.js';
import { numberAt, objectAt, stringAt, textsAt, valueAt } from '../../objects/json-object.js';
import { hasCondition, notNegative } from '../rules/field-checks.js';
import { invalidStruct } from '../rules/go-text.js';
import { countIndexes } from './index-intervals.js';
import { withoutValue } from './job-spec-rules.js';

const at = 'status.conditions';

/** Returns the errors of a Job status update. The status must be consistent, and a finished Job must not become unfinished. */
export function jobStatusErrors(next: ApiObject, old: ApiObject): readonly FieldError[] {
  return [
    ...notNegative(objectAt(next, 'status'), 'status', 'active', 'succeeded', 'failed', 'ready', 'terminating'),
    ...conditionErrors(next, old),
    ...finishedErrors(next, old),
    ...indexErrors(next, old),
    ...readyErrors(next, old),
    ...endErrors(next, old),
    ...counterErrors(next, old),
  ];
}

function changed(next: ApiObject, old: ApiObject, field: string): boolean {
  return !deepEqual(valueAt(next, 'status', field), valueAt(old, 'status', field));
}

function turned(next: ApiObject, old: ApiObject, type: string): boolean {
  return hasCondition(next, type) !== hasCondition(old, type);
}

function isFinished(job: ApiObject): boolean {
  return hasCondition(job, 'Complete') || hasCondition(job, 'Failed');
}

function conditionErrors(next: ApiObject, old: ApiObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const complete = hasCondition(next, 'Complete');
  const failed = hasCondition(next, 'Failed');
  const completion = valueAt(next, 'status', 'completionTime');
  const start = stringAt(next, 'status', 'startTime');
  if (complete && failed && (turned(next, old, 'Complete') || turned(next, old, 'Failed'))) {
    errors.push(withoutValue(at, 'cannot set Complete=True and Failed=true conditions'));
  }
  if (
    complete &&
    hasCondition(next, 'FailureTarget') &&
    (turned(next, old, 'Complete') || turned(next, old, 'FailureTarget'))
  ) {
    errors.push(withoutValue(at, 'cannot set Complete=True and FailureTarget=true conditions'));
  }
  const moved = turned(next, old, 'Complete') || changed(next, old, 'completionTime');
  if (moved && completion !== undefined && !complete) {
    const why = 'cannot set completionTime when there is no Complete=True condition';
    errors.push(fieldErrors.invalid('status.completionTime', completion, why));
  }
  if (moved && completion === undefined && complete) {
    errors.push(fieldErrors.required('status.completionTime', 'completionTime is required for Complete jobs'));
  }
  if (start !== '' && completion !== undefined && Date.parse(String(completion)) < Date.parse(start)) {
    const why = 'must be equal to or after `startTime`';
    if (changed(next, old, 'startTime') || changed(next, old, 'completionTime')) {
      errors.push(fieldErrors.invalid('status.completionTime', completion, why));
    }
  }
  if (
    failed &&
    !hasCondition(next, 'FailureTarget') &&
    (turned(next, old, 'Failed') || changed(next, old, 'failedIndexes'))
  ) {
    errors.push(withoutValue(at, 'cannot set Failed=True condition without the FailureTarget=true condition'));
  }
  if (
    complete &&
    !hasCondition(next, 'SuccessCriteriaMet') &&
    (turned(next, old, 'Complete') || turned(next, old, 'SuccessCriteriaMet'))
  ) {
    errors.push(withoutValue(at, 'cannot set Complete=True condition without the SuccessCriteriaMet=true condition'));
  }
  return errors;
}

function finishedErrors(next: ApiObject, old: ApiObject): readonly FieldError[] {
  if (!isFinished(next)) return [];
  const errors: FieldError[] = [];
  const status = objectAt(next, 'status');
  const ended = isFinished(next) !== isFinished(old);
  const active = numberAt(status, 'active') ?? 0;
  if (active > 0 && (ended || changed(next, old, 'active'))) {
    errors.push(fieldErrors.invalid('status.active', active, 'active>0 is invalid for finished job'));
  }
  const nothingToDo = valueAt(next, 'spec', 'suspend') === true && numberAt(next, 'spec', 'completions') === 0;
  if (status['startTime'] === undefined && (ended || changed(next, old, 'startTime')) && !nothingToDo) {
    errors.push(fieldErrors.required('status.startTime', 'startTime is required for finished job'));
  }
  const uncounted = objectAt(status, 'uncountedTerminatedPods');
  const count = textsAt(uncounted, 'failed').length + textsAt(uncounted, 'succeeded').length;
  if (count > 0 && (ended || changed(next, old, 'uncountedTerminatedPods'))) {
    const shown = { Succeeded: uncounted['succeeded'] ?? null, Failed: uncounted['failed'] ?? null };
    errors.push(invalidStruct('status.uncountedTerminatedPods', shown, 'must be empty for finished job'));
  }
  return errors;
}

function indexErrors(next: ApiObject, old: ApiObject): readonly FieldError[] {
  const spec = objectAt(next, 'spec');
  const limit = numberAt(spec, 'completions');
  const completed = stringAt(next, 'status', 'completedIndexes');
  const failed = valueAt(next, 'status', 'failedIndexes');
  const errors: FieldError[] = [];
  const parse = (text: string, field: string): void => {
    const total = limit === undefined ? 0 : countIndexes(text, limit);
    if (typeof total === 'number') return;
    errors.push(fieldErrors.invalid(`status.${field}`, text, `error parsing ${field}: ${total.error}`));
  };
  const newlyCompleted = changed(next, old, 'completedIndexes');
  const newlyFailed = changed(next, old, 'failedIndexes');
  if (newlyCompleted) parse(completed, 'completedIndexes');
  if (newlyFailed && spec['backoffLimitPerIndex'] !== undefined && failed !== undefined) {
    parse(String(failed), 'failedIndexes');
  }
  if (newlyCompleted && completed !== '' && spec['completionMode'] !== 'Indexed') {
    const why = 'cannot set non-empty completedIndexes when non-indexed completion mode';
    errors.push(fieldErrors.invalid('status.completedIndexes', completed, why));
  }
  if (newlyFailed && spec['backoffLimitPerIndex'] === undefined && failed !== undefined) {
    const why = 'cannot set non-null failedIndexes when backoffLimitPerIndex is null';
    errors.push(fieldErrors.invalid('status.failedIndexes', failed, why));
  }
  return errors;
}

function readyErrors(next: ApiObject, old: ApiObject): readonly FieldError[] {
  const status = objectAt(next, 'status');
  const errors: FieldError[] = [];
  const terminating = numberAt(status, 'terminating') ?? 0;
  const ended = isFinished(next) !== isFinished(old);
  if (isFinished(next) && terminating > 0 && (ended || changed(next, old, 'terminating'))) {
    errors.push(fieldErrors.invalid('status.terminating', terminating, 'terminating>0 is invalid for finished job'));
  }
  const ready = numberAt(status, 'ready');
  if (
    ready !== undefined &&
    ready > (numberAt(status, 'active') ?? 0) &&
    (changed(next, old, 'ready') || changed(next, old, 'active'))
  ) {
    errors.push(fieldErrors.invalid('status.ready', ready, 'cannot set more ready pods than active'));
  }
  const met = hasCondition(next, 'SuccessCriteriaMet');
  for (const type of ['Failed', 'FailureTarget']) {
    if (!met || !hasCondition(next, type)) continue;
    errors.push(withoutValue(at, `cannot set SuccessCriteriaMet=True and ${type}=true conditions`));
  }
  if (valueAt(next, 'spec', 'successPolicy') !== undefined && !met && hasCondition(next, 'Complete')) {
    const why = 'cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True';
    errors.push(withoutValue(at, why));
  }
  return errors;
}

function endErrors(next: ApiObject, old: ApiObject): readonly FieldError[] {
  return ['Failed', 'Complete', 'FailureTarget']
    .filter((type) => hasCondition(old, type) && !hasCondition(next, type))
    .map((type) => withoutValue(at, `cannot disable the terminal ${type}=True condition`));
}

function counterErrors(next: ApiObject, old: ApiObject): readonly FieldError[] {
  const status = objectAt(next, 'status');
  const before = objectAt(old, 'status');
  const errors: FieldError[] = [];
  const spec = objectAt(next, 'spec');
  const shrinkable = spec['completionMode'] === 'Indexed' && spec['completions'] === spec['parallelism'];
  for (const field of ['failed', 'succeeded']) {
    if (field === 'succeeded' && shrinkable) continue;
    if (countOf(status, field) >= countOf(before, field)) continue;
    errors.push(fieldErrors.invalid(`status.${field}`, countOf(status, field), `cannot decrease the ${field} counter`));
  }
  const { completionTime: end } = status;
  if (end !== undefined && before['completionTime'] !== undefined && end !== before['completionTime']) {
    errors.push(fieldErrors.invalid('status.completionTime', end, 'field is immutable'));
  }
  if (before['startTime'] !== undefined && changed(next, old, 'startTime') && spec['suspend'] !== true) {
    const resuming = hasCondition(old, 'Suspended') && hasCondition(next, 'Suspended', 'False');
    const why = 'field is immutable for unsuspended job once set';
    if (!resuming) errors.push(fieldErrors.invalid('status.startTime', status['startTime'] ?? null, why));
  }
  if (hasCondition(old, 'SuccessCriteriaMet') && !hasCondition(next, 'SuccessCriteriaMet')) {
    errors.push(withoutValue(at, 'cannot disable the SuccessCriteriaMet=True condition'));
  }
  return errors;
}

function countOf(status: JsonDraft, field: string): number {
  return numberAt(status, field) ?? 0;
}
