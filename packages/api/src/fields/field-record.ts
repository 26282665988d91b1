import type { AnyClass } from '../metadata/any-class.js';
import type { StructuralSchema } from '../schema/structural-schema.js';
import type { FieldOptions, ListOptions, MapOptions, ObjectOptions } from './field-options.js';

/** A value that needs no other class to describe it. */
export interface LeafNode {
  readonly type: 'leaf';
  readonly schema: StructuralSchema;
}
/** An object of a nested class or of a built-in part. */
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

/** What a decorator of `Field` says, as plain data. */
export interface FieldRecord {
  /** The decorator as users know it, such as `Field.string`. */
  readonly name: string;
  readonly node: FieldNode;
  readonly options: FieldOptions;
  /** What is demanded beside what the node says. */
  readonly constraints?: StructuralSchema;
  /** What is wrong with the options, reported where class and field are known. */
  readonly mistake?: string | undefined;
}
