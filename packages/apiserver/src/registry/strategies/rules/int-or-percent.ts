import { type FieldError, fieldErrors } from '@kubewright/api/schema';

const percent = /^[0-9]+%$/;
const percentRule =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";

/** Returns the errors of a number or percentage. */
export function intOrPercentErrors(value: unknown, path: string): readonly FieldError[] {
  if (typeof value === 'string') return percent.test(value) ? [] : [fieldErrors.invalid(path, value, percentRule)];
  if (typeof value !== 'number' || value >= 0) return [];
  return [fieldErrors.invalid(path, value, 'must be greater than or equal to 0')];
}

/** Returns the number of a count or percentage, or 0 for other text. */
export function intOrPercentValue(value: unknown): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' ? Number.parseInt(value, 10) || 0 : 0;
}

/** Returns the error of a percentage above 100 %. */
export function notMoreThanAll(value: unknown, path: string): readonly FieldError[] {
  if (typeof value !== 'string' || !percent.test(value) || Number.parseInt(value, 10) <= 100) return [];
  return [fieldErrors.invalid(path, value, 'must not be greater than 100%')];
}
