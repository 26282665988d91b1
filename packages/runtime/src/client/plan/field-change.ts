/** A field that differs between two states of an object. */
export interface FieldChange {
  /** The path of the field, such as `spec.template.spec.containers[name=web].image`. */
  readonly field: string;
  /** The old value. Undefined if the field is new. */
  readonly from?: unknown;
  /** The new value. Undefined if the field is removed. */
  readonly to?: unknown;
  /** Whether the field contains a secret. `from` and `to` are then undefined. */
  readonly secret?: true;
}
