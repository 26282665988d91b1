import type { CelType } from '../values/cel-type.js';
import { sameType } from '../values/cel-type.js';
import { type CostRange, exactly, MOST, productOf, scaled, sumOf, UNKNOWN_SIZE, unionOf } from './cost-range.js';
import type { Expression } from '../syntax/expression.js';

/** An argument of a call whose cost is estimated. */
export interface EstimatedNode {
  readonly expression: Expression;
  readonly type: CelType | undefined;
  readonly size: CostRange;
  /** Returns the size of the elements of a list according to the schema. */
  readonly elementSize: () => CostRange | undefined;
}

/** A call whose cost is estimated. */
export interface EstimatedSubject {
  readonly name: string;
  readonly target: EstimatedNode | undefined;
  readonly args: readonly EstimatedNode[];
  readonly argCosts: readonly CostRange[];
}

/** The estimated cost of a call with its arguments, and the estimated size of its result. */
export interface CallEstimate {
  readonly cost: CostRange;
  readonly size?: CostRange | undefined;
}

const TRAVERSAL = 0.1;
const PATTERN = 0.25;
const ONE = exactly(1);
const CALL_AND_LIST = exactly(11);

/** Estimates the cost of a call of an overload, without the cost of the target. */
export function estimateCall(id: string, subject: EstimatedSubject): CallEstimate {
  const { argCosts, args } = subject;
  const [a = ONE, b = ONE, c = ONE] = argCosts;
  if (id === 'logical_and' || id === 'logical_or') return { cost: { min: a.min, max: sumOf(a, b).max } };
  if (id === 'conditional') {
    return { cost: sumOf(a, unionOf(b, c)), size: unionOf(sizeOf(args[1]), sizeOf(args[2])) };
  }
  const { cost, size } = byOverload(id, subject) ?? byName(id, subject) ?? standard(id, subject) ?? { cost: ONE };
  return { cost: sumOf(cost, ...argCosts), size };
}

function sizeOf(node: EstimatedNode | undefined): CostRange {
  return node?.size ?? UNKNOWN_SIZE;
}

function allocating(factor: number, size: CostRange): CallEstimate {
  return { cost: sumOf(scaled(size, factor), CALL_AND_LIST), size };
}

function constantOf(node: EstimatedNode | undefined, otherwise: number): number {
  if (node?.expression.kind !== 'literal' || typeof node.expression.value !== 'bigint') return otherwise;
  return node.expression.value < 0n ? 0 : Number(node.expression.value);
}

/** Estimates functions that define their own cost: list extensions and sets. */
function byOverload(id: string, { target, args }: EstimatedSubject): CallEstimate | undefined {
  const size = sizeOf(target);
  switch (id) {
    case 'list_slice': {
      const length = constantOf(args[1], size.max) - constantOf(args[0], 0);
      return allocating(1, exactly(length < 0 ? MOST : length));
    }
    case 'lists_range':
      return allocating(1, exactly(constantOf(args[0], MOST)));
    case 'list_reverse':
      return allocating(1, size);
    case 'list_flatten':
      return allocating(1, size);
    case 'list_flatten_int':
      return allocating(constantOf(args[0], MOST), size);
    case 'list_distinct':
      return allocating(2, productOf(size, size));
    case 'list_sets_contains_list':
    case 'list_sets_intersects_list':
    case 'list_sets_equivalent_list': {
      const compared = productOf(sizeOf(args[0]), sizeOf(args[1]));
      return { cost: sumOf(scaled(compared, id.includes('equivalent') ? 2 : 1), ONE) };
    }
    default:
      return sorting(id, target, args[0]);
  }
}

function sorting(
  id: string,
  target: EstimatedNode | undefined,
  keys: EstimatedNode | undefined,
): CallEstimate | undefined {
  const found = /^list_(.*)_(sort|sortByAssociatedKeys)$/.exec(id);
  if (found === null) return undefined;
  const size = sizeOf(found[2] === 'sort' ? target : keys);
  const factor = found[1] === 'string' || found[1] === 'bytes' ? 2 + TRAVERSAL : 2;
  return allocating(factor, productOf(size, size));
}

