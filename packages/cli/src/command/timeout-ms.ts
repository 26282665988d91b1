import { durationMs, type Duration } from '@kubewright/api/clock';
import { KubewrightError } from '@kubewright/api/errors';

/** What a timer can wait at most; longer is as good as for ever. */
const LONGEST_MS = 2 ** 31 - 1;

/** The milliseconds of `--timeout`, at least one and at most 24 days. Throws WRONG_USAGE for what is no time, and for none. */
export function timeoutMs(text: string): number {
  const ms = msOf(text);
  if (ms !== undefined && ms > 0) return Math.min(ms, LONGEST_MS);
  throw new KubewrightError('WRONG_USAGE', `--timeout ${text} is no time: write one such as 90s or 5m`);
}

/** Undefined for what is no duration. */
function msOf(text: string): number | undefined {
  try {
    return durationMs(text as Duration);
  } catch (error) {
    if (error instanceof KubewrightError) return undefined;
    throw error;
  }
}
