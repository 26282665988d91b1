/** A changed field. */
export interface FieldChange {
  /** The path of the field, such as `spec.template.spec.containers[name=web].image`. */
  readonly field: string;
  /** Undefined if the field is new. */
  readonly from?: unknown;
  /** Undefined if the field is removed. */
  readonly to?: unknown;
  /** The field is secret. `from` and `to` are then always undefined. */
  readonly secret?: true;
}
