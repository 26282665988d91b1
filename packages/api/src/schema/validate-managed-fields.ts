import type { FieldError } from './field-error.js';
import { fieldErrors } from './field-errors.js';
import { isJsonMap, type JsonMap } from './json-shape.js';

/** Returns the errors in `managedFields`. Does not validate the field sets. */
export function managedFieldsErrors(entries: unknown, path: string): readonly FieldError[] {
  if (!Array.isArray(entries)) return [];
  return entries.flatMap((entry: unknown, index) => (isJsonMap(entry) ? entryErrors(entry, `${path}[${index}]`) : []));
}

function entryErrors(entry: JsonMap, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  const { operation = '', fieldsType = '', manager = '', subresource = '' } = entry;
  if (operation === '') errors.push(fieldErrors.required(`${path}.operation`, 'must not be empty'));
  else if (operation !== 'Apply' && operation !== 'Update') {
    errors.push(fieldErrors.notSupported(`${path}.operation`, operation, ['Apply', 'Update']));
  }
  if (fieldsType !== '' && fieldsType !== 'FieldsV1') {
    errors.push(fieldErrors.invalid(`${path}.fieldsType`, fieldsType, 'must be `FieldsV1`'));
  }
  if (byteLength(manager) > 128) errors.push(fieldErrors.tooLong(`${path}.manager`, 128));
  if (byteLength(subresource) > 256) errors.push(fieldErrors.tooLong(`${path}.subresource`, 256));
  return errors;
}

function byteLength(value: unknown): number {
  return typeof value === 'string' ? Buffer.byteLength(value) : 0;
}
