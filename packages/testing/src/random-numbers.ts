/**
 * Returns a function that returns pseudorandom numbers in [0, 1). The same seed gives the same sequence of numbers.
 *
 * @example const random = randomNumbers('seed 7'); const delayMs = 100 * random();
 */
export function randomNumbers(seed: string | number): () => number {
  let state = 2166136261;
  for (const char of String(seed)) state = Math.imul(state ^ (char.codePointAt(0) ?? 0), 16777619);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
