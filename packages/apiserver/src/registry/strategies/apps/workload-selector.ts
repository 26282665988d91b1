import { KubewrightError } from '@kubewright/api/errors';
import { type FieldError, fieldErrors } from '@kubewright/api/schema';
import { labelSelectorFromObject } from '@kubewright/api/selectors';
import type { JsonDraft } from '../../objects/api-object.js';
import { madeAt, objectAt, stringAt, valueAt } from '../../objects/json-object.js';
import { isEmptySelector, labelSelectorErrors, invalidSelector } from '../rules/field-checks.js';
import { defaultPodSpec } from '../core/pod-spec/pod-spec-defaults.js';
import { podTemplateErrors } from '../core/pod-spec/pod-spec-validation.js';

/** Sets the defaults of the Pod template of a workload. */
export function defaultTemplate(spec: JsonDraft): void {
  madeAt(spec, 'template', 'metadata');
  defaultPodSpec(madeAt(spec, 'template', 'spec'));
}

/** Returns the errors of the selector of a workload. `kind` is the kind in lower case, as in error texts. */
export function selectorErrors(spec: JsonDraft, kind: string): readonly FieldError[] {
  const { selector } = spec;
  if (selector === undefined) return [fieldErrors.required('spec.selector')];
  const errors = [...labelSelectorErrors(selector, 'spec.selector')];
  if (isEmptySelector(selector)) {
    errors.push(fieldErrors.invalid('spec.selector', selector, `empty selector is invalid for ${kind}`));
  }
  return errors;
}

/** Whether the selector matches the labels of the template. Returns undefined for an invalid selector. */
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

/** Returns the error of a template whose labels do not match the selector. Returns no error if the selector is invalid. */
export function templateLabelErrors(spec: JsonDraft): readonly FieldError[] {
  if (selectsTemplate(spec) !== false) return [];
  const labels = valueAt(spec, 'template', 'metadata', 'labels') ?? null;
  const why = '`selector` does not match template `labels`';
  return [fieldErrors.invalid('spec.template.metadata.labels', labels, why)];
}

/** Returns the errors of a template for long-running Pods. `kind` is the kind as in error texts. */
export function lastingTemplateErrors(spec: JsonDraft, kind: string): readonly FieldError[] {
  return [...podTemplateErrors(objectAt(spec, 'template'), 'spec.template'), ...lastingPodErrors(spec, kind)];
}

/** Returns the errors of fields that only the Pods of Jobs can have: a restartPolicy other than Always, and activeDeadlineSeconds. */
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

/** Returns the errors of the selector and the template of a Deployment or ReplicaSet. */
export function replicatedTemplateErrors(spec: JsonDraft): readonly FieldError[] {
  // As in kube-apiserver, the text contains `deployment` for both kinds.
  const errors = [...selectorErrors(spec, 'deployment')];
  if (selectsTemplate(spec) === undefined) {
    errors.push(invalidSelector('spec.selector', spec['selector'], 'invalid label selector'));
    return errors;
  }
  return [...errors, ...templateLabelErrors(spec), ...lastingTemplateErrors(spec, 'ReplicaSet')];
}
