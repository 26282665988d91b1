import { deepEqual } from '@kubewright/api/patch';
import { dns1123LabelErrors } from '@kubewright/api/names';
import { type FieldError, fieldErrors } from '@kubewright/api/schema';
import type { ApiObject, DraftObject, IncomingObject, JsonDraft } from '../../objects/api-object.js';
import { copyJson, madeAt, numberAt, objectAt, objectsAt, stringAt, valueAt } from '../../objects/json-object.js';
import type { Strategy } from '../../definitions/strategy.js';
import { fill, invalidSelector, labelSelectorErrors, unchanged } from '../rules/field-checks.js';
import { type GoShape, unchangedStruct } from '../rules/go-shape.js';
import { jobCells } from './job-cells.js';
import { jobSpecErrors } from './job-spec-rules.js';
import { jobStatusErrors } from './job-status-rules.js';
import { templateLabelErrors } from '../apps/workload-selector.js';
import { workloadWarnings } from '../apps/workload-warnings.js';
import { defaultPodSpec } from '../core/pod-spec/pod-spec-defaults.js';

const nameLabels = ['job-name', 'batch.kubernetes.io/job-name'];
const uidLabel = 'batch.kubernetes.io/controller-uid';
const uidLabels = ['controller-uid', uidLabel];
const largest = 2 ** 31 - 1;

const deletionWarning =
  'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set ' +
  'propagationPolicy=Orphan to suppress this warning';

const failurePolicyShape: GoShape = [
  [
    'Rules',
    'rules',
    [
      ['Action', 'action', ''],
      [
        'OnExitCodes',
        'onExitCodes',
        [
          ['ContainerName', 'containerName', null],
          ['Operator', 'operator', ''],
          ['Values', 'values', null],
        ],
      ],
      [
        'OnPodConditions',
        'onPodConditions',
        [
          ['Type', 'type', ''],
          ['Status', 'status', ''],
        ],
      ],
    ],
  ],
];
const successPolicyShape: GoShape = [
  [
    'Rules',
    'rules',
    [
      ['SucceededIndexes', 'succeededIndexes', null],
      ['SucceededCount', 'succeededCount', null],
    ],
  ],
];

/** The strategy for Jobs. By default, one Pod runs to completion. The server generates the selector, and most fields are immutable. */
export const jobStrategy: Partial<Strategy> = {
  ownRules: true,
  metadataRules: { validatesAgain: true },
  deletionRules: { orphans: true, warning: deletionWarning },
  tracksGeneration: true,
  selectableFields: ['status.successful'],
  selectableField: (job) => String(numberAt(job, 'status', 'succeeded') ?? 0),
  unsupportedField: (field) => `field label "${field}" not supported for Job`,
  defaults: defaultJob,
  prepareForCreate: (draft) => {
    draft['status'] = {};
    if (valueAt(draft, 'spec', 'manualSelector') !== true) generateSelector(draft);
    takeLabels(draft);
  },
  validate: jobErrors,
  validateUpdate: (next, old) => [
    ...jobErrors(next),
    ...jobSpecErrors(objectAt(next, 'spec'), 'spec'),
    ...selectorErrors(next),
    ...changeErrors(next, old),
  ],
  validateStatusUpdate: jobStatusErrors,
  warnings: workloadWarnings,
  cells: jobCells,
};

/** Sets the defaults that Jobs and the Job templates of CronJobs share. */
export function defaultJobTemplate(spec: JsonDraft): void {
  const template = madeAt(spec, 'template');
  madeAt(template, 'metadata');
  defaultPodSpec(madeAt(template, 'spec'));
  for (const rule of objectsAt(spec, 'podFailurePolicy', 'rules')) {
    for (const pattern of objectsAt(rule, 'onPodConditions')) fill(pattern, { status: 'True' });
  }
}

