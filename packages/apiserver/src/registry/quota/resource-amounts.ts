import { formatQuantity, parseQuantity, type Quantity } from '@kubewright/api/quantity';
import type { JsonObject } from '../objects/api-object.js';
import { objectAt, objectsAt } from '../objects/json-object.js';

/** Quantities of resources, by resource name. */
export type Amounts = ReadonlyMap<string, Quantity>;

const podLevel: ReadonlySet<string> = new Set(['cpu', 'memory']);

/** Parses a map from resource names to quantities, such as the `requests` of a container. */
export function amountsOf(list: JsonObject): Amounts {
  return new Map(Object.entries(list).map(([name, amount]) => [name, parseQuantity(String(amount))]));
}

/** Formats amounts in the stored form: as text, sorted by name. */
export function amountsToJson(amounts: Amounts): Record<string, string> {
  const names = [...amounts.keys()].toSorted();
  return Object.fromEntries(names.map((name) => [name, textOf(amounts.get(name))]));
}

/** Formats an amount as text. Returns '0' for undefined. */
export function textOf(amount: Quantity | undefined): string {
  return amount === undefined ? '0' : formatQuantity(amount);
}

/** Converts an integer to an amount. */
export function countOf(count: number): Quantity {
  return parseQuantity(String(count));
}

/** Adds two sets of amounts. The sum has the format of the first amount that is not zero. */
export function sumOf(left: Amounts, right: Amounts): Amounts {
  const sum = new Map(left);
  addAmounts(sum, right);
  return sum;
}

function addAmounts(sum: Map<string, Quantity>, added: Amounts): void {
  for (const [name, amount] of added) sum.set(name, plus(sum.get(name), amount));
}

function plus(known: Quantity | undefined, { nanos, format }: Quantity): Quantity {
  const base = known === undefined || known.nanos === 0n ? format : known.format;
  return { nanos: (known?.nanos ?? 0n) + nanos, format: base };
}

/**
 * Returns the requests or limits of a Pod. Pod-level amounts replace the amounts of the containers. Requests include the overhead of the
 * Pod.
 */
export function podAmounts(spec: JsonObject, field: 'requests' | 'limits'): Amounts {
  const all = new Map(containerAmounts(spec, field));
  for (const [name, amount] of amountsOf(objectAt(spec, 'resources', field))) {
    if (isPodLevel(name)) all.set(name, amount);
  }
  return field === 'requests' ? sumOf(all, amountsOf(objectAt(spec, 'overhead'))) : all;
}

/** Whether a Pod can request the resource at Pod level. */
export function isPodLevel(name: string): boolean {
  return podLevel.has(name) || name.startsWith('hugepages-');
}

/** Returns the largest requests or limits that the containers have at the same time. Takes linear time. */
export function containerAmounts(spec: JsonObject, field: 'requests' | 'limits'): Amounts {
  const total = new Map<string, Quantity>();
  const sidecars = new Map<string, Quantity>();
  const starting = new Map<string, Quantity>();
  const amounts = (container: JsonObject): Amounts => amountsOf(objectAt(container, 'resources', field));
  for (const container of objectsAt(spec, 'containers')) addAmounts(total, amounts(container));
  for (const container of objectsAt(spec, 'initContainers')) {
    const own = amounts(container);
    if (container['restartPolicy'] === 'Always') {
      addAmounts(total, own);
      addAmounts(sidecars, own);
      for (const name of own.keys()) raise(starting, name, sidecars.get(name));
    } else {
      for (const [name, amount] of own) raise(starting, name, plus(sidecars.get(name), amount));
    }
  }
  for (const [name, amount] of starting) raise(total, name, amount);
  return total;
}

function raise(amounts: Map<string, Quantity>, name: string, amount: Quantity | undefined): void {
  const known = amounts.get(name);
  if (amount !== undefined && (known === undefined || amount.nanos > known.nanos)) amounts.set(name, amount);
}
