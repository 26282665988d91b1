import { type FieldError, fieldErrors } from '@kubewright/api/schema';
import type { JsonDraft } from '../../../objects/api-object.js';
import { objectAt, stringAt } from '../../../objects/json-object.js';
import { mirrorAnnotation } from '../../rules/mirror-pod.js';
import { profileAnnotationErrors } from './profile-annotations.js';

const deletionCost = 'controller.kubernetes.io/pod-deletion-cost';

/** Returns the errors of the annotations that Kubernetes interprets on Pods. */
export function podAnnotationErrors(metadata: JsonDraft, spec: JsonDraft, path: string): readonly FieldError[] {
  const annotations = objectAt(metadata, 'annotations');
  const errors: FieldError[] = [];
  const mirrored = annotations[mirrorAnnotation];
  if (mirrored !== undefined && stringAt(spec, 'nodeName') === '') {
    const why = 'must set spec.nodeName if mirror pod annotation is set';
    errors.push(fieldErrors.invalid(`${path}[${mirrorAnnotation}]`, mirrored, why));
  }
  const cost = annotations[deletionCost];
  if (cost !== undefined && !isInt32(String(cost))) {
    errors.push(fieldErrors.invalid(`${path}[${deletionCost}]`, cost, 'must be a 32bit integer'));
  }
  return [...errors, ...profileAnnotationErrors(annotations, spec, path)];
}

/** Whether the text is a 32-bit integer without a plus sign. Only a negative number can have leading zeros. */
function isInt32(text: string): boolean {
  const number = /^(?:-\d+|0|[1-9]\d*)$/.test(text) ? Number(text) : Number.NaN;
  return number >= -(2 ** 31) && number < 2 ** 31;
}
