import { randomNumbers } from '@kubewright/testing';

/** Whole numbers below a bound that follow from a seed. */
export function wholeNumbers(seed: number): (below: number) => number {
  const random = randomNumbers(seed);
  return (below) => Math.floor(random() * below);
}
