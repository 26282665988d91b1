import type { AnyClass } from '../metadata/any-class.js';
import type { StructuralSchema } from '../schema/structural-schema.js';
import type { FieldOptions, ListOptions, MapOptions, ObjectOptions } from './field-options.js';

/** A value whose schema does not depend on another class. */
export interface LeafNode {
  readonly type: 'leaf';
  readonly schema: StructuralSchema;
}
/** An object of a nested class or of a built-in type. */
export interface ObjectNode {
  readonly type: 'object';
  readonly shape: AnyClass;
  readonly options: ObjectOptions;
}
/** A list of values. */
export interface ListNode {
  readonly type: 'list';
  readonly item: FieldRecord;
  readonly options: ListOptions & { readonly mapKeys?: readonly string[] };
}
/** A map from string to a value. */
export interface MapNode {
  readonly type: 'map';
  readonly item: FieldRecord;
  readonly options: MapOptions;
}
/** The shape of a value. */
export type FieldNode = LeafNode | ObjectNode | ListNode | MapNode;

/** The settings of a decorator of `Field`, as plain data. */
export interface FieldRecord {
  /** The public name of the decorator, such as `Field.string`. */
  readonly name: string;
  readonly node: FieldNode;
  readonly options: FieldOptions;
  /** Constraints in addition to the schema of the node. */
  readonly constraints?: StructuralSchema;
  /**
   * The error in the options. The decorator reports the error when it is applied, because the class and the field are not known earlier.
   */
  readonly problem?: string | undefined;
}
