/** The machine-readable reason of a field error, as in `Status.details.causes[].reason`. */
export type FieldErrorReason =
  | 'FieldValueRequired'
  | 'FieldValueInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueDuplicate'
  | 'FieldValueForbidden'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'
  | 'FieldValueTypeInvalid'
  | 'FieldValueNotFound'
  | 'InternalError';

/** One error in one field. `message` is the text of Kubernetes, without the field as a prefix. */
export interface FieldError {
  readonly reason: FieldErrorReason;
  readonly field: string;
  readonly message: string;
}
