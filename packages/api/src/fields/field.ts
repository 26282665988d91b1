import type { Condition } from '../conditions/condition.js';
import type { AnyClass } from '../metadata/any-class.js';
import type { KubeObject } from '../objects/kube-object.js';
import type { Init } from '../objects/default.js';
import { plainCopy } from '../objects/plain-copy.js';
import type { StructuralSchema } from '../schema/structural-schema.js';
import type { Only } from './agreement.js';
import { type FieldDecorator, fieldDecorator, fieldRecordOf, type ItemSchema, type Shape } from './field-decorator.js';
import { type Constraints, constraintsOf, narrowed } from './constraints.js';
import type {
  ConstraintsOf,
  FieldOptions,
  IntOrStringOptions,
  ListOptions,
  MapOptions,
  NumberOptions,
  ObjectOptions,
  StringOptions,
} from './field-options.js';
import type { FieldRecord } from './field-record.js';
import type { SchemaValue, ValueSchema } from './schema-value.js';
import {
  conditionsSchema,
  constraintsProblem,
  dateTimeSchema,
  embeddedSchema,
  enumSchema,
  intOrStringSchema,
  numberSchema,
  quantitySchema,
  stringSchema,
  unknownSchema,
} from './leaf-schemas.js';

type Item<V> = Shape<V> | ItemSchema<V>;
type KeyedListOptions<V> = ListOptions<readonly Init<V>[]> & { readonly mapKeys?: readonly (keyof V & string)[] };
type Values<V> = Readonly<Record<string, V>>;
type CustomOptions<V> = FieldOptions<Init<V>> & ConstraintsOf<V>;

/** Decorators for the fields of a kind, and schemas for the items of lists and maps. */
export const Field = {
  /** A string. */
  string<const O extends StringOptions = StringOptions>(
    options?: Only<O, StringOptions>,
  ): FieldDecorator<string, O, 'Field.string'> {
    const given: StringOptions = options ?? {};
    return constrained('Field.string', stringSchema(given), given);
  },
  /** A boolean. */
  boolean<const O extends FieldOptions<boolean> = FieldOptions<boolean>>(
    options?: Only<O, FieldOptions<boolean>>,
  ): FieldDecorator<boolean, O, 'Field.boolean'> {
    return leaf('Field.boolean', { type: 'boolean' }, options);
  },
  /** A 32-bit integer. */
  int32<const O extends NumberOptions = NumberOptions>(
    options?: Only<O, NumberOptions>,
  ): FieldDecorator<number, O, 'Field.int32'> {
    return number('Field.int32', 'int32', options);
  },
  /** A 64-bit integer in the safe range of JavaScript. The schema rejects integers that a JavaScript number cannot represent exactly. */
  int64<const O extends NumberOptions = NumberOptions>(
    options?: Only<O, NumberOptions>,
  ): FieldDecorator<number, O, 'Field.int64'> {
    return number('Field.int64', 'int64', options);
  },
  /** A number that can have a fraction. */
  double<const O extends NumberOptions = NumberOptions>(
    options?: Only<O, NumberOptions>,
  ): FieldDecorator<number, O, 'Field.double'> {
    return number('Field.double', 'double', options);
  },
  /** One of the given strings or numbers. */
  enum<const V extends string | number, const O extends FieldOptions<V> = FieldOptions<V>>(
    values: readonly V[],
    options?: Only<O, FieldOptions<V>>,
  ): FieldDecorator<V, O, 'Field.enum'> {
    const problem = values.length === 0 ? 'lists no values; add at least one' : repeated(values);
    return leaf('Field.enum', enumSchema(values), options, problem);
  },
  /** An object of a nested class or of a built-in type. */
  object<V extends object, const O extends ObjectOptions<Init<V>> = ObjectOptions<Init<V>>>(
    shape: Shape<V>,
    options?: Only<O, ObjectOptions<Init<V>>>,
  ): FieldDecorator<V, O, 'Field.object'> {
    const given: ObjectOptions<Init<V>> = options ?? {};
    return fieldDecorator({
      name: 'Field.object',
      node: { type: 'object', shape: shape as unknown as AnyClass, options: given },
      options: given,
      problem: constraintsProblem(given, constraintsOf(given)),
    });
  },
  /** A list. `mapKeys` contains the names of the fields that identify an item. */
  list<V, const O extends KeyedListOptions<V> = KeyedListOptions<V>>(
    item: Item<V>,
    options?: Only<O, KeyedListOptions<V>>,
  ): FieldDecorator<readonly V[], O, 'Field.list'> {
    const given: KeyedListOptions<V> = options ?? {};
    return fieldDecorator({
      name: 'Field.list',
      node: { type: 'list', item: recordOf(item), options: given },
      options: given,
      problem: constraintsProblem(given, constraintsOf(given)),
    });
  },
  /** A map from strings to values. */
  map<V, const O extends MapOptions<Values<Init<V>>> = MapOptions<Values<Init<V>>>>(
    item: Item<V>,
    options?: Only<O, MapOptions<Values<Init<V>>>>,
  ): FieldDecorator<Values<V>, O, 'Field.map'> {
    const given: MapOptions<Values<Init<V>>> = options ?? {};
    return fieldDecorator({
      name: 'Field.map',
      node: { type: 'map', item: recordOf(item), options: given },
      options: given,
      problem: constraintsProblem(given, constraintsOf(given)),
    });
  },
  /** An integer, or a string such as `25%` or the name of a port. */
  intOrString<const O extends IntOrStringOptions = IntOrStringOptions>(
    options?: Only<O, IntOrStringOptions>,
  ): FieldDecorator<string | number, O, 'Field.intOrString'> {
    const given: IntOrStringOptions = options ?? {};
    return constrained('Field.intOrString', intOrStringSchema(given), given);
  },
  /** A quantity such as `20Gi` or `500m`. */
  quantity<const O extends FieldOptions<string> = FieldOptions<string>>(
    options?: Only<O, FieldOptions<string>>,
  ): FieldDecorator<string, O, 'Field.quantity'> {
    return leaf('Field.quantity', quantitySchema, options);
  },
  /** An RFC 3339 timestamp as a string, such as `2030-01-01T00:00:00Z`. */
  dateTime<const O extends FieldOptions<string> = FieldOptions<string>>(
    options?: Only<O, FieldOptions<string>>,
  ): FieldDecorator<string, O, 'Field.dateTime'> {
    return leaf('Field.dateTime', dateTimeSchema, options);
  },
  /** A value of any type. Unknown fields are preserved. */
  unknown<const O extends FieldOptions = FieldOptions>(
    options?: Only<O, FieldOptions>,
  ): FieldDecorator<unknown, O, 'Field.unknown'> {
    return leaf('Field.unknown', unknownSchema, options);
  },
  /**
   * A value with the given schema, for values that no other decorator supports: `Field.schema({ type: 'integer' })`. The schema has the
   * form of a schema in a CustomResourceDefinition and determines the type of the field. Set the default, title, description, example and
   * nullable in the options.
   */
  schema<const S extends ValueSchema, const O extends FieldOptions = FieldOptions>(
    schema: S,
    options?: Only<O, FieldOptions>,
  ): FieldDecorator<SchemaValue<S>, O, 'Field.schema'> {
    return leaf('Field.schema', plainCopy(schema, 'schema') as StructuralSchema, options);
  },
  /** A complete embedded object of any kind. */
  embedded<const O extends FieldOptions = FieldOptions>(
    options?: Only<O, FieldOptions>,
  ): FieldDecorator<KubeObject, O, 'Field.embedded'> {
    return leaf('Field.embedded', embeddedSchema, options);
  },
  /**
   * Returns a custom decorator: `const Port = Field.custom('Port', Field.int32({ minimum: 1, maximum: 65535 }))`. The decorator checks the
   * type of the field like the built-in decorators, accepts the options of every field, and can be the schema of items. A field can add
   * constraints: with `@Port({ minimum: 1024 })`, the constraints of `Port` and of the field apply.
   */
  custom<const Name extends string, V>(
    name: Name,
    schema: ItemSchema<V>,
  ): <const O extends CustomOptions<V> = CustomOptions<V>>(
    options?: Only<O, CustomOptions<V>>,
  ) => FieldDecorator<V, O, Name> {
    const base = recordOf<V>(schema);
    return (options) => {
      const given: FieldOptions & Constraints = options ?? {};
      const constraints = narrowed(base.constraints ?? {}, constraintsOf(given));
      return fieldDecorator({
        ...base,
        name,
        options: { ...base.options, ...given, rules: [...(given.rules ?? []), ...(base.options.rules ?? [])] },
        constraints,
        problem: base.problem ?? constraintsProblem(given, narrowed(valueSchema(base), constraints)),
      });
    };
  },
  /** The standard list of conditions. The field is always optional. Server-side apply merges the conditions by type. */
  conditions(): FieldDecorator<readonly Condition[], { readonly optional: true }, 'Field.conditions'> {
    return leaf('Field.conditions', conditionsSchema, { optional: true });
  },
};

