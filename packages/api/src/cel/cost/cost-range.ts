/** The largest cost and the largest size: more is not told apart. */
export const MOST = 2 ** 64;

/** At least and at most so much: of a size, or of a cost. */
export interface CostRange {
  readonly min: number;
  readonly max: number;
}

/** Nothing is known. */
export const UNKNOWN_SIZE: CostRange = { min: 0, max: MOST };

/** Exactly so much. */
export function exactly(value: number): CostRange {
  return { min: value, max: value };
}

/** The sum of ranges. */
export function sumOf(...ranges: readonly CostRange[]): CostRange {
  let [min, max] = [0, 0];
  for (const range of ranges) {
    min = capped(min + range.min);
    max = capped(max + range.max);
  }
  return { min, max };
}

/** The product of two ranges. */
export function productOf(a: CostRange, b: CostRange): CostRange {
  return { min: capped(a.min * b.min), max: capped(a.max * b.max) };
}

/** A range times a factor, rounded up. */
export function scaled({ min, max }: CostRange, factor: number): CostRange {
  return { min: capped(Math.ceil(min * factor)), max: capped(Math.ceil(max * factor)) };
}

/** The range that encloses both. */
export function unionOf(a: CostRange, b: CostRange): CostRange {
  return { min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) };
}

function capped(value: number): number {
  return value < MOST ? value : MOST;
}
