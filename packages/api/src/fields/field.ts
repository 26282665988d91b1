import type { Condition } from '../conditions/condition.js';
import type { AnyClass } from '../metadata/any-class.js';
import type { KubeObject } from '../objects/kube-object.js';
import { plainCopy } from '../objects/plain-copy.js';
import type { StructuralSchema } from '../schema/structural-schema.js';
import type { Only } from './agreement.js';
import { type FieldDecorator, fieldDecorator, fieldRecordOf, type ItemSchema, type Shape } from './field-decorator.js';
import type {
  BooleanOptions,
  EnumOptions,
  FieldOptions,
  ListOptions,
  MapOptions,
  NumberOptions,
  StringOptions,
} from './field-options.js';
import type { FieldRecord } from './field-record.js';
import type { SchemaValue, ValueSchema } from './schema-value.js';
import {
  boundsMistake,
  conditionsSchema,
  dateTimeSchema,
  embeddedSchema,
  intOrStringSchema,
  numberSchema,
  patternMistake,
  quantitySchema,
  stringSchema,
  unknownSchema,
} from './leaf-schemas.js';

type Item<V> = Shape<V> | ItemSchema<V>;
type KeyedListOptions<V> = ListOptions & { readonly mapKeys?: readonly (keyof V & string)[] };
type IntOrStringOptions = FieldOptions & { readonly pattern?: RegExp };

