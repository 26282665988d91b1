import { goDuration } from '@kubewright/api/schema';
import { goQuoted } from '../rules/go-text.js';
import { isTimeZone } from './is-time-zone.js';

interface FieldRange {
  readonly min: number;
  readonly max: number;
  /** The names of the numbers from `min` on, such as `jan`. */
  readonly names?: readonly string[];
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** The number of days of each month in a leap year. */
const monthLengths = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const ranges: readonly FieldRange[] = [
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 31 },
  { min: 1, max: 12, names: months },
  { min: 0, max: 6, names: days },
];
const descriptors = new Map([
  ['@yearly', '0 0 1 1 *'],
  ['@annually', '0 0 1 1 *'],
  ['@monthly', '0 0 1 * *'],
  ['@weekly', '0 0 * * 0'],
  ['@daily', '0 0 * * *'],
  ['@midnight', '0 0 * * *'],
  ['@hourly', '0 * * * *'],
]);
const every = '@every ';
const units = ['ns', 'us', 'µs', 'μs', 'ms', 's', 'm', 'h'];
const nanosPerSecond = 1_000_000_000n;

/** A valid schedule of a CronJob. */
export interface ParsedCronSchedule {
  /** The time zone at the start of the schedule, or undefined if the schedule does not contain a time zone. */
  readonly zone: string | undefined;
  /**
   * The five fields, each as `*` or as a list of numbers, or the time between two runs. Undefined if the schedule has no runs, for example
   * because all runs are on February 31.
   */
  readonly times: { readonly fields: string } | { readonly stepSeconds: number } | undefined;
  readonly error?: undefined;
}

/** The error of an invalid schedule. The text is the same as in kube-apiserver. */
export interface CronScheduleFault {
  readonly error: string;
}

/**
 * Parses a schedule with five fields, a descriptor such as `@daily`, or a duration such as `@every 1h`. A schedule can begin with a time
 * zone, such as `TZ=UTC`.
 */
export function parseCronSchedule(schedule: string): ParsedCronSchedule | CronScheduleFault {
  if (!/^(?:CRON_)?TZ=/.test(schedule)) return parseTimes(schedule, undefined);
  const end = schedule.indexOf(' ');
  if (end < 0) return { error: 'invalid schedule format: runtime error: slice bounds out of range [:-1]' };
  const location = schedule.slice(schedule.indexOf('=') + 1, end);
  const why = locationError(location);
  if (why !== undefined) return { error: `provided bad location ${location}: ${why}` };
  const zone = location === '' || location === 'Local' ? 'UTC' : location;
  return parseTimes(schedule.slice(end).trim(), zone);
}

/** Returns the error of a time zone, or undefined for a valid time zone. An empty time zone and `Local` are valid and mean UTC. */
function locationError(location: string): string | undefined {
  if (location === '' || location === 'Local') return undefined;
  if (location.includes('..') || /^[/\\]/.test(location)) return 'time: invalid location name';
  return isTimeZone(location) ? undefined : `unknown time zone ${location}`;
}

function parseTimes(text: string, zone: string | undefined): ParsedCronSchedule | CronScheduleFault {
  if (text.startsWith(every)) return parseEvery(text, zone);
  const described = descriptors.get(text);
  if (described !== undefined) return { zone, times: { fields: described } };
  if (text.startsWith('@')) return { error: `unrecognized descriptor: ${text}` };
  const fields = text.split(/\s+/).filter((field) => field !== '');
  if (fields.length !== ranges.length) {
    return { error: `expected exactly ${ranges.length} fields, found ${fields.length}: [${fields.join(' ')}]` };
  }
  const parsed: Numbers[] = [];
  for (const [index, field] of fields.entries()) {
    const numbers = parseField(field, ranges[index] as FieldRange);
    if (typeof numbers === 'string') return { error: numbers };
    parsed.push(numbers);
  }
  if (hasNoRuns(parsed)) return { zone, times: undefined };
  const canonical = parsed.map((numbers) => (numbers === undefined ? '*' : [...numbers].join(',')));
  return { zone, times: { fields: canonical.join(' ') } };
}

