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
  /** The content of the message as data, for code that explains or filters the error. Absent for most errors. Never part of a response. */
  readonly finding?: FieldFinding;
}

/** The content of an error message, as data. */
export type FieldFinding =
  /** The estimated cost of a CEL rule exceeds its limit. `factor` is the ratio as in the message, for example `3.2x`. */
  | { readonly kind: 'rule-cost'; readonly factor: string }
  /** The estimated cost of all CEL rules of a schema exceeds its limit. */
  | { readonly kind: 'schema-cost'; readonly factor: string }
  /** The CEL rule contributes to a `schema-cost`. */
  | { readonly kind: 'schema-cost-share' }
  /** A rule uses oldSelf within the list at the path `within`. The old and new items of this list cannot be correlated. */
  | { readonly kind: 'uncorrelatable'; readonly within: string }
  /** A CEL expression is invalid. `detail` is the message without the expression. */
  | { readonly kind: 'expression'; readonly detail: string; readonly issues: readonly ExpressionIssue[] }
  /** A text is empty, and its format does not allow an empty text. */
  | { readonly kind: 'empty-text'; readonly format: string };

/** An error at a position of a CEL expression. Lines and columns start at 1. */
export interface ExpressionIssue {
  readonly line: number;
  readonly column: number;
  readonly message: string;
  /** The undeclared name, and the declared names. Absent for other errors. */
  readonly unknown?: UnknownName;
}

/** An undeclared name, such as the name of a field or a variable, and the declared names. */
export interface UnknownName {
  readonly name: string;
  readonly known: readonly string[];
}
