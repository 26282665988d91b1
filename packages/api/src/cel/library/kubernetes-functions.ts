import { KubewrightError } from '../../errors/kubewright-error.js';
import { compareQuantities, isQuantity, parseQuantity, type Quantity } from '../../quantity.js';
import { authorizerOverloads } from './authorizer-functions.js';
import { CelError, NO_OVERLOAD } from '../values/cel-error.js';
import { celTypes, listOf } from '../values/cel-type.js';
import type { CelValue, OpaqueValue } from '../values/cel-value.js';
import { formatOverloads } from './format-functions.js';
import { ListValue } from '../values/list-value.js';
import { networkOverloads } from './network-functions.js';
import { func, method, type Overload, takes } from '../check/overload.js';
import { compilePattern, type Pattern } from './pattern.js';
import { semverOverloads } from './semver-functions.js';

const { bool, int, double, string, quantity } = celTypes;

/** Returns the CEL functions that Kubernetes adds. */
export function kubernetesOverloads(): readonly Overload[] {
  return [
    ...patterns(),
    ...networkOverloads(),
    ...quantities(),
    ...formatOverloads(),
    ...semverOverloads(),
    ...authorizerOverloads(),
  ];
}

function patterns(): readonly Overload[] {
  const strings = listOf(string);
  const matching = (pattern: string, use: (compiled: Pattern) => CelValue): CelValue => {
    const compiled = compilePattern(pattern);
    return compiled instanceof CelError ? new CelError(`Illegal regex: ${compiled.message}`) : use(compiled);
  };
  return [
    method(['string_find_string', 'find'], takes(string, string, string), (text: string, pattern: string) =>
      matching(pattern, (compiled) => compiled.find(text)),
    ),
    method(['string_find_all_string', 'findAll'], takes(string, string, strings), (text: string, pattern: string) =>
      matching(pattern, (compiled) => new ListValue(compiled.findAll(text, -1))),
    ),
    method(
      ['string_find_all_string_int', 'findAll'],
      takes(string, string, int, strings),
      (text: string, pattern: string, limit: bigint) =>
        matching(pattern, (compiled) => new ListValue(compiled.findAll(text, Number(limit)))),
    ),
  ];
}

/** A quantity such as `500m`. */
class QuantityValue implements OpaqueValue {
  readonly opaqueType = quantity;
  readonly quantity: Quantity;
  /** Whether the API server stores the quantity as an integer and a power of ten. Only such quantities can be converted to int. */
  readonly exact: boolean;
  readonly #computed: boolean;

  /**
   * @param computed whether the quantity is a sum or a difference; the API server does not support such a quantity as the right operand of
   * `==`
   */
  constructor(value: Quantity, { exact, computed = false }: { readonly exact: boolean; readonly computed?: boolean }) {
    this.quantity = value;
    this.exact = exact;
    this.#computed = computed;
  }

  equals(other: CelValue): CelValue {
    if (!(other instanceof QuantityValue) || other.#computed) return NO_OVERLOAD;
    return other.quantity.nanos === this.quantity.nanos;
  }
}

const ONE = 1_000_000_000n;

function quantities(): readonly Overload[] {
  type Binary = (a: QuantityValue, b: QuantityValue) => CelValue;
  const two = (name: string, id: string, result: typeof bool, run: Binary): Overload =>
    method([id, name], takes(quantity, quantity, result), run);
  return [
    func(['string_to_quantity', 'quantity'], takes(string, quantity), (text: string) => {
      try {
        return new QuantityValue(parseQuantity(text), { exact: isExact(text) });
      } catch (error) {
        if (error instanceof KubewrightError) return new CelError(error.message);
        throw error;
      }
    }),
    func(['is_quantity_string', 'isQuantity'], takes(string, bool), isQuantity as (text: string) => boolean),
    func(['quantity_sign', 'sign'], takes(quantity, int), ({ quantity: { nanos } }: QuantityValue) =>
      nanos > 0n ? 1n : nanos < 0n ? -1n : 0n,
    ),
    two('isGreaterThan', 'quantity_is_greater_than', bool, (a, b) => compareQuantities(a.quantity, b.quantity) > 0),
    two('isLessThan', 'quantity_is_less_than', bool, (a, b) => compareQuantities(a.quantity, b.quantity) < 0),
    two('compareTo', 'quantity_compare_to', int, (a, b) => BigInt(compareQuantities(a.quantity, b.quantity))),
    method(
      ['quantity_get_float', 'asApproximateFloat'],
      takes(quantity, double),
      ({ quantity: { nanos } }: QuantityValue) => (nanos % ONE === 0n ? Number(nanos / ONE) : Number(nanos) / 1e9),
    ),
    method(['quantity_get_int', 'asInteger'], takes(quantity, int), (value: QuantityValue) => {
      return wholeOf(value) ?? new CelError('cannot convert value to integer');
    }),
    method(
      ['quantity_is_integer', 'isInteger'],
      takes(quantity, bool),
      (value: QuantityValue) => wholeOf(value) !== undefined,
    ),
    ...sums('add', (a, b) => a + b),
    ...sums('sub', (a, b) => a - b),
  ];
}

const SUFFIX_BITS: Readonly<Record<string, number>> = { Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 };

function isExact(text: string): boolean {
  const [, whole = '', fraction = '', suffix = ''] = /^[+-]?0*(\d*)\.?(\d*)(.*)$/.exec(text) ?? [];
  const digits = whole === '' ? 1 : whole.length;
  const bits = SUFFIX_BITS[suffix];
  if (bits === undefined) return digits + fraction.length <= 18;
  return fraction === '' && 14 - digits - Math.trunc((bits * 3) / 10) >= 0;
}

function wholeOf({ exact, quantity: { nanos } }: QuantityValue): bigint | undefined {
  const whole = nanos / ONE;
  return exact && nanos % ONE === 0n && BigInt.asIntN(64, whole) === whole ? whole : undefined;
}

function sums(name: string, run: (a: bigint, b: bigint) => bigint): readonly Overload[] {
  const make = ({ exact, quantity: { format, nanos } }: QuantityValue, other: bigint, both = true): CelValue =>
    new QuantityValue({ format, nanos: run(nanos, other) }, { exact: exact && both, computed: true });
  return [
    method([`quantity_${name}`, name], takes(quantity, quantity, quantity), (a: QuantityValue, b: QuantityValue) =>
      make(a, b.quantity.nanos, b.exact),
    ),
    method([`quantity_${name}_int`, name], takes(quantity, int, quantity), (a: QuantityValue, b: bigint) =>
      make(a, b * ONE),
    ),
  ];
}
