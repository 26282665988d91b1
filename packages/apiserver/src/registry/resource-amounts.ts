import { formatQuantity, parseQuantity, type Quantity } from '@kubewright/api/quantity';
import { type JsonObject, objectAt, objectsAt } from './json-object.js';

/** Amounts of resources by their names. */
export type Amounts = ReadonlyMap<string, Quantity>;

const podLevel: ReadonlySet<string> = new Set(['cpu', 'memory']);

/** The amounts of a map of quantities. */
export function amountsOf(list: JsonObject): Amounts {
  return new Map(Object.entries(list).map(([name, amount]) => [name, parseQuantity(String(amount))]));
}

/** Amounts as they are stored: text, by name in order. */
export function amountsToJson(amounts: Amounts): Record<string, string> {
  const names = [...amounts.keys()].toSorted();
  return Object.fromEntries(names.map((name) => [name, textOf(amounts.get(name))]));
}

/** An amount as text. */
export function textOf(amount: Quantity | undefined): string {
  return amount === undefined ? '0' : formatQuantity(amount);
}

/** A whole number as an amount. */
export function countOf(count: number): Quantity {
  return parseQuantity(String(count));
}

/** Both amounts together; the form is that of the first that is not zero. */
export function sumOf(left: Amounts, right: Amounts): Amounts {
  const sum = new Map(left);
  for (const [name, { nanos, format }] of right) {
    const known = sum.get(name);
    const base = known === undefined || known.nanos === 0n ? format : known.format;
    sum.set(name, { nanos: (known?.nanos ?? 0n) + nanos, format: base });
  }
  return sum;
}

/** What a Pod of the spec asks for, or may use, in all. */
export function podAmounts(spec: JsonObject, field: 'requests' | 'limits'): Amounts {
  const all = new Map(containerAmounts(spec, field));
  for (const [name, amount] of amountsOf(objectAt(spec, 'resources', field))) {
    if (isPodLevel(name)) all.set(name, amount);
  }
  return field === 'requests' ? sumOf(all, amountsOf(objectAt(spec, 'overhead'))) : all;
}

/** Whether a Pod can ask for the resource as a whole. */
export function isPodLevel(name: string): boolean {
  return podLevel.has(name) || name.startsWith('hugepages-');
}

/** What the containers ask for, or may use, at the same time. */
export function containerAmounts(spec: JsonObject, field: 'requests' | 'limits'): Amounts {
  let total: Amounts = new Map();
  let sidecars: Amounts = new Map();
  let starting: Amounts = new Map();
  const amounts = (container: JsonObject): Amounts => amountsOf(objectAt(container, 'resources', field));
  for (const container of objectsAt(spec, 'containers')) total = sumOf(total, amounts(container));
  for (const container of objectsAt(spec, 'initContainers')) {
    const own = amounts(container);
    if (container['restartPolicy'] === 'Always') {
      total = sumOf(total, own);
      sidecars = sumOf(sidecars, own);
      starting = greaterOf(starting, sidecars);
    } else {
      starting = greaterOf(starting, sumOf(sidecars, own));
    }
  }
  return greaterOf(total, starting);
}

function greaterOf(left: Amounts, right: Amounts): Amounts {
  const greater = new Map(left);
  for (const [name, amount] of right) {
    const known = greater.get(name);
    if (known === undefined || amount.nanos > known.nanos) greater.set(name, amount);
  }
  return greater;
}
