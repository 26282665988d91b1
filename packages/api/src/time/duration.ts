import { KubewrightError } from '../errors/kubewright-error.js';
import { valueText } from '../errors/value-text.js';

/** A duration: '250ms', '30s', '10m', '2h', '1d'. */
export type Duration = `${number}${'ms' | 's' | 'm' | 'h' | 'd'}`;

const MS_PER_UNIT = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const PATTERN = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/;

/** Returns the duration in milliseconds. Throws INVALID_DURATION for any value except a number with a unit. */
export function durationMs(duration: Duration): number {
  // Options in JavaScript and in JSON can have any type, and `exec` would convert a list to text.
  const match = typeof duration === 'string' ? PATTERN.exec(duration) : null;
  if (!match) {
    throw new KubewrightError(
      'INVALID_DURATION',
      `${valueText(duration)} is not a valid duration; use a number with the unit ms, s, m, h or d, such as '30s'`,
    );
  }
  return Number(match[1]) * MS_PER_UNIT[match[2] as keyof typeof MS_PER_UNIT];
}
