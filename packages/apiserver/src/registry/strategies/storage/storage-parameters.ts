import { qualifiedNameErrors } from '@kubewright/api/names';
import { type FieldError, fieldErrors } from '@kubewright/api/schema';
import type { JsonDraft } from '../../objects/api-object.js';

const mostParameters = 512;
const mostBytes = 256 * 1024;

/** Returns the errors of a provisioner name. */
export function provisionerErrors(name: string, path: string): readonly FieldError[] {
  if (name === '') return [fieldErrors.required(path)];
  const lower = name.toLowerCase();
  return qualifiedNameErrors(lower).map((why) => fieldErrors.invalid(path, lower, why));
}

/** Returns the errors of volume parameters. */
export function parameterErrors(parameters: JsonDraft, path: string): readonly FieldError[] {
  const entries = Object.entries(parameters);
  if (entries.length > mostParameters) return [fieldErrors.tooLong(path, mostParameters)];
  const errors = entries
    .filter(([key]) => key === '')
    .map(([key]) => fieldErrors.invalid(path, key, 'field can not be empty.'));
  const bytes = entries.reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(String(value)),
    0,
  );
  return bytes > mostBytes ? [...errors, fieldErrors.tooLong(path, mostBytes)] : errors;
}