const FREE: ReadonlySet<string> = new Set(
  (
    'masked prefixLength family isUnspecified isLoopback isLinkLocalMulticast format.named isLinkLocalUnicast ' +
    'isGlobalUnicast sign asInteger isInteger asApproximateFloat isGreaterThan isLessThan ' +
    'compareTo add sub major minor patch getScheme getHostname getHost getPort getEscapedPath getQuery'
  ).split(' '),
);
const PARSING = ['cidr', 'isIP', 'isCIDR', 'quantity', 'isQuantity', 'semver', 'isSemver'];

/** Estimates functions for which Kubernetes defines the cost, by name, regardless of the argument types. */
function byName(id: string, subject: EstimatedSubject): CallEstimate | undefined {
  const { name, target, args } = subject;
  const [first, second] = args;
  if (FREE.has(name)) return { cost: ONE };
  if (PARSING.includes(name) && first !== undefined) return { cost: scaled(first.size, TRAVERSAL) };
  switch (name) {
    case 'isSorted':
    case 'sum':
    case 'min':
    case 'max':
    case 'indexOf':
    case 'lastIndexOf':
      return target === undefined ? undefined : traversingList(target);
    case 'url':
      return { cost: scaled(sizeOf(first), TRAVERSAL), size: sizeOf(first) };
    case 'lowerAscii':
    case 'upperAscii':
    case 'substring':
    case 'trim':
      return { cost: scaled(sizeOf(target), TRAVERSAL), size: sizeOf(target) };
    case 'replace':
      return replacing(sizeOf(target), sizeOf(first), sizeOf(second));
    case 'split':
      return splitting(sizeOf(target), second);
    case 'join':
      return target === undefined ? undefined : joining(target, first);
    case 'find':
    case 'findAll':
      return { ...matching(sizeOf(target), sizeOf(first)), size: { min: 0, max: sizeOf(target).max } };
    case 'ip':
      return { cost: id === 'cidr_ip' ? ONE : scaled(sizeOf(first), TRAVERSAL) };
    case 'ip.isCanonical':
      return { cost: scaled(sizeOf(first), 2 * TRAVERSAL) };
    case 'containsIP':
    case 'containsCIDR':
      return containing(id, name, sizeOf(first));
    case 'validate':
      return { cost: scaled(scaled(sizeOf(first), TRAVERSAL), 128 * PATTERN) };
    case '_==_':
      return equality(first, second);
    default:
      return undefined;
  }
}

function traversingList(target: EstimatedNode): CallEstimate {
  const [element] = target.type?.parameters ?? [];
  if (element === undefined) return { cost: scaled(target.size, TRAVERSAL) };
  const isText = element.kind === 'string' || element.kind === 'bytes';
  const each = isText ? sumOf(ONE, scaled(target.elementSize() ?? UNKNOWN_SIZE, TRAVERSAL)) : ONE;
  return { cost: productOf(target.size, each) };
}

function replacing(text: CostRange, old: CostRange, by: CostRange): CallEstimate {
  let times: CostRange = { min: 0, max: 0 };
  let kept: CostRange = { min: 0, max: 0 };
  if (old.min === 0) {
    times = { ...times, max: Math.min(text.max + 1, MOST) };
    kept = { ...kept, max: text.max };
  } else if (by.max <= old.min) kept = { ...kept, max: text.max };
  else times = { ...times, max: Math.ceil(text.max / old.min) };
  if (old.max === 0) {
    times = { ...times, min: text.min + 1 };
    kept = { ...kept, min: text.min };
  } else if (old.max <= by.min) kept = { ...kept, min: text.min };
  else times = { ...times, min: Math.ceil(text.min / old.max) };
  return { cost: scaled(text, 2 * TRAVERSAL), size: sumOf(productOf(times, by), kept) };
}

