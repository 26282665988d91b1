import { randomNumbers } from '@kubewright/testing';

/**
 * Returns a function that returns pseudo-random integers from 0 up to, not including, its argument. The same seed produces the same
 * sequence.
 */
export function wholeNumbers(seed: number): (below: number) => number {
  const random = randomNumbers(seed);
  return (below) => Math.floor(random() * below);
}
