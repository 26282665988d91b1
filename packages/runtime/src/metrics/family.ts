import type { Counter, Gauge, Histogram } from './series.js';

/** What is counted or measured under one name. */
export type Series = Counter | Gauge | Histogram;

/** The words of a metric, as they are served. */
export interface FamilyDescription<L extends readonly string[] = readonly string[]> {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly labels: L;
}

/** All series of one name, one for each combination of the values of its labels. */
export class Family<S extends Series = Series, L extends readonly string[] = readonly string[]> {
  readonly description: FamilyDescription<L>;
  readonly #make: () => S;
  readonly #series = new Map<string, { readonly values: readonly string[]; readonly series: S }>();

  constructor(description: FamilyDescription<L>, make: () => S) {
    this.description = description;
    this.#make = make;
  }

  /** The series of these values, in the order of the labels; made at 0 when it is not there. Look it up once and keep it where it is used often. */
  of(...values: { readonly [I in keyof L]: string }): S {
    const key = values.join('\0');
    const known = this.#series.get(key);
    if (known !== undefined) return known.series;
    const series = this.#make();
    this.#series.set(key, { values, series });
    return series;
  }

  /** Leaves the series of these values out from now on. */
  drop(...values: { readonly [I in keyof L]: string }): void {
    this.#series.delete(values.join('\0'));
  }

  /** Leaves all series out. */
  clear(): void {
    this.#series.clear();
  }

  /** Every series with the values of its labels, in the order in which they were made. */
  entries(): Iterable<{ readonly values: readonly string[]; readonly series: S }> {
    return this.#series.values();
  }
}
