import { goDuration } from '../../schema/duration-text.js';

const NANOS = 1_000_000_000n;
const FIRST_SECOND = -62135596800n;
const LAST_SECOND = 253402300799n;
const INT64 = 64;

/** An instant between the years 1 and 9999 with nanosecond precision. */
export class CelTimestamp {
  /** The nanoseconds since 1970. */
  readonly nanos: bigint;

  constructor(nanos: bigint) {
    this.nanos = nanos;
  }

  /** The whole seconds since 1970, rounded down. */
  get seconds(): bigint {
    return floorDiv(this.nanos, NANOS);
  }
}

/** A duration with nanosecond precision. */
export class CelDuration {
  readonly nanos: bigint;

  constructor(nanos: bigint) {
    this.nanos = nanos;
  }
}

/** Returns the timestamp, or undefined if the instant is out of range. */
export function timestampOf(nanos: bigint): CelTimestamp | undefined {
  const seconds = floorDiv(nanos, NANOS);
  return seconds < FIRST_SECOND || seconds > LAST_SECOND ? undefined : new CelTimestamp(nanos);
}

/** Returns the duration, or undefined if it does not fit in 64 bits. */
export function durationOf(nanos: bigint): CelDuration | undefined {
  return BigInt.asIntN(INT64, nanos) === nanos ? new CelDuration(nanos) : undefined;
}

function floorDiv(value: bigint, by: bigint): bigint {
  const quotient = value / by;
  return value % by < 0n ? quotient - 1n : quotient;
}

const RFC3339 = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:[.,](\d+))?(?:Z|([+-])(\d\d):(\d\d))$/;

/** Parses an RFC 3339 timestamp. Returns undefined if the text is not a timestamp. */
export function parseTimestamp(text: string): CelTimestamp | undefined {
  const found = RFC3339.exec(text);
  if (found === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found.slice(1, 7).map(Number);
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return undefined;
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const [, , , , , , , fraction = '', sign, offsetHours = '0', offsetMinutes = '0'] = found;
  if (Number(offsetHours) > 24 || Number(offsetMinutes) > 60) return undefined;
  const offset = (sign === '-' ? -1 : 1) * (Number(offsetHours) * 60 + Number(offsetMinutes)) * 60;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second);
  const nanos = BigInt(fraction.slice(0, 9).padEnd(9, '0'));
  return timestampOf((BigInt(date.getTime() / 1000) - BigInt(offset)) * NANOS + nanos);
}

function daysIn(year: number, month: number): number {
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
}

/** Parses a date without a time. Returns undefined if the text is not a date. */
export function parseDate(text: string): CelTimestamp | undefined {
  return /^\d{4}-\d\d-\d\d$/.test(text) ? parseTimestamp(`${text}T00:00:00Z`) : undefined;
}

/** Formats a timestamp in UTC, with as many fractional digits as necessary. */
export function formatTimestamp(timestamp: CelTimestamp): string {
  const { seconds, nanos } = timestamp;
  const fraction = nanos - seconds * NANOS;
  const whole = new Date(Number(seconds) * 1000).toISOString().slice(0, 19);
  const digits = fraction === 0n ? '' : `.${String(fraction).padStart(9, '0').replace(/0+$/, '')}`;
  return `${whole}${digits}Z`;
}

/** Parses a duration in the notation of Go (`1h2m3.5s`). Returns undefined if the text is not a duration or is out of range. */
export function parseDuration(text: string): CelDuration | undefined {
  const nanos = goDuration(text);
  return nanos === undefined ? undefined : new CelDuration(nanos);
}

/** Formats a duration in seconds. */
export function formatDuration({ nanos }: CelDuration): string {
  const sign = nanos < 0n ? '-' : '';
  const magnitude = nanos < 0n ? -nanos : nanos;
  const fraction = String(magnitude % NANOS)
    .padStart(9, '0')
    .replace(/0+$/, '');
  return `${sign}${magnitude / NANOS}${fraction === '' ? '' : `.${fraction}`}s`;
}
