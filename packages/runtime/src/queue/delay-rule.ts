import { type Duration, durationMs } from '@kubewright/api/clock';
import { KubewrightError, valueText } from '@kubewright/api/errors';

/**
 * Returns the back-off of a key in milliseconds. The argument is the number of previous consecutive failures, which is 0 at the first
 * failure. This is the type of the option `backoff` of controllers. `exponential`, `fastThenSlow`, `longestOf` and `atMost` create rules,
 * and any other function is also valid.
 */
export type DelayRule = (failures: number) => number;

/**
 * Returns a rule whose delay doubles with each failure, up to the maximum. Throws INVALID_DURATION.
 *
 * @example
 * @Controller({ for: Machine, backoff: exponential({ initial: '100ms', max: '5m' }) })
 */
export function exponential(options: { readonly initial: Duration; readonly max: Duration }): DelayRule {
  const [initialMs, maxMs] = [durationMs(options.initial), durationMs(options.max)];
  return (failures) => Math.min(initialMs * 2 ** failures, maxMs);
}

/**
 * Returns a rule that uses the fast delay for the first failures, and then the slow delay. Throws INVALID_DURATION.
 *
 * @example
 * @Controller({ for: Machine, backoff: fastThenSlow({ fast: '1s', slow: '5m', fastAttempts: 3 }) })
 */
export function fastThenSlow(options: {
  readonly fast: Duration;
  readonly slow: Duration;
  /** The number of failures for which the fast delay is used. */
  readonly fastAttempts: number;
}): DelayRule {
  const [fastMs, slowMs] = [durationMs(options.fast), durationMs(options.slow)];
  return (failures) => (failures < options.fastAttempts ? fastMs : slowMs);
}

/**
 * Returns a rule that uses the longest delay of several rules.
 *
 * @example
 * longestOf(exponential({ initial: '5ms', max: '1m' }), (failures) => (failures > 10 ? 300_000 : 0))
 */
export function longestOf(...rules: readonly DelayRule[]): DelayRule {
  return (failures) => rules.reduce((longest, rule) => Math.max(longest, rule(failures)), 0);
}

/**
 * Returns a rule that limits the delay of another rule to a maximum. Throws INVALID_DURATION.
 *
 * @example
 * atMost('5m', (failures) => 1000 * failures ** 2)
 */
export function atMost(max: Duration, rule: DelayRule): DelayRule {
  const maxMs = durationMs(max);
  return (failures) => Math.min(rule(failures), maxMs);
}

/** The default rule: the delay doubles from 5 ms to 1000 s. */
export const DEFAULT_DELAY_RULE: DelayRule = exponential({ initial: '5ms', max: '1000s' });

/** Returns the given delay, which a rule returned. Throws INVALID_DELAY if the delay is not a finite number of at least 0. */
export function checkedDelayMs(delayMs: number): number {
  if (Number.isFinite(delayMs) && delayMs >= 0) return delayMs;
  throw new KubewrightError(
    'INVALID_DELAY',
    `the delay function returned ${valueText(delayMs)}: return milliseconds of at least 0`,
  );
}

/**
 * Returns a rule that never fails. If the given rule throws or returns an invalid delay, passes the error to `onProblem` and uses the
 * default rule.
 */
export function guardedDelayRule(rule: DelayRule, onProblem: (error: unknown) => void): DelayRule {
  return (failures) => {
    try {
      return checkedDelayMs(rule(failures));
    } catch (error) {
      onProblem(error);
      return DEFAULT_DELAY_RULE(failures);
    }
  };
}
