import { add, divide, modulo, multiply, negate, subtract } from './arithmetic.js';
import { CelError, NO_OVERLOAD, noOverload } from '../values/cel-error.js';
import { type CelType, celTypes, listOf, mapOf, optionalOf, typeParameter } from '../values/cel-type.js';
import { CelList, CelMap, type CelValue } from '../values/cel-value.js';
import { func, type Overload, type Run, takes } from '../check/overload.js';
import { compare, isComparable } from '../values/value-order.js';

const { bool, int, uint, double, string, bytes, timestamp, duration } = celTypes;
const A = typeParameter('A');
const B = typeParameter('B');
const V = typeParameter('V');
const K = typeParameter('K');

/** The implementation of operators that are not evaluated as calls. The evaluator and the cost functions handle these operators by name. */
const notCalled: Run = () => NO_OVERLOAD;

/** Returns the operators of CEL. */
export function operatorOverloads(): readonly Overload[] {
  return [...logic(), ...arithmetic(), ...comparisons(), ...access()];
}

function logic(): readonly Overload[] {
  return [
    func(['conditional', '_?_:_'], takes(bool, A, A, A), notCalled),
    func(['logical_and', '_&&_'], takes(bool, bool, bool), notCalled),
    func(['logical_or', '_||_'], takes(bool, bool, bool), notCalled),
    func(['logical_not', '!_'], takes(bool, bool), (value) => (typeof value === 'boolean' ? !value : NO_OVERLOAD)),
    func(['not_strictly_false', '@not_strictly_false'], takes(bool, bool), notCalled),
    func(['equals', '_==_'], takes(A, A, bool), notCalled),
    func(['not_equals', '_!=_'], takes(A, A, bool), notCalled),
  ];
}

type Named = readonly [string, ...CelType[]];

function family(operator: string, run: Run, signatures: readonly Named[]): readonly Overload[] {
  return signatures.map(([id, ...types]) => func([id, operator], takes(...types), run));
}

function arithmetic(): readonly Overload[] {
  const listOfA = listOf(A);
  return [
    ...family('_+_', add, [
      ['add_bytes', bytes, bytes, bytes],
      ['add_double', double, double, double],
      ['add_duration_duration', duration, duration, duration],
      ['add_duration_timestamp', duration, timestamp, timestamp],
      ['add_timestamp_duration', timestamp, duration, timestamp],
      ['add_int64', int, int, int],
      ['add_list', listOfA, listOfA, listOfA],
      ['add_string', string, string, string],
      ['add_uint64', uint, uint, uint],
    ]),
    ...family('_/_', divide, numbers('divide')),
    ...family('_%_', modulo, numbers('modulo').slice(1)),
    ...family('_*_', multiply, numbers('multiply')),
    ...family('-_', negate, [
      ['negate_double', double, double],
      ['negate_int64', int, int],
    ]),
    ...family('_-_', subtract, [
      ['subtract_double', double, double, double],
      ['subtract_duration_duration', duration, duration, duration],
      ['subtract_int64', int, int, int],
      ['subtract_timestamp_duration', timestamp, duration, timestamp],
      ['subtract_timestamp_timestamp', timestamp, timestamp, duration],
      ['subtract_uint64', uint, uint, uint],
    ]),
  ];
}

function numbers(verb: string): readonly Named[] {
  return [
    [`${verb}_double`, double, double, double],
    [`${verb}_int64`, int, int, int],
    [`${verb}_uint64`, uint, uint, uint],
  ];
}

function comparisons(): readonly Overload[] {
  const orders: readonly (readonly [string, string, (order: number) => boolean])[] = [
    ['_<_', 'less', (order) => order < 0],
    ['_<=_', 'less_equals', (order) => order <= 0],
    ['_>_', 'greater', (order) => order > 0],
    ['_>=_', 'greater_equals', (order) => order >= 0],
  ];
  return orders.flatMap(([operator, id, test]) => family(operator, ordered(operator, test), comparable(id)));
}

function ordered(operator: string, test: (order: number) => boolean): Run {
  const unfit = noOverload(operator);
  return (a, b) => {
    const order = compare(a, b);
    if (typeof order === 'number') return test(order);
    return isComparable(a) ? order : unfit;
  };
}

function comparable(id: string): readonly Named[] {
  return [
    [`${id}_bool`, bool, bool, bool],
    [`${id}_int64`, int, int, bool],
    [`${id}_int64_double`, int, double, bool],
    [`${id}_int64_uint64`, int, uint, bool],
    [`${id}_uint64`, uint, uint, bool],
    [`${id}_uint64_double`, uint, double, bool],
    [`${id}_uint64_int64`, uint, int, bool],
    [`${id}_double`, double, double, bool],
    [`${id}_double_int64`, double, int, bool],
    [`${id}_double_uint64`, double, uint, bool],
    [`${id}_string`, string, string, bool],
    [`${id}_bytes`, bytes, bytes, bool],
    [`${id}_timestamp`, timestamp, timestamp, bool],
    [`${id}_duration`, duration, duration, bool],
  ];
}

function access(): readonly Overload[] {
  const list = listOf(V);
  const map = mapOf(K, V);
  const value = optionalOf(V);
  return [
    func(['index_list', '_[_]'], takes(listOf(A), int, A), notCalled),
    func(['index_map', '_[_]'], takes(mapOf(A, B), A, B), notCalled),
    func(['optional_list_index_int', '_[_]'], takes(optionalOf(list), int, value), notCalled),
    func(['optional_map_index_value', '_[_]'], takes(optionalOf(map), K, value), notCalled),
    func(['list_optindex_optional_int', '_[?_]'], takes(list, int, value), notCalled),
    func(['optional_list_optindex_optional_int', '_[?_]'], takes(optionalOf(list), int, value), notCalled),
    func(['map_optindex_optional_value', '_[?_]'], takes(map, K, value), notCalled),
    func(['optional_map_optindex_optional_value', '_[?_]'], takes(optionalOf(map), K, value), notCalled),
    func(['in_list', '@in'], takes(A, listOf(A), bool), contains),
    func(['in_map', '@in'], takes(A, mapOf(A, B), bool), contains),
  ];
}

function contains(value: CelValue, within: CelValue): CelValue {
  if (within instanceof CelList) return within.contains(value);
  if (!(within instanceof CelMap)) return NO_OVERLOAD;
  const found = within.find(value);
  return found instanceof CelError ? found : found !== undefined;
}
