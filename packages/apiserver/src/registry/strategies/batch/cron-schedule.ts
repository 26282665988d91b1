import { goQuoted } from '../rules/go-text.js';

interface FieldRange {
  readonly min: number;
  readonly max: number;
  /** The names of the numbers, beginning with `min`. */
  readonly names?: readonly string[];
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const ranges: readonly FieldRange[] = [
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 31 },
  { min: 1, max: 12, names: months },
  { min: 0, max: 6, names: days },
];
const descriptors = ['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly'];
const every = '@every ';

/**
 * Returns the error of a schedule with five fields, or of a descriptor such as `@daily`. Ignores a time zone at the start, such as
 * `TZ=UTC`. Returns undefined for a valid schedule.
 */
export function cronScheduleError(schedule: string): string | undefined {
  const text = /^(?:CRON_)?TZ=\S* /.test(schedule) ? schedule.slice(schedule.indexOf(' ')).trim() : schedule;
  if (text.startsWith('@')) return descriptorError(text);
  const fields = text.split(/\s+/).filter((field) => field !== '');
  if (fields.length !== ranges.length) {
    return `expected exactly ${ranges.length} fields, found ${fields.length}: [${fields.join(' ')}]`;
  }
  for (const [index, field] of fields.entries()) {
    for (const part of field.split(',').filter((entry) => entry !== '')) {
      const error = rangeError(part, ranges[index] as FieldRange);
      if (error !== undefined) return error;
    }
  }
  return undefined;
}

function descriptorError(text: string): string | undefined {
  if (descriptors.includes(text)) return undefined;
  if (!text.startsWith(every)) return `unrecognized descriptor: ${text}`;
  const duration = text.slice(every.length);
  if (/^[+-]?(?:0|(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|ms|s|m|h))+)$/.test(duration)) return undefined;
  return `failed to parse duration ${text}: time: invalid duration ${goQuoted(duration)}`;
}

function rangeError(expression: string, range: FieldRange): string | undefined {
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
  return step === 0 ? `step of range should be a positive number: ${expression}` : undefined;
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
