/** The maximum of a cost and of a size. Larger results are reduced to this value. */
export const MOST = 2 ** 64;

/** The minimum and the maximum of a size or a cost. */
export interface CostRange {
  readonly min: number;
  readonly max: number;
}

/** The range of an unknown size. */
export const UNKNOWN_SIZE: CostRange = { min: 0, max: MOST };

/** Returns the range that contains only the given value. */
export function exactly(value: number): CostRange {
  return { min: value, max: value };
}

/** Returns the sum of ranges. */
export function sumOf(...ranges: readonly CostRange[]): CostRange {
  let [min, max] = [0, 0];
  for (const range of ranges) {
    min = capped(min + range.min);
    max = capped(max + range.max);
  }
  return { min, max };
}

/** Returns the product of two ranges. */
export function productOf(a: CostRange, b: CostRange): CostRange {
  return { min: capped(a.min * b.min), max: capped(a.max * b.max) };
}

/** Returns a range multiplied by a factor, rounded up. */
export function scaled({ min, max }: CostRange, factor: number): CostRange {
  return { min: capped(Math.ceil(min * factor)), max: capped(Math.ceil(max * factor)) };
}

/** Returns the smallest range that contains both ranges. */
export function unionOf(a: CostRange, b: CostRange): CostRange {
  return { min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) };
}

function capped(value: number): number {
  return value < MOST ? value : MOST;
}
