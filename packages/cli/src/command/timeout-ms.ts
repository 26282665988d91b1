import { durationMs, type Duration } from '@kubewright/api/clock';
import { KubewrightError } from '@kubewright/api/errors';

/** The maximum delay of a Node.js timer in milliseconds, about 24 days. */
const LONGEST_MS = 2 ** 31 - 1;

/**
 * Parses the duration of `--timeout` into milliseconds, at most 24 days. Throws INVALID_USAGE for an invalid, zero, or negative duration.
 */
export function timeoutMs(text: string): number {
  return durationIn('--timeout', text);
}

/** Parses the duration of an option into milliseconds, as `timeoutMs` does. */
export function durationIn(option: string, text: string): number {
  const ms = msOf(text);
  if (ms !== undefined && ms > 0) return Math.min(ms, LONGEST_MS);
  throw new KubewrightError('INVALID_USAGE', `invalid ${option} ${text}: use a duration such as 90s or 5m`);
}

/** Converts a duration to milliseconds. Returns undefined for an invalid duration. */
function msOf(text: string): number | undefined {
  try {
    return durationMs(text as Duration);
  } catch (error) {
    if (error instanceof KubewrightError) return undefined;
    throw error;
  }
}
