import { append } from '@kubewright/api/json';
import { deepEqual } from '@kubewright/api/patch';
import { type FieldError, fieldErrors } from '@kubewright/api/schema';
import { age } from '../../objects/age.js';
import type { ApiObject, JsonDraft } from '../../objects/api-object.js';
import { madeAt, numberAt, objectAt, objectsAt, stringAt } from '../../objects/json-object.js';
import { formatSelector } from '../../objects/format-selector.js';
import type { Strategy } from '../../definitions/strategy.js';
import { countedByName } from '../../quota/quota-rules.js';
import { notNegative } from '../rules/field-checks.js';
import { podSpecWarnings } from './pod-spec/pod-spec-warnings.js';
import { supportedErrors } from './pod-spec/value-rules.js';
import { defaultPodSpec } from './pod-spec/pod-spec-defaults.js';
import { podTemplateErrors } from './pod-spec/pod-spec-validation.js';

const statusCounts = ['replicas', 'fullyLabeledReplicas', 'readyReplicas', 'availableReplicas', 'observedGeneration'];

/** The strategy for ReplicationControllers. The selector is a plain label map that defaults to the template labels. */
export const replicationControllerStrategy: Partial<Strategy> = {
  ownRules: true,
  quotaRules: countedByName('replicationcontrollers'),
  deletionRules: { orphans: true },
  storageFolder: 'controllers',
  tracksGeneration: true,
  selectableFields: ['status.replicas'],
  selectableField: (controller) => String(numberAt(controller, 'status', 'replicas') ?? 0),
  defaults: (draft) => {
    const spec = madeAt(draft, 'spec');
    spec['replicas'] ??= 1;
    const labels = objectAt(spec, 'template', 'metadata', 'labels');
    if (Object.keys(labels).length > 0) {
      if (Object.keys(objectAt(spec, 'selector')).length === 0) spec['selector'] = { ...labels };
      if (Object.keys(draft.metadata.labels ?? {}).length === 0) draft.metadata.labels = { ...(labels as object) };
    }
    if (spec['template'] !== undefined) defaultPodSpec(madeAt(spec, 'template', 'spec'));
  },
  prepareForCreate: (draft) => {
    draft['status'] = { replicas: 0 };
  },
  validate: controllerErrors,
  validateUpdate: controllerErrors,
  validateStatusUpdate: statusErrors,
  warnings: (controller) => templateWarnings(controller, 'spec.template'),
  cells: (controller, now) => [
    controller.metadata.name,
    numberAt(controller, 'spec', 'replicas') ?? 0,
    numberAt(controller, 'status', 'replicas') ?? 0,
    numberAt(controller, 'status', 'readyReplicas') ?? 0,
    age(controller.metadata.creationTimestamp, now),
    ...containerCells(objectAt(controller, 'spec', 'template', 'spec')),
    formatSelector({ matchLabels: objectAt(controller, 'spec', 'selector') }) || '<none>',
  ],
};

/** The strategy for PodTemplates. */
export const podTemplateStrategy: Partial<Strategy> = {
  ownRules: true,
  deletionRules: { returnsObject: true },
  tracksGeneration: true,
  defaults: (draft) => defaultPodSpec(madeAt(draft, 'template', 'spec')),
  prepareForUpdate: (draft, old) => {
    if (deepEqual(draft['template'], old['template'])) return;
    draft.metadata.generation = (old.metadata.generation ?? 0) + 1;
  },
  validate: (template) => podTemplateErrors(objectAt(template, 'template'), 'template'),
  validateUpdate: (template) => podTemplateErrors(objectAt(template, 'template'), 'template'),
  warnings: (template) => templateWarnings(template, 'template'),
  cells: (template) => [
    template.metadata.name,
    ...containerCells(objectAt(template, 'template', 'spec')),
    formatSelector({ matchLabels: objectAt(template, 'template', 'metadata', 'labels') }) || '<none>',
  ],
};

function templateWarnings(object: ApiObject, path: string): readonly string[] {
  const template = objectAt(object, ...path.split('.'));
  return podSpecWarnings(objectAt(template, 'spec'), objectAt(template, 'metadata'), `${path}.`);
}

function containerCells(spec: JsonDraft): readonly string[] {
  const containers = objectsAt(spec, 'containers');
  return ['name', 'image'].map((field) => containers.map((container) => stringAt(container, field)).join(','));
}

function controllerErrors(controller: ApiObject): readonly FieldError[] {
  const spec = objectAt(controller, 'spec');
  const selector = objectAt(spec, 'selector');
  const errors = [...notNegative(spec, 'spec', 'minReadySeconds')];
  if (Object.keys(selector).length === 0) errors.push(fieldErrors.required('spec.selector'));
  append(errors, notNegative(spec, 'spec', 'replicas'));
  const template = spec['template'];
  if (template === undefined) return [...errors, fieldErrors.required('spec.template')];
  const labels = objectAt(template, 'metadata', 'labels');
  if (Object.entries(selector).some(([key, value]) => labels[key] !== value)) {
    const why = '`selector` does not match template `labels`';
    errors.push(fieldErrors.invalid('spec.template.metadata.labels', labels, why));
  }
  append(errors, podTemplateErrors(objectAt(spec, 'template'), 'spec.template'));
  const restart = objectAt(template, 'spec')['restartPolicy'];
  if (restart !== 'Always') {
    append(errors, supportedErrors(restart, 'spec.template.spec.restartPolicy', ['Always']));
  }
  if (objectAt(template, 'spec')['activeDeadlineSeconds'] !== undefined) {
    const why = 'activeDeadlineSeconds in ReplicationController is not Supported';
    errors.push(fieldErrors.forbidden('spec.template.spec.activeDeadlineSeconds', why));
  }
  return errors;
}

function statusErrors(controller: ApiObject): readonly FieldError[] {
  const errors = [...notNegative(objectAt(controller, 'status'), 'status', ...statusCounts)];
  const count = (field: string): number => numberAt(controller, 'status', field) ?? 0;
  const most = (field: string, other: string): void => {
    if (count(field) <= count(other)) return;
    const shown = other === 'replicas' ? 'status.replicas' : 'readyReplicas';
    errors.push(fieldErrors.invalid(`status.${field}`, count(field), `cannot be greater than ${shown}`));
  };
  most('fullyLabeledReplicas', 'replicas');
  most('readyReplicas', 'replicas');
  most('availableReplicas', 'replicas');
  most('availableReplicas', 'readyReplicas');
  return errors;
}
