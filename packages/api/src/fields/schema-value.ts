import type { StructuralSchema } from '../schema/structural-schema.js';

/** What `Field.schema` takes. What every field can say (a default, a title, whether it may be null) is said in its options. */
export type ValueSchema = Omit<StructuralSchema, 'default' | 'description' | 'example' | 'nullable' | 'title'>;

/**
 * The type of the values that a schema allows, as far as one can be told: members of an object and what has no type are `unknown`,
 * and keywords such as `anyOf` narrow nothing.
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
