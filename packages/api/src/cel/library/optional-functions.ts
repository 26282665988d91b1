import { CelError, NO_OVERLOAD } from '../values/cel-error.js';
import { CelDuration, CelTimestamp } from '../values/cel-time.js';
import { celTypes, listOf, mapOf, optionalOf, typeParameter } from '../values/cel-type.js';
import { CelList, CelMap, CelOptional, CelUint, type CelValue } from '../values/cel-value.js';
import { ListValue } from '../values/list-value.js';
import { MapValue } from '../values/map-value.js';
import { func, method, type Overload, type Run, takes } from '../check/overload.js';

const V = typeParameter('V');
const K = typeParameter('K');
const T = typeParameter('T');

/** Returns the functions for optional values, the functions that compare lists as sets, and the functions that macro expansions call. */
export function optionalOverloads(): readonly Overload[] {
  return [...optionals(), ...sets(), ...inserts()];
}

function optionals(): readonly Overload[] {
  const optional = optionalOf(V);
  const list = listOf(V);
  const unevaluated: Run = () => NO_OVERLOAD;
  return [
    func(['optional_of', 'optional.of'], takes(V, optional), (value: CelValue) => new CelOptional(value)),
    func(['optional_ofNonZeroValue', 'optional.ofNonZeroValue'], takes(V, optional), (value: CelValue) => {
      return new CelOptional(isZero(value) ? undefined : value);
    }),
    func(['optional_none', 'optional.none'], takes(optional), () => new CelOptional(undefined)),
    method(['optional_value', 'value'], takes(optional, V), ({ value }: CelOptional) => {
      return value === undefined ? new CelError('optional.none() dereference') : value;
    }),
    method(
      ['optional_hasValue', 'hasValue'],
      takes(optional, celTypes.bool),
      ({ value }: CelOptional) => value !== undefined,
    ),
    method(['optional_or_optional', 'or'], takes(optional, optional, optional), unevaluated),
    method(['optional_orValue_value', 'orValue'], takes(optional, V, V), unevaluated),
    method(['list_last', 'last'], takes(list, optional), (values: CelList) => {
      return new CelOptional(values.size === 0 ? undefined : values.at(values.size - 1));
    }),
    method(['list_first', 'first'], takes(list, optional), (values: CelList) => {
      return new CelOptional(values.size === 0 ? undefined : values.at(0));
    }),
    func(['optional_unwrap', 'optional.unwrap'], takes(listOf(optional), list), unwrap),
    method(['optional_unwrapOpt', 'unwrapOpt'], takes(listOf(optional), list), unwrap),
  ];
}

function isZero(value: CelValue): boolean {
  if (value === null || value === '' || value === false || value === 0n || value === 0) return true;
  if (value instanceof CelUint) return value.value === 0n;
  if (value instanceof CelList || value instanceof CelMap) return value.size === 0;
  if (value instanceof CelDuration) return value.nanos === 0n;
  if (value instanceof CelTimestamp) return value.seconds === -62135596800n;
  return value instanceof Uint8Array && value.length === 0;
}

function unwrap(list: CelList): CelValue {
  const values: CelValue[] = [];
  for (const element of list) {
    if (!(element instanceof CelOptional)) return new CelError(`value ${String(element)} is not optional`);
    if (element.value !== undefined) values.push(element.value);
  }
  return new ListValue(values);
}

function sets(): readonly Overload[] {
  const list = listOf(T);
  const { bool } = celTypes;
  return [
    func(['list_sets_contains_list', 'sets.contains'], takes(list, list, bool), containsAll),
    func(['list_sets_equivalent_list', 'sets.equivalent'], takes(list, list, bool), (a: CelList, b: CelList) => {
      const contained = containsAll(a, b);
      return contained === true ? containsAll(b, a) : contained;
    }),
    func(['list_sets_intersects_list', 'sets.intersects'], takes(list, list, bool), (a: CelList, b: CelList) => {
      for (const element of a) if (b.contains(element) === true) return true;
      return false;
    }),
  ];
}

function containsAll(list: CelList, others: CelList): CelValue {
  for (const element of others) {
    const found = list.contains(element);
    if (found !== true) return found;
  }
  return true;
}

function inserts(): readonly Overload[] {
  const map = mapOf(K, V);
  return [
    func(
      ['@mapInsert_map_key_value', 'cel.@mapInsert'],
      takes(map, K, V, map),
      (target: MapValue, key: CelValue, value: CelValue) => target.with(key, value),
    ),
    func(['@mapInsert_map_map', 'cel.@mapInsert'], takes(map, map, map), (target: MapValue, update: CelMap) => {
      let result: CelMap | CelError = target;
      for (const key of update.keys()) {
        if (!(result instanceof MapValue)) return result;
        result = result.with(key, update.find(key) ?? null);
      }
      return result;
    }),
  ];
}
