import { append } from '@kubewright/api/json';
import { type FieldError, fieldErrors } from '@kubewright/api/schema';
import type { JsonDraft } from '../../../objects/api-object.js';
import { isObject, stringAt } from '../../../objects/json-object.js';
import { fieldReferenceErrors, fileFields, resourceReferenceErrors } from './field-reference-rules.js';
import { modeErrors, ownPathErrors, requiredErrors } from './value-rules.js';

/** Returns the errors of a ConfigMap or Secret key that is projected to a file. */
export function fileErrors(item: JsonDraft, path: string): readonly FieldError[] {
  return [
    ...requiredErrors(item, path, ['key', 'path']),
    ...ownPathErrors(stringAt(item, 'path'), `${path}.path`),
    ...modeErrors(item, 'mode', path),
  ];
}

/** Returns the errors of a Pod field that is projected to a file. */
export function downwardFileErrors(file: JsonDraft, path: string): readonly FieldError[] {
  const errors = [...requiredErrors(file, path, ['path']), ...ownPathErrors(stringAt(file, 'path'), `${path}.path`)];
  const { fieldRef, resourceFieldRef } = file as { fieldRef?: unknown; resourceFieldRef?: unknown };
  if (isObject(fieldRef)) {
    append(errors, fieldReferenceErrors(fieldRef, `${path}.fieldRef`, fileFields));
    const why = 'fieldRef and resourceFieldRef can not be specified simultaneously';
    if (isObject(resourceFieldRef)) errors.push(fieldErrors.invalid(path, 'resource', why));
  } else if (isObject(resourceFieldRef)) {
    append(errors, resourceReferenceErrors(resourceFieldRef, `${path}.resourceFieldRef`, true));
  } else {
    errors.push(fieldErrors.required(path, 'one of fieldRef and resourceFieldRef is required'));
  }
  return [...errors, ...modeErrors(file, 'mode', path)];
}
