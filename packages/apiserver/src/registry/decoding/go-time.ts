/** The layouts of metav1.Time and metav1.MicroTime, in the notation of Go. */
const timeLayouts = {
  'v1.Time': '2006-01-02T15:04:05Z07:00',
  'v1.MicroTime': '2006-01-02T15:04:05.000000Z07:00',
} as const;

type Element = readonly [element: string, pattern: RegExp];

const untilSeconds: readonly Element[] = [
  ['2006', /^\d{4}/],
  ['-', /^-/],
  ['01', /^\d{2}/],
  ['-', /^-/],
  ['02', /^\d{2}/],
  ['T', /^T/],
  ['15', /^\d{2}/],
  [':', /^:/],
  ['04', /^\d{2}/],
  [':', /^:/],
];
const zoneElement: Element = ['Z07:00', /^(?:Z|[+-]\d{2}:\d{2})/];
/**
 * The elements of each layout. A metav1.Time accepts any number of fractional digits. A metav1.MicroTime requires exactly six fractional
 * digits.
 */
const elements: Readonly<Record<keyof typeof timeLayouts, readonly Element[]>> = {
  'v1.Time': [...untilSeconds, ['05', /^\d{2}(?:[.,]\d+)?/], zoneElement],
  'v1.MicroTime': [...untilSeconds, ['05', /^\d{2}/], ['.000000', /^[.,]\d{6}/], zoneElement],
};
const limits: Readonly<Record<string, readonly [most: number, name: string]>> = {
  '01': [12, 'month'],
  '15': [23, 'hour'],
  '04': [59, 'minute'],
  '05': [59, 'second'],
};

/** Converts a time to the stored form: in UTC, with the precision of its type. Throws a RangeError with the text of kube-apiserver. */
export function canonicalTime(text: string, type: keyof typeof timeLayouts): string {
  const layout = timeLayouts[type];
  let rest = text;
  for (const [element, pattern] of elements[type]) {
    const found = pattern.exec(rest)?.[0];
    if (found === undefined) {
      throw new RangeError(`parsing time ${quote(text)} as "${layout}": cannot parse ${quote(rest)} as "${element}"`);
    }
    checkRange(text, element, found);
    if (element === 'Z07:00') checkZone(text, found);
    rest = rest.slice(found.length);
  }
  if (rest !== '') throw new RangeError(`parsing time ${quote(text)}: extra text: ${quote(rest)}`);
  const [whole = '', fraction = ''] = text.replace(/(?:Z|[+-]\d{2}:\d{2})$/, '').split(/[.,]/);
  const zone = text.slice(19).replace(/^[.,]\d+/, '');
  const time = new Date(`${whole}${zone}`);
  if (Number.isNaN(time.getTime()) || !sameDay(time, text, zone)) {
    throw new RangeError(`parsing time ${quote(text)}: day out of range`);
  }
  const seconds = time.toISOString().slice(0, 19);
  return type === 'v1.Time' ? `${seconds}Z` : `${seconds}.${fraction}Z`;
}

function checkRange(text: string, element: string, found: string): void {
  const limit = limits[element];
  if (limit === undefined) return;
  const value = Number(found.slice(0, 2));
  if (value > limit[0] || (element === '01' && value === 0)) {
    throw new RangeError(`parsing time ${quote(text)}: ${limit[1]} out of range`);
  }
}

function checkZone(text: string, zone: string): void {
  if (zone === 'Z') return;
  if (Number(zone.slice(1, 3)) > 24)
    throw new RangeError(`parsing time ${quote(text)}: time zone offset hour out of range`);
  if (Number(zone.slice(4, 6)) > 60) {
    throw new RangeError(`parsing time ${quote(text)}: time zone offset minute out of range`);
  }
}

/** Whether the day exists in its month. Parsing converts a day that does not exist to a day of the next month. */
function sameDay(time: Date, text: string, zone: string): boolean {
  const [, sign = '+', hours = '0', minutes = '0'] = /^([+-])(\d{2}):(\d{2})$/.exec(zone) ?? [];
  const offset = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1);
  return new Date(time.getTime() + offset * 60_000).toISOString().slice(8, 10) === text.slice(8, 10);
}

function quote(text: string): string {
  return JSON.stringify(text);
}
