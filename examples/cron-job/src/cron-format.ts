/** The range of values of a field. `names` contains the names of the values, in order, beginning with the name of `min`. */
interface CronField {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const FIELDS: readonly CronField[] = [
  { name: 'minute', min: 0, max: 59 },
  { name: 'hour', min: 0, max: 23 },
  { name: 'day of month', min: 1, max: 31 },
  { name: 'month', min: 1, max: 12, names: MONTHS },
  { name: 'day of week', min: 0, max: 6, names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] },
];
const PREDEFINED: ReadonlyMap<string, string> = new Map([
  ['@yearly', '0 0 1 1 *'],
  ['@annually', '0 0 1 1 *'],
  ['@monthly', '0 0 1 * *'],
  ['@weekly', '0 0 * * 0'],
  ['@daily', '0 0 * * *'],
  ['@midnight', '0 0 * * *'],
  ['@hourly', '0 * * * *'],
]);
const SECONDS = { h: 3600, m: 60, s: 1, ms: 1e-3, us: 1e-6, µs: 1e-6, μs: 1e-6, ns: 1e-9 } as const;
const EVERY = /^@every (?:0|((?:(?:\d+(?:\.\d*)?|\.\d+)(?:h|ms?|s|[uµμ]s|ns))+))$/;

/** A parsed schedule: five fields that contain only numbers, or an interval in seconds. */
export type CronFormat = { readonly fields: string } | { readonly everySeconds: number };

/**
 * Parses a schedule in cron format: minute, hour, day of month, month and day of week, or a descriptor such as '@hourly' or
 * '@every 1h30m'. An interval is rounded down to whole seconds, and is at least 1 s. Throws an error that names the invalid field.
 */
export function parseCron(schedule: string): CronFormat {
  if (schedule.startsWith('@every')) return { everySeconds: intervalOf(schedule) };
  const texts = (PREDEFINED.get(schedule) ?? schedule).split(/\s+/).filter((text) => text !== '');
  if (texts.length !== FIELDS.length) {
    throw new Error('must have five fields such as "*/5 * * * *", or be a descriptor such as @hourly or @every 1h30m');
  }
  return { fields: FIELDS.map((field, at) => numbersOf(field, texts[at] ?? '')).join(' ') };
}

function intervalOf(schedule: string): number {
  const match = EVERY.exec(schedule);
  if (match === null) throw new Error('must have an interval with units after @every, such as "@every 1h30m"');
  const parts = [...(match[1] ?? '').matchAll(/([\d.]+)([a-zµμ]+)/g)];
  const seconds = parts.map(([, count, unit]) => Number(count) * SECONDS[unit as keyof typeof SECONDS]);
  return Math.max(1, Math.floor(seconds.reduce((sum, each) => sum + each, 0)));
}

/** Returns '*', or the values of a field as a list of numbers. */
function numbersOf(field: CronField, text: string): string {
  if (text === '*' || text === '?') return '*';
  const ranges = text.split(',').filter((range) => range !== '');
  const values = new Set(ranges.flatMap((range) => valuesOf(field, range)));
  if (values.size === 0) throw invalid(field, text);
  return [...values].toSorted((a, b) => a - b).join(',');
}

/** Returns the values of a range such as '5', '1-5', 'mon-fri', '*\/15' or '10-40/5'. '10/5' is the range from 10 to the maximum. */
function valuesOf(field: CronField, range: string): readonly number[] {
  const match = /^(?:[*?]|(\w+)(?:-(\w+))?)(?:\/(\d+))?$/.exec(range);
  if (match === null) throw invalid(field, range);
  const [, low, high, step] = match;
  const from = low === undefined ? field.min : numberOf(field, low);
  const to = high === undefined ? (low === undefined || step !== undefined ? field.max : from) : numberOf(field, high);
  const by = Number(step ?? 1);
  if (!(from >= field.min && to <= field.max && from <= to && by > 0)) throw invalid(field, range);
  return Array.from({ length: Math.floor((to - from) / by) + 1 }, (_, at) => from + at * by);
}

function numberOf({ names = [], min }: CronField, text: string): number {
  const at = names.indexOf(text.toLowerCase());
  return at >= 0 ? at + min : /^\d+$/.test(text) ? Number(text) : Number.NaN;
}
function invalid({ name, min, max }: CronField, text: string): Error {
  return new Error(`must be in cron format: the ${name} "${text}" is not a value, range or step from ${min} to ${max}`);
}
