import { KubewrightError } from '@kubewright/api/errors';
import { deepEqual } from '@kubewright/api/patch';
import { type FieldError, fieldErrors } from '@kubewright/api/schema';
import { labelSelectorFromObject } from '@kubewright/api/selectors';
import { type ApiObject, objectAt, objectsAt, stringAt, valueAt } from '../json-object.js';
import { minimum } from './pod-spec-validation.js';
import { podSpecErrors } from './pod-spec-validation.js';

/** What is wrong with the selector, the template and the replicas of a workload; `kind` in lower case, as texts name it. */
export function workloadErrors(object: ApiObject, kind: string): readonly FieldError[] {
  const spec = objectAt(object, 'spec');
  const errors = [...minimum(spec, 'replicas', { path: 'spec', least: 0 }), ...selectorErrors(object, kind)];
  errors.push(...minimum(spec, 'minReadySeconds', { path: 'spec', least: 0 }));
  errors.push(...minimum(spec, 'revisionHistoryLimit', { path: 'spec', least: 0 }));
  const template = 'spec.template.spec';
  errors.push(...podSpecErrors(objectAt(spec, 'template', 'spec'), template));
  const restart = stringAt(spec, 'template', 'spec', 'restartPolicy');
  if (restart !== '' && restart !== 'Always') {
    errors.push(fieldErrors.notSupported(`${template}.restartPolicy`, restart, ['Always']));
  }
  return errors;
}

/** The error of a selector that was changed. */
export function selectorUpdateErrors(next: ApiObject, old: ApiObject): readonly FieldError[] {
  const selector = valueAt(next, 'spec', 'selector');
  if (deepEqual(selector, valueAt(old, 'spec', 'selector'))) return [];
  return [fieldErrors.invalid('spec.selector', selector, 'field is immutable')];
}

function selectorErrors(object: ApiObject, kind: string): readonly FieldError[] {
  const selector = valueAt(object, 'spec', 'selector');
  if (selector === undefined) return [fieldErrors.required('spec.selector')];
  const none =
    Object.keys(objectAt(selector, 'matchLabels')).length + objectsAt(selector, 'matchExpressions').length === 0;
  if (none) return [fieldErrors.invalid('spec.selector', selector, `empty selector is invalid for ${kind}`)];
  const incomplete = objectsAt(selector, 'matchExpressions').flatMap((expression, index) =>
    ['key', 'operator']
      .filter((field) => stringAt(expression, field) === '')
      .map((field) => fieldErrors.required(`spec.selector.matchExpressions[${index}].${field}`)),
  );
  if (incomplete.length > 0) return incomplete;
  const labels = objectAt(object, 'spec', 'template', 'metadata', 'labels') as Record<string, string>;
  try {
    if (labelSelectorFromObject(selector as never).matches(labels)) return [];
  } catch (error) {
    if (!(error instanceof KubewrightError)) throw error;
    return [fieldErrors.invalid('spec.selector', selector, error.message)];
  }
  return [fieldErrors.invalid('spec.template.metadata.labels', labels, '`selector` does not match template `labels`')];
}
