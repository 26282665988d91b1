import { type CelType, celTypes, listOf, mapOf, optionalOf, typeOf } from '../values/cel-type.js';
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

/** Returns the functions that are available in CEL rules of Kubernetes. The table can be shared by any number of environments. */
export function functionTable(): FunctionTable {
  const table = new Map<string, Overload[]>();
  const all = [
    ...operatorOverloads(),
    ...standardOverloads(),
    ...stringOverloads(),
    ...optionalOverloads(),
    ...listOverloads(),
    ...kubernetesOverloads(),
  ];
  for (const overload of all) {
    const known = table.get(overload.name);
    if (known === undefined) table.set(overload.name, [overload]);
    else known.push(overload);
  }
  return table;
}

/** The names that an expression can refer to. */
export interface Environment {
  readonly functions: FunctionTable;
  readonly variables: ReadonlyMap<string, CelType>;
  readonly objects: ReadonlyMap<string, Fields>;
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
