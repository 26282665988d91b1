import { append } from '@kubewright/api/json';
import { type FieldError, fieldErrors } from '@kubewright/api/schema';
import type { JsonDraft } from '../../../objects/api-object.js';
import { objectsAt, stringAt } from '../../../objects/json-object.js';

/** Returns the errors of a Pod spec under the rules that do not apply to Pod templates. */
export function podOnlyErrors(spec: JsonDraft, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (stringAt(spec, 'serviceAccountName') === '') {
    for (const [index, volume] of objectsAt(spec, 'volumes').entries()) {
      for (const [of, source] of objectsAt(volume, 'projected', 'sources').entries()) {
        if (source['serviceAccountToken'] === undefined) continue;
        const at = `${path}.volumes[${index}].projected.sources[${of}].serviceAccountToken`;
        errors.push(fieldErrors.forbidden(at, 'must not be specified when serviceAccountName is not set'));
      }
    }
  }
  for (const field of ['containers', 'initContainers']) {
    for (const [index, container] of objectsAt(spec, field).entries()) {
      append(errors, imageSpaceErrors(container, `${path}.${field}[${index}]`));
    }
  }
  return errors;
}

/** Returns the error of an image with leading or trailing whitespace. */
export function imageSpaceErrors(container: JsonDraft, path: string): readonly FieldError[] {
  const image = stringAt(container, 'image');
  if (image.trim() === image) return [];
  return [fieldErrors.invalid(`${path}.image`, image, 'must not have leading or trailing whitespace')];
}