/** Parses an `@every` schedule. The time between two runs is at least one second, and is rounded down to whole seconds. */
function parseEvery(text: string, zone: string | undefined): ParsedCronSchedule | CronScheduleFault {
  const duration = text.slice(every.length);
  const nanos = goDuration(duration);
  if (nanos === undefined) return { error: `failed to parse duration ${text}: time: ${durationError(duration)}` };
  return { zone, times: { stepSeconds: nanos < nanosPerSecond ? 1 : Number(nanos / nanosPerSecond) } };
}

/** Returns Go's error text for an invalid duration. */
function durationError(duration: string): string {
  const parts = duration.replace(/^[+-]/, '').matchAll(/(?:\d+(?:\.\d*)?|\.\d+)([^\d.]*)/gy);
  for (const [, unit = ''] of parts) {
    if (unit === '') return `missing unit in duration ${goQuoted(duration)}`;
    if (!units.includes(unit)) return `unknown unit ${goQuoted(unit)} in duration ${goQuoted(duration)}`;
  }
  return `invalid duration ${goQuoted(duration)}`;
}

/** Whether a schedule has no runs: a field contains no numbers, or no selected month has a selected day. */
function hasNoRuns(fields: readonly Numbers[]): boolean {
  if (fields.some((numbers) => numbers?.size === 0)) return true;
  const [, , monthDays, selectedMonths, weekDays] = fields;
  if (monthDays === undefined || weekDays !== undefined) return false;
  const first = [...monthDays].reduce((least, day) => Math.min(least, day));
  return monthLengths.every((length, index) => length < first || selectedMonths?.has(index + 1) === false);
}

/** Returns the numbers of a field, or undefined if the field contains a wildcard. Returns the error text for an invalid field. */
function parseField(field: string, range: FieldRange): Numbers | string {
  const numbers = new Set<number>();
  let any = false;
  // A set, so that a long field with repeated parts takes linear time.
  for (const part of new Set(field.split(',').filter((entry) => entry !== ''))) {
    const found = parseRange(part, range);
    if (typeof found === 'string') return found;
    any ||= found.any;
    for (let number = found.start; number <= found.last; number += found.step) numbers.add(number);
  }
  return any ? undefined : numbers;
}

/** The numbers of a field, or undefined for all numbers. */
type Numbers = ReadonlySet<number> | undefined;

interface NumberRange {
  readonly start: number;
  readonly last: number;
  readonly step: number;
  /** Whether the range is a wildcard. A wildcard with a step greater than 1, such as an asterisk and `/2`, is a list of numbers instead. */
  readonly any: boolean;
}

/** Parses a part of a field, such as `1-5/2`. Returns the error text for an invalid part. */
function parseRange(expression: string, range: FieldRange): NumberRange | string {
  const [bounds = '', ...steps] = expression.split('/');
  const parts = bounds.split('-');
  const any = parts[0] === '*' || parts[0] === '?';
  const numbers: number[] = [];
  if (!any) {
    for (const part of parts.slice(0, 2)) {
      const number = numberOf(part, range);
      if (typeof number === 'string') return number;
      numbers.push(number);
    }
    if (parts.length > 2) return `too many hyphens: ${expression}`;
  }
  if (steps.length > 1) return `too many slashes: ${expression}`;
  const step = steps[0] === undefined ? 1 : numberOf(steps[0]);
  if (typeof step === 'string') return step;
  const start = any ? range.min : (numbers[0] ?? 0);
  const last = any || (parts.length === 1 && steps.length > 0) ? range.max : (numbers[1] ?? start);
  if (start < range.min) return `beginning of range (${start}) below minimum (${range.min}): ${expression}`;
  if (last > range.max) return `end of range (${last}) above maximum (${range.max}): ${expression}`;
  if (start > last) return `beginning of range (${start}) beyond end of range (${last}): ${expression}`;
  if (step === 0) return `step of range should be a positive number: ${expression}`;
  return { start, last, step, any: any && step === 1 };
}

/** Parses a number, or a name such as `mon`. Returns the error text for any other text. */
function numberOf(text: string, range?: FieldRange): number | string {
  const named = range?.names?.indexOf(text.toLowerCase()) ?? -1;
  if (named >= 0) return named + (range?.min ?? 0);
  if (!/^[+-]?\d+$/.test(text)) {
    return `failed to parse int from ${text}: strconv.Atoi: parsing ${goQuoted(text)}: invalid syntax`;
  }
  const number = Number(text);
  return number < 0 ? `negative number (${number}) not allowed: ${text}` : number;
}