function leaf<V, O, Name extends string>(
  name: Name,
  schema: StructuralSchema,
  ...[options, problem]: [options: FieldOptions | undefined, problem?: string | undefined]
): FieldDecorator<V, O, Name> {
  return fieldDecorator({ name, node: { type: 'leaf', schema }, options: options ?? {}, problem });
}

function constrained<V, O, Name extends string>(
  name: Name,
  schema: StructuralSchema,
  options: FieldOptions & Constraints,
): FieldDecorator<V, O, Name> {
  return leaf(name, schema, options, constraintsProblem(options, schema));
}

function number<O, Name extends string>(
  name: Name,
  format: 'int32' | 'int64' | 'double',
  options: NumberOptions | undefined,
): FieldDecorator<number, O, Name> {
  const given = options ?? {};
  return constrained(name, numberSchema(format, given), given);
}

function objectRecord(shape: unknown): FieldRecord {
  return { name: 'Field.object', node: { type: 'object', shape: shape as AnyClass, options: {} }, options: {} };
}

function recordOf<V>(item: Item<V>): FieldRecord {
  return (item === undefined ? undefined : fieldRecordOf(item)) ?? objectRecord(item);
}

/** Returns the constraints of a decorator, without the additional constraints of a custom decorator. */
function valueSchema({ node }: FieldRecord): StructuralSchema {
  return node.type === 'leaf' ? node.schema : constraintsOf(node.options);
}

function repeated(values: readonly (string | number)[]): string | undefined {
  const twice = values.find((value, index) => values.indexOf(value) !== index);
  return twice === undefined
    ? undefined
    : `lists ${typeof twice === 'string' ? `'${twice}'` : twice} twice; remove the duplicate`;
}
