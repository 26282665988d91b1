import { type Duration, durationMs } from '@kubewright/api/clock';
import { KubewrightError } from '@kubewright/api/errors';

/**
 * How long a key waits after so many failures in a row (0 at the first), in milliseconds. What `backoff` of a controller takes; made
 * by `exponential`, `fastThenSlow`, `longestOf` and `atMost`, or any function of yours.
 */
export type DelayRule = (failures: number) => number;

/**
 * Doubles with each failure, up to the maximum, and never overflows. Throws INVALID_DURATION.
 *
 * @example
 * @Controller({ for: Machine, backoff: exponential({ initial: '100ms', max: '5m' }) })
 */
export function exponential(options: { readonly initial: Duration; readonly max: Duration }): DelayRule {
  const [initialMs, maxMs] = [durationMs(options.initial), durationMs(options.max)];
  return (failures) => Math.min(initialMs * 2 ** failures, maxMs);
}

/**
 * The fast delay for the first attempts, the slow one from then on. Throws INVALID_DURATION.
 *
 * @example
 * @Controller({ for: Machine, backoff: fastThenSlow({ fast: '1s', slow: '5m', fastAttempts: 3 }) })
 */
export function fastThenSlow(options: {
  readonly fast: Duration;
  readonly slow: Duration;
  /** How many failures are followed by the fast delay. */
  readonly fastAttempts: number;
}): DelayRule {
  const [fastMs, slowMs] = [durationMs(options.fast), durationMs(options.slow)];
  return (failures) => (failures < options.fastAttempts ? fastMs : slowMs);
}

/**
 * The longest delay that one of the rules asks for.
 *
 * @example
 * longestOf(exponential({ initial: '5ms', max: '1m' }), (failures) => (failures > 10 ? 300_000 : 0))
 */
export function longestOf(...rules: readonly DelayRule[]): DelayRule {
  return (failures) => rules.reduce((longest, rule) => Math.max(longest, rule(failures)), 0);
}

/**
 * The delay of the rule, but never more than the maximum. Throws INVALID_DURATION.
 *
 * @example
 * atMost('5m', (failures) => 1000 * failures ** 2)
 */
export function atMost(max: Duration, rule: DelayRule): DelayRule {
  const maxMs = durationMs(max);
  return (failures) => Math.min(rule(failures), maxMs);
}

/** From 5 milliseconds to 1000 seconds. */
export const DEFAULT_DELAY_RULE: DelayRule = exponential({ initial: '5ms', max: '1000s' });

/** What a rule gave. Throws INVALID_DELAY where that is no time to wait. */
export function checkedDelayMs(delayMs: number): number {
  if (Number.isFinite(delayMs) && delayMs >= 0) return delayMs;
  throw new KubewrightError('INVALID_DELAY', `the delay rule gave ${delayMs}: return milliseconds from 0 up`);
}

/** The rule, with the default in its place where it throws or gives no time to wait. `onMistake` is told why. */
export function guardedDelayRule(rule: DelayRule, onMistake: (error: unknown) => void): DelayRule {
  return (failures) => {
    try {
      return checkedDelayMs(rule(failures));
    } catch (error) {
      onMistake(error);
      return DEFAULT_DELAY_RULE(failures);
    }
  };
}
