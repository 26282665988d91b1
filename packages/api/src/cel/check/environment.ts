import { type CelType, celTypes, listOf, mapOf, optionalOf, typeOf } from '../values/cel-type.js';
import type { CelValue } from '../values/cel-value.js';
import { kubernetesOverloads } from '../library/kubernetes-functions.js';
import { listOverloads } from '../library/list-functions.js';
import { optionalOverloads } from '../library/optional-functions.js';
import type { Overload } from './overload.js';
import { operatorOverloads } from '../library/standard-operators.js';
import { standardOverloads } from '../library/standard-functions.js';
import { stringOverloads } from '../library/string-functions.js';

/** The types of the fields of an object type, keyed by their names in expressions. */
export type Fields = ReadonlyMap<string, CelType>;

/** The overloads of all functions, keyed by function name. */
export type FunctionTable = ReadonlyMap<string, readonly Overload[]>;

/**
 * Returns the functions that are available in CEL expressions of Kubernetes, and additional functions. The table can be shared by any
 * number of environments.
 */
export function functionTable(additional: readonly Overload[] = []): FunctionTable {
  const table = new Map<string, Overload[]>();
  const all = [
    ...operatorOverloads(),
    ...standardOverloads(),
    ...stringOverloads(),
    ...optionalOverloads(),
    ...listOverloads(),
    ...kubernetesOverloads(),
    ...additional,
  ];
  for (const overload of all) {
    const known = table.get(overload.name);
    if (known === undefined) table.set(overload.name, [overload]);
    else known.push(overload);
  }
  return table;
}

/** The object types whose values an expression can construct: `Type{field: value}`. */
export interface ObjectTypes {
  /** Returns the type with a name, or undefined if the type does not exist. */
  readonly find: (name: string) => CelType | undefined;
  /** Returns the type of a field, or undefined if the type has no such field. */
  readonly field: (typeName: string, name: string) => CelType | undefined;
  /** Returns the names of the fields of a type, for suggestions. */
  readonly names: (typeName: string) => readonly string[];
  /** Returns the object with the given fields, or an error. */
  readonly construct: (typeName: string, fields: ReadonlyMap<string, CelValue>) => CelValue;
}

/** The names that an expression can refer to. */
export interface Environment {
  readonly functions: FunctionTable;
  readonly variables: ReadonlyMap<string, CelType>;
  readonly objects: ReadonlyMap<string, Fields>;
  /** The types that an expression can construct. @default none */
  readonly constructible?: ObjectTypes;
  /**
   * Whether the values of variables can have other types than declared, because they were not read with a schema. Calls then check the
   * types of their arguments.
   * @default false
   */
  readonly isUntyped?: boolean;
}

const TYPE_NAMES: readonly (readonly [string, CelType])[] = [
  ...(['bool', 'bytes', 'double', 'int', 'string', 'uint'] as const).map((name) => [name, celTypes[name]] as const),
  ['null_type', celTypes.null],
  ['dyn', celTypes.dyn],
  ['list', listOf(celTypes.dyn)],
  ['map', mapOf(celTypes.dyn, celTypes.dyn)],
  ['type', celTypes.type],
  ['google.protobuf.Timestamp', celTypes.timestamp],
  ['google.protobuf.Duration', celTypes.duration],
  ['optional_type', optionalOf(celTypes.dyn)],
  ['net.IP', celTypes.ip],
  ['net.CIDR', celTypes.cidr],
];

/** Returns the type value for a type name, such as `int` in `type(x) == int`. */
export function typeNamed(name: string): CelType | undefined {
  const found = TYPE_NAMES.find(([known]) => known === name);
  return found === undefined ? undefined : typeOf(found[1]);
}
