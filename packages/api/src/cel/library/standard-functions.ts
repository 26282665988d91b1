import { celTypes, listOf, mapOf, typeOf, typeParameter } from '../values/cel-type.js';
import { CelDuration, CelTimestamp } from '../values/cel-time.js';
import { CelList, CelMap, CelTypeValue, type CelValue } from '../values/cel-value.js';
import { CelError, noOverload } from '../values/cel-error.js';
import { toBool, toBytes, toDouble, toDuration, toInt, toText, toTimestamp, toUint } from './conversions.js';
import { func, method, type Overload, type Run, takes } from '../check/overload.js';
import { compilePattern } from './pattern.js';
import { runtimeTypeName } from '../values/runtime-type.js';
import { zonedPart, type TimePart } from './zoned-part.js';

const { bool, int, uint, double, string, bytes, timestamp, duration, dyn, cidr, ip } = celTypes;
const A = typeParameter('A');
const B = typeParameter('B');

/** Returns the functions of the CEL standard library. */
export function standardOverloads(): readonly Overload[] {
  return [...sizes(), ...conversions(), ...textTests(), ...timeParts()];
}

function sizes(): readonly Overload[] {
  const kinds = [
    ['bytes', bytes],
    ['list', listOf(A)],
    ['map', mapOf(A, B)],
    ['string', string],
  ] as const;
  return kinds.flatMap(([name, type]) => [
    func([`size_${name}`, 'size'], takes(type, int), sizeOf),
    method([`${name}_size`, 'size'], takes(type, int), sizeOf),
  ]);
}

function sizeOf(value: CelValue): CelValue {
  if (typeof value === 'string') return BigInt(textLength(value));
  if (value instanceof Uint8Array) return BigInt(value.length);
  if (value instanceof CelList || value instanceof CelMap) return BigInt(value.size);
  return noOverload('size');
}

/** Whether a text consists of ASCII characters only. */
export function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length;
}

/** Returns the number of code points in a text, which can be less than its length in JavaScript. */
export function textLength(text: string): number {
  if (text.length > 100 && isAscii(text)) return text.length;
  let pairs = 0;
  for (let index = 0; index < text.length; index++) if ((text.charCodeAt(index) & 0xfc00) === 0xd800) pairs += 1;
  return text.length - pairs;
}

function conversions(): readonly Overload[] {
  return [
    func(['type', 'type'], takes(A, typeOf(A)), (value) => new CelTypeValue(runtimeTypeName(value))),
    func(['to_dyn', 'dyn'], takes(A, dyn), (value) => value),
    ...converting('bool', toBool, [bool, string]),
    ...converting('bytes', toBytes, [bytes, string]),
    ...converting('double', toDouble, [double, int, string, uint]),
    ...converting('duration', toDuration, [duration, int, string]),
    ...converting('int', toInt, [int, double, duration, string, timestamp, uint]),
    ...converting('string', toText, [string, bool, bytes, double, duration, int, timestamp, uint]),
    func(['ip_to_string', 'string'], takes(ip, string), toText),
    func(['cidr_to_string', 'string'], takes(cidr, string), toText),
    ...converting('timestamp', toTimestamp, [timestamp, int, string]),
    ...converting('uint', toUint, [uint, double, int, string]),
  ];
}

const SHORT: Readonly<Record<string, string>> = { int: 'int64', uint: 'uint64' };

function converting(
  name: 'bool' | 'bytes' | 'double' | 'duration' | 'int' | 'string' | 'timestamp' | 'uint',
  run: (value: CelValue) => CelValue,
  from: readonly { readonly kind: string }[],
): readonly Overload[] {
  const to = celTypes[name];
  return from.map(({ kind }) => {
    const type = celTypes[kind as typeof name];
    return func([`${SHORT[kind] ?? kind}_to_${SHORT[name] ?? name}`, name], takes(type, to), run);
  });
}

function textTests(): readonly Overload[] {
  const test = (name: string, id: string, run: (text: string, other: string) => boolean): Overload =>
    method([id, name], takes(string, string, bool), run);
  return [
    test('contains', 'contains_string', (text, part) => text.includes(part)),
    test('endsWith', 'ends_with_string', (text, end) => text.endsWith(end)),
    test('startsWith', 'starts_with_string', (text, start) => text.startsWith(start)),
    func(['matches', 'matches'], takes(string, string, bool), matches),
    method(['matches_string', 'matches'], takes(string, string, bool), matches),
  ];
}

function matches(text: string, pattern: string): CelValue {
  const compiled = compilePattern(pattern);
  return compiled instanceof CelError ? compiled : compiled.test(text);
}

const PARTS: readonly (readonly [string, string, TimePart])[] = [
  ['getFullYear', 'timestamp_to_year', 'year'],
  ['getMonth', 'timestamp_to_month', 'month'],
  ['getDayOfYear', 'timestamp_to_day_of_year', 'dayOfYear'],
  ['getDayOfMonth', 'timestamp_to_day_of_month', 'dayOfMonth'],
  ['getDate', 'timestamp_to_day_of_month_1_based', 'date'],
  ['getDayOfWeek', 'timestamp_to_day_of_week', 'dayOfWeek'],
  ['getHours', 'timestamp_to_hours', 'hours'],
  ['getMinutes', 'timestamp_to_minutes', 'minutes'],
  ['getSeconds', 'timestamp_to_seconds', 'seconds'],
  ['getMilliseconds', 'timestamp_to_milliseconds', 'milliseconds'],
];

const SPANS: readonly (readonly [string, string, bigint])[] = [
  ['getHours', 'duration_to_hours', 3_600_000_000_000n],
  ['getMinutes', 'duration_to_minutes', 60_000_000_000n],
  ['getSeconds', 'duration_to_seconds', 1_000_000_000n],
  ['getMilliseconds', 'duration_to_milliseconds', 1_000_000n],
];

function timeParts(): readonly Overload[] {
  const parts = PARTS.flatMap(([name, id, part]) => [
    method([id, name], takes(timestamp, int), (time: CelTimestamp) => zonedPart(time, part, 'UTC')),
    method([`${id}_with_tz`, name], takes(timestamp, string, int), (time: CelTimestamp, zone: string) =>
      zonedPart(time, part, zone),
    ),
  ]);
  const spans = SPANS.map(([name, id, unit]) =>
    method([id, name], takes(duration, int), ((span: CelDuration) => span.nanos / unit) as unknown as Run),
  );
  return [...parts, ...spans];
}
