import { deepEqual } from '@kubewright/api/patch';
import { KubewrightError } from '@kubewright/api/errors';
import { type FieldError, fieldErrors } from '@kubewright/api/schema';
import { labelSelectorFromObject } from '@kubewright/api/selectors';
import { objectAt, type JsonDraft, madeAt, stringAt, valueAt } from '../json-object.js';
import { isEmptySelector, labelSelectorErrors, invalidSelector } from './field-checks.js';
import { defaultPodSpec } from './core/pod-spec-defaults.js';
import { podSpecWarnings } from './core/pod-spec/pod-spec-warnings.js';
import { podTemplateErrors } from './core/pod-spec-validation.js';

/** Fills the template of a workload. */
export function defaultTemplate(spec: JsonDraft): void {
  madeAt(spec, 'template', 'metadata');
  defaultPodSpec(madeAt(spec, 'template', 'spec'));
}

/** What is wrong with the selector of a workload; `kind` as the texts name it, in lower case. */
export function selectorErrors(spec: JsonDraft, kind: string): readonly FieldError[] {
  const { selector } = spec;
  if (selector === undefined) return [fieldErrors.required('spec.selector')];
  const errors = [...labelSelectorErrors(selector, 'spec.selector')];
  if (isEmptySelector(selector)) {
    errors.push(fieldErrors.invalid('spec.selector', selector, `empty selector is invalid for ${kind}`));
  }
  return errors;
}

/** Whether the selector chooses the Pods of the template; undefined for one that cannot be read. */
function selectsTemplate(spec: JsonDraft): boolean | undefined {
  if (spec['selector'] === undefined) return false;
  try {
    const labels = objectAt(spec, 'template', 'metadata', 'labels') as Record<string, string>;
    return labelSelectorFromObject(spec['selector'] as never).matches(labels);
  } catch (error) {
    if (error instanceof KubewrightError) return undefined;
    throw error;
  }
}

/** The error of a template whose labels the selector does not choose. */
export function templateLabelErrors(spec: JsonDraft): readonly FieldError[] {
  if (selectsTemplate(spec) !== false) return [];
  const labels = valueAt(spec, 'template', 'metadata', 'labels') ?? null;
  const why = '`selector` does not match template `labels`';
  return [fieldErrors.invalid('spec.template.metadata.labels', labels, why)];
}

/** What is wrong with a template whose Pods are to run for good; `kind` as the texts name it. */
export function lastingTemplateErrors(spec: JsonDraft, kind: string): readonly FieldError[] {
  return [...podTemplateErrors(objectAt(spec, 'template'), 'spec.template'), ...lastingPodErrors(spec, kind)];
}

/** What only Pods that come to an end may have. */
export function lastingPodErrors(spec: JsonDraft, kind: string): readonly FieldError[] {
  const pod = objectAt(spec, 'template', 'spec');
  const errors: FieldError[] = [];
  const restart = stringAt(pod, 'restartPolicy');
  if (restart !== 'Always') {
    errors.push(fieldErrors.notSupported('spec.template.spec.restartPolicy', restart, ['Always']));
  }
  if (pod['activeDeadlineSeconds'] !== undefined) {
    const why = `activeDeadlineSeconds in ${kind} is not Supported`;
    errors.push(fieldErrors.forbidden('spec.template.spec.activeDeadlineSeconds', why));
  }
  return errors;
}

/** What is wrong with selector and template of a Deployment or ReplicaSet. */
export function replicatedTemplateErrors(spec: JsonDraft): readonly FieldError[] {
  // Both kinds call themselves by the first one's name in this text.
  const errors = [...selectorErrors(spec, 'deployment')];
  if (selectsTemplate(spec) === undefined) {
    errors.push(invalidSelector('spec.selector', spec['selector'], 'invalid label selector'));
    return errors;
  }
  return [...errors, ...templateLabelErrors(spec), ...lastingTemplateErrors(spec, 'ReplicaSet')];
}

/** What is better known of the template of a workload at `path`, when it is new or has changed. */
export function templateWarnings(spec: JsonDraft, old: JsonDraft | undefined, path: string): readonly string[] {
  const template = objectAt(spec, 'template');
  if (old !== undefined && deepEqual(spec, old)) return [];
  return podSpecWarnings(objectAt(template, 'spec'), objectAt(template, 'metadata'), `${path}.template.`);
}
