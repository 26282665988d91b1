import type { Random } from '@kubewright/api/clock';

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

/** Returns random values for a clock. The same seed gives the same sequence of values. */
export function seededRandom(seed: string | number): Random {
  const number = randomNumbers(seed);
  const uuid = (): string => {
    const digits = Array.from({ length: 4 }, () =>
      Math.floor(number() * 2 ** 32)
        .toString(16)
        .padStart(8, '0'),
    ).join('');
    const variant = (8 + (Number.parseInt(digits.charAt(16), 16) % 4)).toString(16);
    return [
      digits.slice(0, 8),
      digits.slice(8, 12),
      `4${digits.slice(13, 16)}`,
      `${variant}${digits.slice(17, 20)}`,
      digits.slice(20),
    ].join('-');
  };
  return { number, uuid };
}