function defaultJob(draft: IncomingObject): void {
  const spec = madeAt(draft, 'spec');
  defaultJobTemplate(spec);
  if (spec['completions'] === undefined && spec['parallelism'] === undefined) spec['completions'] = 1;
  fill(spec, {
    parallelism: 1,
    backoffLimit: spec['backoffLimitPerIndex'] === undefined ? 6 : largest,
    completionMode: 'NonIndexed',
    suspend: false,
    podReplacementPolicy: spec['podFailurePolicy'] === undefined ? 'TerminatingOrFailed' : 'Failed',
    manualSelector: false,
  });
  // Only a new Job has no generation. `prepareForCreate` copies the labels of a new Job, after the template has its generated labels.
  if (draft.metadata.generation !== undefined) takeLabels(draft);
}

/** Copies the labels of the template to a Job without labels. */
function takeLabels(draft: IncomingObject): void {
  const labels = valueAt(draft, 'spec', 'template', 'metadata', 'labels');
  if (labels === undefined || Object.keys(draft.metadata.labels ?? {}).length > 0) return;
  draft.metadata.labels = copyJson(labels) as Record<string, string>;
}

/** Adds labels with the name and the uid of the Job to the template, and selects the Pods by the uid. */
function generateSelector(draft: DraftObject): void {
  const labels = madeAt(draft, 'spec', 'template', 'metadata', 'labels');
  const { name, uid } = draft.metadata;
  for (const label of nameLabels) labels[label] ??= name;
  for (const label of uidLabels) labels[label] ??= uid;
  madeAt(draft, 'spec', 'selector', 'matchLabels')[uidLabel] ??= uid;
}

function jobErrors(job: ApiObject): readonly FieldError[] {
  const spec = objectAt(job, 'spec');
  const errors = [...generatedErrors(job), ...jobSpecErrors(spec, 'spec'), ...selectorErrors(job)];
  const completions = numberAt(spec, 'completions') ?? 0;
  if (spec['completionMode'] !== 'Indexed' || completions <= 0) return errors;
  const host = `${job.metadata.name}-${completions - 1}`;
  if (dns1123LabelErrors(host).length > 0) {
    const why = `will not able to create pod with invalid DNS label: ${host}`;
    errors.push(fieldErrors.invalid('metadata.name', job.metadata.name, why));
  }
  return errors;
}

function selectorErrors(job: ApiObject): readonly FieldError[] {
  const spec = objectAt(job, 'spec');
  if (spec['selector'] === undefined) {
    return [fieldErrors.required('spec.selector'), ...templateLabelErrors(spec)];
  }
  return [...labelSelectorErrors(spec['selector'], 'spec.selector'), ...templateLabelErrors(spec)];
}

/**
 * Returns an error for each generated label that the template lacks or has with another value, and for a selector that the server did not
 * generate. Returns no errors for a Job with `manualSelector` or without a selector.
 */
function generatedErrors(job: ApiObject): readonly FieldError[] {
  const spec = objectAt(job, 'spec');
  if (spec['manualSelector'] === true || spec['selector'] === undefined) return [];
  const labels = objectAt(spec, 'template', 'metadata', 'labels');
  const { name, uid } = job.metadata;
  const expected: readonly (readonly [string, string])[] = [
    ['controller-uid', uid],
    ['job-name', name],
    [uidLabel, uid],
    ['batch.kubernetes.io/job-name', name],
  ];
  const path = 'spec.template.metadata.labels';
  const errors = expected.flatMap(([label, value]) => {
    if (labels[label] === undefined) return [fieldErrors.required(`${path}[${label}]`, `must be '${value}'`)];
    if (labels[label] === value) return [];
    return [fieldErrors.invalid(`${path}[${label}]`, labels, `must be '${value}'`)];
  });
  const selected = Object.entries(objectAt(spec, 'selector', 'matchLabels'));
  const own = new Map(expected);
  if (!selected.every(([label, value]) => own.get(label) === value)) {
    errors.push(invalidSelector('spec.selector', spec['selector'], '`selector` not auto-generated'));
  }
  return errors;
}

