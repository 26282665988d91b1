import { availableParallelism } from 'node:os';
import { KubewrightError } from '@kubewright/api/errors';
import { durationIn } from '../command/timeout-ms.js';

/** The options of `kubewright explore`, as the user wrote them. */
export interface ExploreOptions {
  readonly budget: string;
  readonly seed: string;
  readonly kind?: string;
  readonly field?: string;
  readonly replay?: string;
  readonly write?: string;
  readonly workers?: string;
}

/** The parsed numbers of `ExploreOptions`. */
export interface ExploreNumbers {
  readonly budgetMs: number;
  readonly seed: number;
  readonly workers: number;
}

/** The maximum number of workers. */
const MOST_WORKERS = 256;

/** Parses the options. Throws INVALID_USAGE for an invalid duration or number. */
export function exploreNumbers({ budget, seed, workers }: ExploreOptions): ExploreNumbers {
  return {
    budgetMs: durationIn('--budget', budget),
    seed: wholeNumber('--seed', seed, { least: 0, most: 2 ** 32 - 1 }),
    workers:
      workers === undefined
        ? availableParallelism()
        : wholeNumber('--workers', workers, { least: 1, most: MOST_WORKERS }),
  };
}

function wholeNumber(
  option: string,
  text: string,
  { least, most }: { readonly least: number; readonly most: number },
): number {
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new KubewrightError('INVALID_USAGE', `invalid ${option} ${text}: use a whole number from ${least} to ${most}`);
}
