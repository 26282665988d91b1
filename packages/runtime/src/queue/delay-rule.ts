/** How long a key waits after so many failures in a row (0 at the first), in milliseconds. */
export type DelayRule = (failures: number) => number;

/** Doubles with each failure, up to the maximum, and never overflows. */
export function exponential(options: { readonly initialMs: number; readonly maxMs: number }): DelayRule {
  return (failures) => Math.min(options.initialMs * 2 ** failures, options.maxMs);
}

/** The fast delay for the first attempts, the slow one from then on. */
export function fastThenSlow(options: {
  readonly fastMs: number;
  readonly slowMs: number;
  readonly fastAttempts: number;
}): DelayRule {
  return (failures) => (failures < options.fastAttempts ? options.fastMs : options.slowMs);
}

/** The longest delay that one of the rules asks for. */
export function longestOf(...rules: readonly DelayRule[]): DelayRule {
  return (failures) => Math.max(0, ...rules.map((rule) => rule(failures)));
}

/** The delay of the rule, but never more than the maximum. */
export function atMost(maxMs: number, rule: DelayRule): DelayRule {
  return (failures) => Math.min(rule(failures), maxMs);
}

/** From 5 milliseconds to 1000 seconds. */
export const DEFAULT_DELAY_RULE: DelayRule = exponential({ initialMs: 5, maxMs: 1_000_000 });
