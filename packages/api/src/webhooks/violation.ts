/** The reason of a violation, which determines the first words of the message. */
export type ViolationReason =
  | 'FieldValueInvalid'
  | 'FieldValueRequired'
  | 'FieldValueForbidden'
  | 'FieldValueDuplicate'
  | 'FieldValueNotSupported'
  | 'FieldValueNotFound'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany';

/**
 * One error of an object. The API server returns all violations of an object in one response with status 422, and kubectl prints
 * `The CronJob "nightly" is invalid: spec.schedule: Invalid value: "often": must be in cron format`.
 *
 * @example
 * const violation: Violation = { field: 'spec.schedule', message: 'must be in cron format, such as "0 * * * *"' };
 */
export interface Violation {
  /** The path of the field, such as `spec.schedule`, `spec.ports[0].name` or `metadata.labels[app]`. Empty for the object itself. */
  readonly field: string;
  /** What is wrong, and what to write instead. */
  readonly message: string;
  /** The value in the message. @default the value of the field in the object */
  readonly value?: unknown;
  /**
   * The reason, which determines the first words of the message: `Invalid value`, `Required value` and so on. @default 'FieldValueInvalid'
   */
  readonly reason?: ViolationReason;
}
