/** A value that never decreases. */
export class Counter {
  #value = 0;
  get value(): number {
    return this.#value;
  }
  inc(by = 1): void {
    this.#value += by;
  }
  /** Sets the value to a total that is counted elsewhere. Does nothing if the total is lower than the value. */
  reach(total: number): void {
    this.#value = Math.max(this.#value, total);
  }
}

/** A value that can increase and decrease. */
export class Gauge {
  #value = 0;
  get value(): number {
    return this.#value;
  }
  set(value: number): void {
    this.#value = value;
  }
  inc(by = 1): void {
    this.#value += by;
  }
  dec(by = 1): void {
    this.#value -= by;
  }
}

/** Counts values in buckets. */
export class Histogram {
  /** The upper bounds of the buckets in increasing order, without +Inf. */
  readonly bounds: readonly number[];
  readonly #counts: Float64Array;
  #sum = 0;

  constructor(bounds: readonly number[]) {
    this.bounds = bounds;
    this.#counts = new Float64Array(bounds.length + 1);
  }

  get sum(): number {
    return this.#sum;
  }
  get count(): number {
    return this.#counts.reduce((total, count) => total + count, 0);
  }
  /** The cumulative count for each bound, followed by the total count. */
  get cumulative(): readonly number[] {
    let total = 0;
    return Array.from(this.#counts, (count) => (total += count));
  }

  observe(value: number): void {
    let [low, high] = [0, this.bounds.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (value <= (this.bounds[middle] as number)) high = middle;
      else low = middle + 1;
    }
    this.#counts[low] = (this.#counts[low] ?? 0) + 1;
    this.#sum += value;
  }
}
