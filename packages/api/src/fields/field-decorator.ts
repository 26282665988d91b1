import { KubewrightError } from '../errors/kubewright-error.js';
import type { AnyClass } from '../metadata/any-class.js';
import { assertTypeEmitted, recordMetadata } from '../metadata/reflection.js';
import type { StructuralSchema } from '../schema/structural-schema.js';
import type { Agrees } from './agreement.js';
import { checkField } from './check-field.js';
import type { FieldRecord } from './field-record.js';
import { fieldSchema } from './class-schema.js';

/** A nested class, or a type of the built-in API such as `JobTemplateSpec` or `ResourceRequirements`. */
export type Shape<V> = abstract new () => V;

declare const value: unique symbol;
const record: unique symbol = Symbol('record');

/**
 * The schema of a value of type `V`. Every field decorator is an item schema, so decorators nest:
 * `Field.list(Field.string({ maxLength: 63 }))`.
 */
export interface ItemSchema<V> {
  readonly [value]?: V;
  readonly schema: StructuralSchema;
}

/**
 * The decorator that `Field.…()` returns, for a field of type `V`. The field is declared with `?` if and only if `O` has `optional: true`.
 */
export interface FieldDecorator<V, O = {}, Name extends string = 'its decorator'>
  extends ItemSchema<O extends { readonly nullable: true } ? V | null : V> {
  <T extends object, K extends keyof T & string>(target: T & Agrees<T, K, V, O, Name>, key: K): void;
}

/** Returns a decorator that validates its options and records `field` on the decorated class. */
export function fieldDecorator<V, O, Name extends string>(field: FieldRecord): FieldDecorator<V, O, Name> {
  const decorate = (prototype: object | undefined, key: unknown): void => {
    if (prototype === undefined || typeof key !== 'string') throw standardDecorators(field.name, key);
    assertTypeEmitted(prototype, key);
    const owner = prototype.constructor as AnyClass;
    checkField(field, `field '${key}' of ${owner.name}`, owner);
    recordMetadata(owner, (metadata) => ({ ...metadata, fields: { ...metadata.fields, [key]: field } }));
  };
  Object.defineProperties(decorate, {
    [record]: { value: field },
    schema: { get: () => fieldSchema(field), enumerable: true },
  });
  return decorate as unknown as FieldDecorator<V, O, Name>;
}

/** Returns the record of a decorator of `Field`, or undefined if `item` is a class. */
export function fieldRecordOf(item: object): FieldRecord | undefined {
  return (item as { readonly [record]?: FieldRecord })[record];
}

function standardDecorators(name: string, key: unknown): KubewrightError {
  const field = typeof key === 'object' && key !== null && 'name' in key ? ` on field '${String(key.name)}'` : '';
  return new KubewrightError(
    'STANDARD_DECORATORS',
    `cannot load @${name}${field}: it was compiled with standard decorators, which do not emit the types of fields; set "experimentalDecorators" and "emitDecoratorMetadata" to true in tsconfig.json`,
  );
}
