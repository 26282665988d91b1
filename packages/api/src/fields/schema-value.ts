import type { StructuralSchema } from '../schema/structural-schema.js';

/** The argument of `Field.schema`. Set the default, title, description, example and nullable in the options of `Field.schema`. */
export type ValueSchema = Omit<StructuralSchema, 'default' | 'description' | 'example' | 'nullable' | 'title'>;

/**
 * The type of the values that a schema allows. The fields of an object and values without a type are `unknown`. Keywords such as `anyOf` do
 * not narrow the type.
 */
export type SchemaValue<S> = S extends { readonly 'x-kubernetes-int-or-string': true }
  ? string | number
  : S extends { readonly enum: readonly (infer Member extends string | number | boolean)[] }
    ? Member
    : S extends { readonly type: 'integer' | 'number' }
      ? number
      : S extends { readonly type: 'string' }
        ? string
        : S extends { readonly type: 'boolean' }
          ? boolean
          : S extends { readonly type: 'array'; readonly items: infer Item }
            ? readonly SchemaValue<Item>[]
            : S extends { readonly type: 'object'; readonly additionalProperties: infer Value extends object }
              ? Readonly<Record<string, SchemaValue<Value>>>
              : S extends { readonly type: 'object' }
                ? Readonly<Record<string, unknown>>
                : unknown;