function changeErrors(next: ApiObject, old: ApiObject): readonly FieldError[] {
  return [
    ...completionsErrors(next, old),
    ...unchanged(next, old, 'spec.selector'),
    ...templateErrors(next, old),
    ...unchanged(next, old, 'spec.completionMode'),
    ...unchangedStruct(next, old, { path: 'spec.podFailurePolicy', shape: failurePolicyShape }),
    ...['backoffLimitPerIndex', 'managedBy'].flatMap((field) => unchanged(next, old, `spec.${field}`)),
    ...unchangedStruct(next, old, { path: 'spec.successPolicy', shape: successPolicyShape }),
  ];
}

function completionsErrors(next: ApiObject, old: ApiObject): readonly FieldError[] {
  const completions = valueAt(next, 'spec', 'completions');
  if (stringAt(next, 'spec', 'completionMode') !== 'Indexed') return unchanged(next, old, 'spec.completions');
  if (completions === undefined || completions === valueAt(old, 'spec', 'completions')) return [];
  if (completions === valueAt(next, 'spec', 'parallelism')) return [];
  const why = 'can only be modified in tandem with spec.parallelism';
  return [fieldErrors.invalid('spec.completions', completions, why)];
}

/**
 * Returns the errors of a template change. The template is immutable, except for the metadata, the scheduling fields and the resources of a
 * suspended Job. Such a Job must have no active Pods, and must either not have started or have the Suspended condition.
 */
function templateErrors(next: ApiObject, old: ApiObject): readonly FieldError[] {
  const template = objectAt(next, 'spec', 'template');
  const before = copyJson(objectAt(old, 'spec', 'template'));
  const suspended = valueAt(old, 'spec', 'suspend') === true;
  const idle = (numberAt(old, 'status', 'active') ?? 0) === 0;
  const isIdle =
    valueAt(old, 'status', 'startTime') === undefined ||
    objectsAt(old, 'status', 'conditions').some(({ type, status }) => type === 'Suspended' && status === 'True');
  const movable = suspended && isIdle && idle;
  if (movable) takeScheduling(before, template);
  if (!movable) {
    if (deepEqual(template, before)) return [];
    return [fieldErrors.invalid('spec.template', template, 'field is immutable')];
  }
  takeResources(before, template);
  if (deepEqual(objectAt(template, 'spec'), objectAt(before, 'spec'))) return [];
  return [fieldErrors.invalid('spec.template.spec', objectAt(template, 'spec'), 'field is immutable')];
}

function takeScheduling(before: JsonDraft, template: JsonDraft): void {
  const from = objectAt(template, 'spec');
  const to = madeAt(before, 'spec');
  for (const field of ['nodeSelector', 'tolerations', 'schedulingGates']) setOrDelete(to, field, from[field]);
  const affinity = { ...objectAt(to, 'affinity') };
  setOrDelete(affinity, 'nodeAffinity', valueAt(from, 'affinity', 'nodeAffinity'));
  const none = Object.keys(affinity).length === 0 && from['affinity'] === undefined;
  setOrDelete(to, 'affinity', none ? undefined : affinity);
  before['metadata'] = template['metadata'];
}

function takeResources(before: JsonDraft, template: JsonDraft): void {
  for (const field of ['containers', 'initContainers']) {
    const containers = objectsAt(template, 'spec', field);
    const known = objectsAt(before, 'spec', field);
    if (containers.length !== known.length) continue;
    for (const [index, container] of containers.entries()) {
      const old = known[index];
      if (old?.['name'] === container['name']) setOrDelete(old as JsonDraft, 'resources', container['resources']);
    }
  }
}

function setOrDelete(object: JsonDraft, field: string, value: unknown): void {
  if (value === undefined) delete object[field];
  else object[field] = value;
}
