import type { Steps } from '../apply/steps.js';
import type { FieldError, FieldErrorReason } from './field-error.js';
import { goFloat, goJson, goJsonSteps, goQuote, goQuoteSteps } from './go-text.js';

/**
 * One function per kind of field error, with the texts of the API server. `path` is the field ('' for the object itself), `detail` is the
 * text after the value. Strings are shown in quotes. Lists and objects are shown as JSON.
 */
export const fieldErrors = {
  /** `Required value` or `Required value: <detail>`. */
  required: (path: string, detail = ''): FieldError => plain('FieldValueRequired', path, ['Required value', detail]),
  /** `Invalid value: <value>: <detail>`. */
  invalid: (path: string, value: unknown, detail: string): FieldError =>
    plain('FieldValueInvalid', path, [`Invalid value: ${shown(value)}`, detail]),
  /** Like `invalid`, for a value whose type does not match the schema. */
  typeInvalid: (path: string, value: unknown, detail: string): FieldError =>
    plain('FieldValueTypeInvalid', path, [`Invalid value: ${shown(value)}`, detail]),
  /** `Unsupported value: <value>: supported values: "a", "b"`. */
  notSupported: (path: string, value: unknown, supported: readonly string[]): FieldError =>
    plain('FieldValueNotSupported', path, [`Unsupported value: ${shown(value)}`, supportedText(supported)]),
  /** `Duplicate value: <value>`. */
  duplicate: (path: string, value: unknown): FieldError =>
    plain('FieldValueDuplicate', path, [`Duplicate value: ${shown(value)}`]),
  /** `Not found: <value>`. */
  notFound: (path: string, value: unknown): FieldError =>
    plain('FieldValueNotFound', path, [`Not found: ${shown(value)}`]),
  /** `Forbidden: <detail>`. */
  forbidden: (path: string, detail: string): FieldError => plain('FieldValueForbidden', path, ['Forbidden', detail]),
  /** `Too long: may not be more than <maximum> bytes`. */
  tooLong: (path: string, maximum: number): FieldError =>
    plain('FieldValueTooLong', path, [
      'Too long',
      `may not be more than ${maximum} ${maximum === 1 ? 'byte' : 'bytes'}`,
    ]),
  /** `Too many: <actual>: must have at most <maximum> items`. */
  tooMany: (path: string, actual: number, maximum: number): FieldError =>
    plain('FieldValueTooMany', path, [
      `Too many: ${actual}`,
      `must have at most ${maximum} ${maximum === 1 ? 'item' : 'items'}`,
    ]),
  /** `Internal error: <detail>`. */
  internal: (path: string, detail: string): FieldError => plain('InternalError', path, ['Internal error', detail]),
} as const;

/** Returns the same error as `fieldErrors.invalid`, in steps. For values that can be as large as a request body. */
export function* invalidValueSteps(path: string, value: object | string, detail: string): Steps<FieldError> {
  const text = typeof value === 'string' ? yield* goQuoteSteps(value) : yield* goJsonSteps(value);
  return plain('FieldValueInvalid', path, [`Invalid value: ${text}`, detail]);
}

const supportedTexts = new WeakMap<readonly string[], string>();

// All errors of an enum share the text of its values, because an enum can have as many values as there are errors.
function supportedText(supported: readonly string[]): string {
  let text = supportedTexts.get(supported);
  text ??= supported.length === 0 ? '' : `supported values: ${supported.map(goQuote).join(', ')}`;
  supportedTexts.set(supported, text);
  return text;
}

// Concatenates eagerly, which is cheap: JavaScript copies concatenated strings only when the result is read. If an object has more errors
// than the response lists, the messages of the other errors are not read.
function plain(
  reason: FieldErrorReason,
  path: string,
  [lead, detail = '']: readonly [lead: string, detail?: string],
): FieldError {
  return { reason, field: path === '' ? '<nil>' : path, message: detail === '' ? lead : `${lead}: ${detail}` };
}

function shown(value: unknown): string {
  if (typeof value === 'string') return goQuote(value);
  if (typeof value === 'number' && !Number.isInteger(value)) return goFloat(value);
  return goJson(value);
}
