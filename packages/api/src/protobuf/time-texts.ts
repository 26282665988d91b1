import { MalformedProtobufError } from './protobuf-error.js';

const SLOTS = 256;
/** The seconds since 1970 at the start of the years 0 and 10000. JSON can contain only times between them. */
const MIN_SECONDS = -62_167_219_200;
const MAX_SECONDS = 253_402_300_800;
const DAY_SECONDS = 86_400;

const TWO_DIGITS: readonly string[] = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));

/**
 * Converts seconds since 1970 to text. Returns the same string for recent equal times in whole seconds, because most times occur several
 * times in an object.
 */
export class TimeTexts {
  readonly #seconds = new Float64Array(SLOTS).fill(Number.NaN);
  readonly #texts: string[] = Array.from({ length: SLOTS }, () => '');
  readonly #days = new Float64Array(SLOTS).fill(Number.NaN);
  readonly #dates: string[] = Array.from({ length: SLOTS }, () => '');

  /** Returns a time in whole seconds, such as `2026-01-31T12:00:00Z`. */
  read(seconds: number): string {
    const slot = seconds & (SLOTS - 1);
    if (this.#seconds[slot] === seconds) return this.#texts[slot] as string;
    // A text of several parts would keep the parts in memory.
    const text = flat(`${this.#dateTime(seconds)}Z`);
    this.#seconds[slot] = seconds;
    this.#texts[slot] = text;
    return text;
  }

  /** Returns a time with microseconds, such as `2026-01-31T12:00:00.000001Z`. */
  readMicro(seconds: number, nanos: number): string {
    if (nanos < 0 || nanos > 999_999_999) throw new MalformedProtobufError('a time has an invalid fraction');
    return flat(`${this.#dateTime(seconds)}.${String(Math.floor(nanos / 1000)).padStart(6, '0')}Z`);
  }

  #dateTime(seconds: number): string {
    if (!(seconds >= MIN_SECONDS && seconds < MAX_SECONDS)) throw new MalformedProtobufError('a time is out of range');
    const day = Math.floor(seconds / DAY_SECONDS);
    const left = seconds - day * DAY_SECONDS;
    const slot = day & (SLOTS - 1);
    if (this.#days[slot] !== day) {
      this.#days[slot] = day;
      this.#dates[slot] = new Date(day * DAY_SECONDS * 1000).toISOString().slice(0, 11);
    }
    const minutes = Math.floor(left / 60);
    const [hour, minute, second] = [Math.floor(minutes / 60), minutes % 60, left % 60];
    return `${this.#dates[slot]}${TWO_DIGITS[hour]}:${TWO_DIGITS[minute]}:${TWO_DIGITS[second]}`;
  }
}

/** Returns the same text as one string in memory. */
function flat(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1');
}
