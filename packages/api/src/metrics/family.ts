import type { Counter, Gauge, Histogram } from './series.js';

/** The value of a metric for one combination of label values. */
export type Series = Counter | Gauge | Histogram;

/** The description of a metric in the Prometheus text format. */
export interface FamilyDescription<L extends readonly string[] = readonly string[]> {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly labels: L;
}

/** A metric with its series, one for each combination of label values. */
export class Family<S extends Series = Series, L extends readonly string[] = readonly string[]> {
  readonly description: FamilyDescription<L>;
  readonly #make: () => S;
  readonly #series = new Map<string, { readonly values: readonly string[]; readonly series: S }>();

  constructor(description: FamilyDescription<L>, make: () => S) {
    this.description = description;
    this.#make = make;
  }

  /**
   * Returns the series for these label values, in the order of the labels. Creates the series if it does not exist. Callers that use a
   * series often should keep it.
   */
  of(...values: { readonly [I in keyof L]: string }): S {
    const key = values.join('\0');
    const known = this.#series.get(key);
    if (known !== undefined) return known.series;
    const series = this.#make();
    this.#series.set(key, { values, series });
    return series;
  }

  /** Removes the series with these label values. */
  drop(...values: { readonly [I in keyof L]: string }): void {
    this.#series.delete(values.join('\0'));
  }

  /** Removes all series. */
  clear(): void {
    this.#series.clear();
  }

  /** Returns all series with their label values, in the order in which they were created. */
  entries(): Iterable<{ readonly values: readonly string[]; readonly series: S }> {
    return this.#series.values();
  }
}
