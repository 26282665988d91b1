/** The units of Go in nanoseconds. */
const UNITS: ReadonlyMap<string, number> = new Map([
  ['ns', 1],
  ['us', 1000],
  ['µs', 1000],
  ['μs', 1000],
  ['ms', 1e6],
  ['s', 1e9],
  ['m', 60e9],
  ['h', 3600e9],
]);
const DAY = 86_400_000_000_000n;

/** Units as words, as in the duration formats of Kubernetes. */
const WORDS: readonly (readonly [RegExp, bigint])[] = [
  [/^(?:ns|nano.*)$/i, 1n],
  [/^(?:us|µs|micro.*)$/i, 1000n],
  [/^(?:ms|milli.*)$/i, 1_000_000n],
  [/^(?:s|sec.*)$/i, 1_000_000_000n],
  [/^(?:m|min.*)$/i, 60_000_000_000n],
  [/^(?:h|hr|hour.*)$/i, 3_600_000_000_000n],
  [/^(?:d|day.*)$/i, DAY],
  [/^(?:w|wk|week.*)$/i, 7n * DAY],
];

const BEYOND_INT64 = 2n ** 63n;
/** The number of digits of the largest signed 64-bit number. */
const MOST_DIGITS = 19;
/**
 * The largest sum in nanoseconds that is kept in a JavaScript number. A larger sum is added to a bigint. Below this limit, adding a number
 * of up to 999.9 hours to a JavaScript number is exact.
 */
const MOST_SMALL = 5e15;

/**
 * Parses a duration in the notation of Go (`1h2m3.5s`). Returns nanoseconds, or undefined if the text is not a duration or does not fit in
 * 64 bits. The time is linear in the length of the text.
 */
export function goDuration(text: string): bigint | undefined {
  const begin = /^[+-]/.test(text) ? 1 : 0;
  if (text.length === begin) return undefined;
  if (text.length === begin + 1 && text.endsWith('0')) return 0n;
  let total = 0n;
  // Sums of short numbers are exact without a bigint. Bigints would dominate the time for a text with many numbers.
  let small = 0;
  for (let at = begin; at < text.length; ) {
    const [wholeFrom, wholeTo] = [at, digitsEnd(text, at)];
    const fractionFrom = text[wholeTo] === '.' ? wholeTo + 1 : wholeTo;
    const fractionTo = digitsEnd(text, fractionFrom);
    at = unitEnd(text, fractionTo);
    const scale = UNITS.get(text.slice(fractionTo, at));
    if (scale === undefined || (wholeFrom === wholeTo && fractionFrom === fractionTo)) return undefined;
    if (wholeTo - wholeFrom <= 3) small += Number(text.slice(wholeFrom, wholeTo)) * scale;
    else {
      const amount = wholeNumber(text.slice(wholeFrom, wholeTo));
      if (amount === undefined) return undefined;
      total += amount * BigInt(scale);
    }
    if (fractionFrom < fractionTo) small += fractionOf(text.slice(fractionFrom, fractionTo), scale);
    if (small >= MOST_SMALL) [total, small] = [total + BigInt(small), 0];
    if (total > BEYOND_INT64) return undefined;
  }
  total += BigInt(small);
  if (total > BEYOND_INT64) return undefined;
  if (begin === 1 && text.startsWith('-')) return -total;
  return total < BEYOND_INT64 ? total : undefined;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function digitsEnd(text: string, from: number): number {
  let at = from;
  while (isDigit(text.charCodeAt(at))) at += 1;
  return at;
}

/** Returns the end of a unit. A unit ends before a digit or a period. */
function unitEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && text[at] !== '.' && !isDigit(text.charCodeAt(at))) at += 1;
  return at;
}

/**
 * Finds whole numbers with units as words anywhere in a text (`3 days`). Returns nanoseconds, or undefined if there is no such number or if
 * a number does not fit in 64 bits.
 */
export function verboseDuration(text: string): bigint | undefined {
  let total: bigint | undefined;
  for (const [, digits = '', unit = ''] of text.matchAll(/(?<!\d)(\d+)\s*([A-Za-zµ]+)/g)) {
    const amount = wholeNumber(digits);
    if (amount === undefined || amount === BEYOND_INT64) return undefined;
    const scale = WORDS.find(([word]) => word.test(unit))?.[1];
    if (scale !== undefined) total = BigInt.asIntN(64, (total ?? 0n) + amount * scale);
  }
  return total;
}

/**
 * Returns the number, or undefined if it is larger than 2^63. Checks the length first, because the conversion of a long text takes more
 * than linear time.
 */
function wholeNumber(digits: string): bigint | undefined {
  if (digits.length > MOST_DIGITS && digits.replace(/^0+/, '').length > MOST_DIGITS) return undefined;
  const value = BigInt(digits);
  return value > BEYOND_INT64 ? undefined : value;
}

/** Returns a fraction of a unit in nanoseconds, with the digits and the precision that Go uses. */
function fractionOf(digits: string, scale: number): number {
  const zeros = /^0*/.exec(digits)?.[0].length ?? 0;
  const long = digits.slice(0, zeros + MOST_DIGITS);
  const kept = wholeNumber(long) === undefined ? long.slice(0, -1) : long;
  return Math.trunc(Number(kept) * (scale / 10 ** kept.length));
}