/** Decorators for the fields of a kind, and schemas for the items of lists and maps. */
export const Field = {
  /** Text. */
  string<const O extends StringOptions = StringOptions>(
    options?: Only<O, StringOptions>,
  ): FieldDecorator<string, O, 'Field.string'> {
    const given: StringOptions = options ?? {};
    return leaf('Field.string', stringSchema(given), given, patternMistake(given.pattern));
  },
  /** true or false. */
  boolean<const O extends BooleanOptions = BooleanOptions>(
    options?: Only<O, BooleanOptions>,
  ): FieldDecorator<boolean, O, 'Field.boolean'> {
    return leaf('Field.boolean', { type: 'boolean' }, options);
  },
  /** Integers of 32 bits. */
  int32<const O extends NumberOptions = NumberOptions>(
    options?: Only<O, NumberOptions>,
  ): FieldDecorator<number, O, 'Field.int32'> {
    return number('Field.int32', 'int32', options);
  },
  /** Safe integers; the schema refuses what a JavaScript number cannot hold. */
  int64<const O extends NumberOptions = NumberOptions>(
    options?: Only<O, NumberOptions>,
  ): FieldDecorator<number, O, 'Field.int64'> {
    return number('Field.int64', 'int64', options);
  },
  /** Numbers with a fraction. */
  double<const O extends NumberOptions = NumberOptions>(
    options?: Only<O, NumberOptions>,
  ): FieldDecorator<number, O, 'Field.double'> {
    return number('Field.double', 'double', options);
  },
  /** One of these strings. */
  enum<const V extends string, const O extends EnumOptions<V> = EnumOptions<V>>(
    values: readonly V[],
    options?: Only<O, EnumOptions<V>>,
  ): FieldDecorator<V, O, 'Field.enum'> {
    const mistake = values.length === 0 ? 'lists no value; name at least one' : repeated(values);
    return leaf('Field.enum', { type: 'string', enum: [...values] }, options, mistake);
  },
  /** An object of a nested class or of a built-in part. */
  object<V extends object, const O extends FieldOptions = FieldOptions>(
    shape: Shape<V>,
    options?: Only<O, FieldOptions>,
  ): FieldDecorator<V, O, 'Field.object'> {
    return fieldDecorator({ ...objectRecord(shape), options: options ?? {} });
  },
  /** A list; `mapKeys` name the fields that tell its items apart. */
  list<V, const O extends KeyedListOptions<V> = KeyedListOptions<V>>(
    item: Item<V>,
    options?: Only<O, KeyedListOptions<V>>,
  ): FieldDecorator<readonly V[], O, 'Field.list'> {
    const given: KeyedListOptions<V> = options ?? {};
    return fieldDecorator({
      name: 'Field.list',
      node: { type: 'list', item: recordOf(item), options: given },
      options: given,
    });
  },
  /** A map from string to the value. */
  map<V, const O extends MapOptions = MapOptions>(
    item: Item<V>,
    options?: Only<O, MapOptions>,
  ): FieldDecorator<Readonly<Record<string, V>>, O, 'Field.map'> {
    const given: MapOptions = options ?? {};
    return fieldDecorator({
      name: 'Field.map',
      node: { type: 'map', item: recordOf(item), options: given },
      options: given,
    });
  },
  /** A number, or text such as `25%` or the name of a port. */
  intOrString<const O extends IntOrStringOptions = IntOrStringOptions>(
    options?: Only<O, IntOrStringOptions>,
  ): FieldDecorator<string | number, O, 'Field.intOrString'> {
    const { pattern }: IntOrStringOptions = options ?? {};
    return leaf('Field.intOrString', intOrStringSchema(pattern), options, patternMistake(pattern));
  },
  /** An amount such as `20Gi` or `500m`. */
  quantity<const O extends FieldOptions = FieldOptions>(
    options?: Only<O, FieldOptions>,
  ): FieldDecorator<string, O, 'Field.quantity'> {
    return leaf('Field.quantity', quantitySchema, options);
  },
  /** RFC 3339, as it is on the wire. */
  dateTime<const O extends FieldOptions = FieldOptions>(
    options?: Only<O, FieldOptions>,
  ): FieldDecorator<string, O, 'Field.dateTime'> {
    return leaf('Field.dateTime', dateTimeSchema, options);
  },
  /** Kept as it is and not described further. */
  unknown<const O extends FieldOptions = FieldOptions>(
    options?: Only<O, FieldOptions>,
  ): FieldDecorator<unknown, O, 'Field.unknown'> {
    return leaf('Field.unknown', unknownSchema, options);
  },
  /**
   * A value whose schema is given as it stands in a CustomResourceDefinition, for what no other decorator says:
   * `Field.schema({ type: 'integer' })`. The type of the field follows from it; what every field can say is said in the options.
   */
  schema<const S extends ValueSchema, const O extends FieldOptions = FieldOptions>(
    schema: S,
    options?: Only<O, FieldOptions>,
  ): FieldDecorator<SchemaValue<S>, O, 'Field.schema'> {
    return leaf('Field.schema', plainCopy(schema, 'schema') as StructuralSchema, options);
  },
  /** A whole object of any kind inside this one. */
  embedded<const O extends FieldOptions = FieldOptions>(
    options?: Only<O, FieldOptions>,
  ): FieldDecorator<KubeObject, O, 'Field.embedded'> {
    return leaf('Field.embedded', embeddedSchema, options);
  },
  /**
   * A decorator of your own: `const Port = Field.custom('Port', Field.int32({ minimum: 1, maximum: 65535 }))`. It checks the field's
   * type like the built-in ones, takes the options that every field has, and is a schema for items.
   */
  custom<const Name extends string, V>(
    name: Name,
    schema: ItemSchema<V>,
  ): <const O extends FieldOptions = FieldOptions>(options?: Only<O, FieldOptions>) => FieldDecorator<V, O, Name> {
    const base = recordOf<V>(schema);
    return (options) => fieldDecorator({ ...base, name, options: { ...base.options, ...options } });
  },
  /** The standard list of conditions; optional by nature, merged by type. */
  conditions(): FieldDecorator<readonly Condition[], { readonly optional: true }, 'Field.conditions'> {
    return leaf('Field.conditions', conditionsSchema, { optional: true });
  },
};

function leaf<V, O, Name extends string>(
  name: Name,
  schema: StructuralSchema,
  ...[options, mistake]: [options: FieldOptions | undefined, mistake?: string | undefined]
): FieldDecorator<V, O, Name> {
  return fieldDecorator({ name, node: { type: 'leaf', schema }, options: options ?? {}, mistake });
}

function number<O, Name extends string>(
  name: Name,
  format: 'int32' | 'int64' | 'double',
  options: NumberOptions | undefined,
): FieldDecorator<number, O, Name> {
  const given = options ?? {};
  return leaf(name, numberSchema(format, given), given, boundsMistake(format, given));
}

function objectRecord(shape: unknown): FieldRecord {
  return { name: 'Field.object', node: { type: 'object', shape: shape as AnyClass }, options: {} };
}

function recordOf<V>(item: Item<V>): FieldRecord {
  return (item === undefined ? undefined : fieldRecordOf(item)) ?? objectRecord(item);
}

function repeated(values: readonly string[]): string | undefined {
  const twice = values.find((value, index) => values.indexOf(value) !== index);
  return twice === undefined ? undefined : `lists '${twice}' twice; name it once`;
}
