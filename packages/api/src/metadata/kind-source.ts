import type { StructuralSchema } from '../schema/structural-schema.js';
import type { KindInfo } from './kind-info.js';
import type { KindOptions } from './kind-options.js';

/** The key of the settings of a kind without decorators: a built-in kind, `defineKind(…)` or `dynamicKind(…)`. */
export const kindSource: unique symbol = Symbol.for('kubewright.kind') as never;
/** The key of the schema of a built-in type. */
export const partSchema: unique symbol = Symbol.for('kubewright.part') as never;

/** A kind without decorators. */
export interface KindSource {
  readonly info: KindInfo;
  /** The options passed to `defineKind`. */
  readonly options?: KindOptions;
  /** Returns the schema of the complete object, or undefined if the schema is not known. */
  readonly schema?: () => StructuralSchema | undefined;
}

/** Returns the settings of a kind without decorators, or undefined. */
export function kindSourceOf(ref: object): KindSource | undefined {
  return (ref as { readonly [kindSource]?: KindSource })[kindSource];
}

/** Returns the schema of a built-in type or kind that is used as a field, or undefined for any other class. */
export function partSchemaOf(shape: object): (() => StructuralSchema) | undefined {
  return (shape as { readonly [partSchema]?: () => StructuralSchema })[partSchema];
}
