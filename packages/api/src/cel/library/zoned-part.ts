import { CelError } from '../values/cel-error.js';
import type { CelTimestamp } from '../values/cel-time.js';
import type { CelValue } from '../values/cel-value.js';

/** A part of a date or time. month, dayOfYear, dayOfMonth and dayOfWeek are zero-based. */
export type TimePart =
  | 'year'
  | 'month'
  | 'dayOfYear'
  | 'dayOfMonth'
  | 'date'
  | 'dayOfWeek'
  | 'hours'
  | 'minutes'
  | 'seconds'
  | 'milliseconds';

const DAY = 86_400_000;

/**
 * Returns a part of a timestamp in a time zone. The zone is a name (`Europe/Berlin`) or an offset (`-02:30`). Returns an error if the zone
 * is not valid.
 */
export function zonedPart(time: CelTimestamp, part: TimePart, zone: string): CelValue {
  const offset = offsetOf(time, zone);
  if (offset instanceof CelError) return offset;
  const millis = time.nanos / 1_000_000n - (time.nanos % 1_000_000n < 0n ? 1n : 0n);
  const date = new Date(Number(millis) + offset * 60_000);
  return BigInt(partOf(date, part));
}

function partOf(date: Date, part: TimePart): number {
  switch (part) {
    case 'year':
      return date.getUTCFullYear();
    case 'month':
      return date.getUTCMonth();
    case 'dayOfYear': {
      const start = new Date(date);
      start.setUTCMonth(0, 1);
      start.setUTCHours(0, 0, 0, 0);
      return Math.floor((date.getTime() - start.getTime()) / DAY);
    }
    case 'dayOfMonth':
      return date.getUTCDate() - 1;
    case 'date':
      return date.getUTCDate();
    case 'dayOfWeek':
      return date.getUTCDay();
    case 'hours':
      return date.getUTCHours();
    case 'minutes':
      return date.getUTCMinutes();
    case 'seconds':
      return date.getUTCSeconds();
    case 'milliseconds':
      return date.getUTCMilliseconds();
  }
}

/** Returns the offset of a time zone from UTC in minutes. The offset is positive for zones east of UTC. */
function offsetOf(time: CelTimestamp, zone: string): number | CelError {
  if (zone === 'UTC' || zone === '') return 0;
  const colon = zone.indexOf(':');
  if (colon < 0) return namedOffset(time, zone);
  const [hours, minutes] = [zone.slice(0, colon), zone.slice(colon + 1)];
  for (const text of [hours, minutes]) {
    if (!/^[+-]?\d+$/.test(text)) return new CelError(`strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`);
  }
  return Number(hours) * 60 + (zone.startsWith('-') ? -Number(minutes) : Number(minutes));
}

function namedOffset(time: CelTimestamp, zone: string): number | CelError {
  const millis = Number(time.seconds) * 1000;
  try {
    const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
    const name = format.formatToParts(millis).find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT';
    const [, sign = '+', hours = '0', minutes = '0'] = /^GMT([+-])(\d\d):?(\d\d)?/.exec(name) ?? [];
    return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
  } catch (error) {
    if (error instanceof RangeError) return new CelError(`unknown time zone ${zone}`);
    throw error;
  }
}
