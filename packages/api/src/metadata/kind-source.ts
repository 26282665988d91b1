import type { StructuralSchema } from '../schema/structural-schema.js';
import type { KindInfo } from './kind-info.js';
import type { KindOptions } from './kind-options.js';

/** Where a built-in kind, `defineKind(…)` and `dynamicKind(…)` keep what decorators would have recorded. */
export const kindSource: unique symbol = Symbol.for('kubewright.kind') as never;
/** Where a built-in part keeps its schema. */
export const partSchema: unique symbol = Symbol.for('kubewright.part') as never;

/** A kind without decorators. */
export interface KindSource {
  readonly info: KindInfo;
  /** What `defineKind` was given. */
  readonly options?: KindOptions;
  /** Schema of the whole object; undefined where it is not known. */
  readonly schema?: () => StructuralSchema | undefined;
}

/** What a kind without decorators says of itself, or undefined. */
export function kindSourceOf(ref: object): KindSource | undefined {
  return (ref as { readonly [kindSource]?: KindSource })[kindSource];
}

/** The schema of a built-in part or kind used as a field, or undefined when `shape` is another class. */
export function partSchemaOf(shape: object): (() => StructuralSchema) | undefined {
  return (shape as { readonly [partSchema]?: () => StructuralSchema })[partSchema];
}
