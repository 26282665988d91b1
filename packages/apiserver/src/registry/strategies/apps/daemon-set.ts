import { append } from '@kubewright/api/json';
import { type FieldError, fieldErrors } from '@kubewright/api/schema';
import type { ApiObject, IncomingObject, JsonDraft } from '../../objects/api-object.js';
import { equalExceptEmpty } from '../../objects/equal-except-empty.js';
import { madeAt, objectAt, valueAt } from '../../objects/json-object.js';
import type { Strategy } from '../../definitions/strategy.js';
import { rollingStruct } from './deployment.js';
import {
  fill,
  isEmptySelector,
  labelSelectorErrors,
  notDecremented,
  notNegative,
  unchanged,
} from '../rules/field-checks.js';
import { unsupportedStruct } from '../rules/go-text.js';
import { intOrPercentErrors, intOrPercentValue, notMoreThanAll } from '../rules/int-or-percent.js';
import { daemonSetCells } from './workload-cells.js';
import { defaultTemplate, lastingTemplateErrors, templateLabelErrors } from './workload-selector.js';
import { templateWarnings } from './workload-warnings.js';

/** The annotation that counts template changes. The annotation replaces the removed field `spec.templateGeneration`. */
const templateGeneration = 'deprecated.daemonset.template.generation';
const required = ['currentNumberScheduled', 'numberMisscheduled', 'desiredNumberScheduled', 'numberReady'];

/** The strategy for DaemonSets. By default, a rolling update replaces one Pod at a time. */
export const daemonSetStrategy: Partial<Strategy> = {
  ownRules: true,
  zeroFields: { annotations: { [templateGeneration]: '0' } },
  tracksGeneration: true,
  defaults: (draft) => {
    const spec = madeAt(draft, 'spec');
    count(draft, counted(draft));
    defaultTemplate(spec);
    fill(spec, { revisionHistoryLimit: 10 });
    const update = madeAt(spec, 'updateStrategy');
    fill(update, { type: 'RollingUpdate' });
    if (update['type'] === 'RollingUpdate') fill(madeAt(update, 'rollingUpdate'), { maxUnavailable: 1, maxSurge: 0 });
  },
  prepareForCreate: (draft) => {
    draft['status'] = Object.fromEntries(required.map((field) => [field, 0]));
    count(draft, Math.max(1, counted(draft)));
  },
  prepareForUpdate: (draft, old) => {
    const changed = !equalExceptEmpty(valueAt(draft, 'spec', 'template'), valueAt(old, 'spec', 'template'));
    count(draft, counted(old) + (changed ? 1 : 0));
  },
  prepareForStatusUpdate: (draft) => {
    const status = madeAt(draft, 'status');
    for (const field of required) status[field] ??= 0;
  },
  validate: daemonSetErrors,
  validateUpdate: (next, old) => [...unchanged(next, old, 'spec.selector'), ...daemonSetErrors(next)],
  validateStatusUpdate: (next, old) => [
    ...notNegative(objectAt(next, 'status'), 'status', ...counts),
    ...notDecremented(next, old, 'collisionCount'),
  ],
  warnings: (set, old) => templateWarnings(objectAt(set, 'spec'), old && objectAt(old, 'spec'), 'spec'),
  cells: daemonSetCells,
};

const counts = [
  'currentNumberScheduled',
  'numberMisscheduled',
  'desiredNumberScheduled',
  'numberReady',
  'observedGeneration',
  'updatedNumberScheduled',
  'numberAvailable',
  'numberUnavailable',
  'collisionCount',
];

function counted(object: IncomingObject): number {
  const annotations: Readonly<Record<string, string>> = object.metadata.annotations ?? {};
  return Number(annotations[templateGeneration] ?? 0) || 0;
}

function count(draft: IncomingObject, generation: number): void {
  draft.metadata.annotations = { ...draft.metadata.annotations, [templateGeneration]: String(generation) };
}

function daemonSetErrors(set: ApiObject): readonly FieldError[] {
  const spec = objectAt(set, 'spec');
  const { selector } = spec;
  const errors = [...labelSelectorErrors(selector, 'spec.selector')];
  append(errors, templateLabelErrors(spec));
  if (selector !== undefined && isEmptySelector(selector)) {
    errors.push(fieldErrors.invalid('spec.selector', selector, 'empty selector is invalid for daemonset'));
  }
  return [
    ...errors,
    ...lastingTemplateErrors(spec, 'DaemonSet'),
    ...notNegative(spec, 'spec', 'minReadySeconds'),
    ...updateStrategyErrors(objectAt(spec, 'updateStrategy')),
    ...notNegative(spec, 'spec', 'revisionHistoryLimit'),
  ];
}

function updateStrategyErrors(strategy: JsonDraft): readonly FieldError[] {
  const { type, rollingUpdate } = strategy;
  if (type === 'OnDelete') return [];
  if (type !== 'RollingUpdate') {
    const shown = { Type: type, RollingUpdate: rollingStruct(rollingUpdate) };
    return [unsupportedStruct('spec.updateStrategy', shown, ['RollingUpdate', 'OnDelete'])];
  }
  const path = 'spec.updateStrategy.rollingUpdate';
  const unavailable = valueAt(rollingUpdate, 'maxUnavailable');
  const surge = valueAt(rollingUpdate, 'maxSurge');
  const errors = [
    ...intOrPercentErrors(unavailable, `${path}.maxUnavailable`),
    ...intOrPercentErrors(surge, `${path}.maxSurge`),
    ...notMoreThanAll(unavailable, `${path}.maxUnavailable`),
    ...notMoreThanAll(surge, `${path}.maxSurge`),
  ];
  const hasUnavailable = intOrPercentValue(unavailable) !== 0;
  const hasSurge = intOrPercentValue(surge) !== 0;
  if (hasUnavailable && hasSurge) {
    const why = 'may not be set when maxUnavailable is non-zero';
    errors.push(fieldErrors.invalid(`${path}.maxSurge`, surge, why));
  } else if (!hasUnavailable && !hasSurge) {
    errors.push(fieldErrors.required(`${path}.maxUnavailable`, 'cannot be 0 when maxSurge is 0'));
  }
  return errors;
}
