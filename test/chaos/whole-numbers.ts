import { randomNumbers } from '@kubewright/testing';

/** Returns a generator of integers below a bound that follow from a seed. */
export function wholeNumbers(seed: number): (below: number) => number {
  const random = randomNumbers(seed);
  return (below) => Math.floor(random() * below);
}