function splitting(text: CostRange, limit: EstimatedNode | undefined): CallEstimate {
  return { cost: scaled(text, 2 * TRAVERSAL), size: { min: 0, max: constantOf(limit, text.max) } };
}

function joining(target: EstimatedNode, separator: EstimatedNode | undefined): CallEstimate {
  const { size: count } = target;
  const known = (target.type?.parameters.length ?? 0) > 0;
  let size = known ? productOf(count, target.elementSize() ?? UNKNOWN_SIZE) : exactly(0);
  if (separator !== undefined) {
    const times = { min: Math.max(0, count.min - 1), max: Math.max(0, count.max - 1) };
    size = sumOf(size, productOf(separator.size, times));
  }
  return { cost: scaled(size, TRAVERSAL), size };
}

function matching(text: CostRange, pattern: CostRange): CallEstimate {
  return { cost: productOf(scaled(sumOf(text, ONE), TRAVERSAL), scaled(pattern, PATTERN)) };
}

function containing(id: string, name: string, other: CostRange): CallEstimate {
  const address: CostRange = { min: 4, max: 16 };
  let cost = scaled(sumOf(address, address), TRAVERSAL);
  if (name === 'containsCIDR') cost = sumOf(cost, scaled(address, TRAVERSAL), ONE);
  return { cost: id.endsWith('_string') ? sumOf(cost, scaled(other, TRAVERSAL)) : cost };
}

const CHEAP_TO_COMPARE = ['net.IP', 'net.CIDR', 'kubernetes.Quantity', 'kubernetes.Semver'];

function equality(a: EstimatedNode | undefined, b: EstimatedNode | undefined): CallEstimate | undefined {
  if (a?.type === undefined || b?.type === undefined || !sameType(a.type, b.type)) return undefined;
  const { name } = a.type;
  if (CHEAP_TO_COMPARE.includes(name)) return { cost: ONE };
  if (name === 'kubernetes.NamedFormat') return { cost: scaled({ min: 1, max: 64 }, TRAVERSAL) };
  return name === 'kubernetes.URL' ? { cost: scaled({ min: 1, max: b.size.max }, TRAVERSAL) } : undefined;
}

const COMPARING = /^((less|less_equals|greater|greater_equals)_(string|bytes)|equals|not_equals)$/;

/** Estimates functions of the CEL standard library whose cost depends on sizes. */
function standard(id: string, { target, args }: EstimatedSubject): CallEstimate | undefined {
  const [first, second] = args;
  const [a, b] = [sizeOf(first), sizeOf(second)];
  if (COMPARING.test(id)) {
    const max = Math.min(a.max, b.max);
    return { cost: scaled({ min: max > 0 ? 1 : 0, max }, TRAVERSAL) };
  }
  switch (id) {
    case 'string_format':
      return { cost: scaled(sizeOf(target), TRAVERSAL) };
    case 'string_to_bytes':
      return { cost: scaled(a, TRAVERSAL), size: { min: a.min, max: a.max * 4 } };
    case 'bytes_to_string':
      return { cost: scaled(a, TRAVERSAL), size: { min: Math.floor(a.min / 4), max: a.max } };
    case 'strings_quote':
      return { cost: scaled(a, TRAVERSAL), size: { min: a.min + 2, max: a.max * 2 + 2 } };
    case 'starts_with_string':
    case 'ends_with_string':
      return { cost: scaled(a, TRAVERSAL) };
    case 'in_list':
      return { cost: b };
    case 'matches_string':
      return matching(sizeOf(target), a);
    case 'contains_string':
      return { cost: productOf(scaled(sizeOf(target), TRAVERSAL), scaled(a, TRAVERSAL)) };
    case 'add_list':
      return { cost: ONE, size: sumOf(a, b) };
    case 'add_string':
    case 'add_bytes':
      return { cost: scaled(sumOf(a, b), TRAVERSAL), size: sumOf(a, b) };
    default:
      return undefined;
  }
}
