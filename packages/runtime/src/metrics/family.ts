import type { Counter, Gauge, Histogram } from './series.js';

/** The value of one combination of labels. */
export type Series = Counter | Gauge | Histogram;

/** The description of a metric, as exposed. */
export interface FamilyDescription<L extends readonly string[] = readonly string[]> {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly labels: L;
}

/** All series of one metric, one for each combination of label values. */
export class Family<S extends Series = Series, L extends readonly string[] = readonly string[]> {
  readonly description: FamilyDescription<L>;
  readonly #make: () => S;
  readonly #series = new Map<string, { readonly values: readonly string[]; readonly series: S }>();

  constructor(description: FamilyDescription<L>, make: () => S) {
    this.description = description;
    this.#make = make;
  }

  /**
   * Returns the series for the label values, in the order of the labels. Creates the series with 0 if it does not exist. Frequent callers
   * should keep the series.
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

  /** Returns every series with its label values, in order of creation. */
  entries(): Iterable<{ readonly values: readonly string[]; readonly series: S }> {
    return this.#series.values();
  }
}
