import { CelError } from '../values/cel-error.js';
import { celTypes, listOf } from '../values/cel-type.js';
import { CelList, type CelValue } from '../values/cel-value.js';
import { formatText } from './format-text.js';
import { ListValue } from '../values/list-value.js';
import { method, func, type Overload, takes } from '../check/overload.js';
import { quoteText } from '../values/quote-text.js';
import { replaceEach } from '../values/replace-each.js';
import { checkListSize, checkTextLength, LONGEST_LIST } from '../values/size-limits.js';
import { isAscii, textLength } from './standard-functions.js';

const { int, string, dyn } = celTypes;

/** Returns the string extensions of CEL. */
export function stringOverloads(): readonly Overload[] {
  return [...positions(), ...cases(), ...divisions(), ...joins()];
}

function outOfRange(index: bigint): CelError {
  return new CelError(`index out of range: ${index}`);
}

function positions(): readonly Overload[] {
  return [
    method(['string_char_at_int', 'charAt'], takes(string, int, string), (text: string, index: bigint) => {
      const at = offsetOf(text, index);
      return at === undefined ? outOfRange(index) : text.slice(at, at + charSize(text, at));
    }),
    method(['string_index_of_string', 'indexOf'], takes(string, string, int), (text: string, part: string) =>
      indexFrom(text, part, 0n),
    ),
    method(['string_index_of_string_int', 'indexOf'], takes(string, string, int, int), indexFrom),
    method(['string_last_index_of_string', 'lastIndexOf'], takes(string, string, int), (text: string, part: string) => {
      const length = BigInt(textLength(text));
      if (part === '') return length;
      return text.length < part.length ? -1n : lastIndexFrom(text, part, length - 1n);
    }),
    method(['string_last_index_of_string_int', 'lastIndexOf'], takes(string, string, int, int), lastIndexFrom),
    method(['string_substring_int', 'substring'], takes(string, int, string), (text: string, start: bigint) => {
      const at = offsetOf(text, start);
      return at === undefined ? outOfRange(start) : text.slice(at);
    }),
    method(['string_substring_int_int', 'substring'], takes(string, int, int, string), substring),
  ];
}

/** Returns the number of UTF-16 code units of the character at an offset. */
function charSize(text: string, offset: number): number {
  return (text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1;
}

/** Returns the offset of a character, or of the end, in UTF-16 code units. Returns undefined if the index is negative or beyond the end. */
function offsetOf(text: string, index: bigint): number | undefined {
  if (index < 0n || index > BigInt(text.length)) return undefined;
  if (isAscii(text)) return Number(index);
  let offset = 0;
  for (let left = Number(index); left > 0; left--) {
    if (offset >= text.length) return undefined;
    offset += charSize(text, offset);
  }
  return offset;
}

function substring(text: string, start: bigint, end: bigint): CelValue {
  if (start > end) return new CelError(`invalid substring range. start: ${start}, end: ${end}`);
  const from = offsetOf(text, start);
  if (from === undefined) return outOfRange(start);
  const to = offsetOf(text, end);
  return to === undefined ? outOfRange(end) : text.slice(from, to);
}

function indexFrom(text: string, part: string, offset: bigint): CelValue {
  if (part === '') return offset;
  if (offset < 0n) return outOfRange(offset);
  const start = offsetOf(text, offset);
  const found = start === undefined ? -1 : text.indexOf(part, start);
  return found < 0 ? -1n : BigInt(textLength(text.slice(0, found)));
}

function lastIndexFrom(text: string, part: string, offset: bigint): CelValue {
  if (part === '') return offset;
  if (offset < 0n) return outOfRange(offset);
  const start = offsetOf(text, offset);
  // The search must begin at a character, and there is no character at the end of the text.
  if (start === undefined || start === text.length) return -1n;
  const found = text.lastIndexOf(part, start);
  return found < 0 ? -1n : BigInt(textLength(text.slice(0, found)));
}

function cases(): readonly Overload[] {
  return [
    method(['string_lower_ascii', 'lowerAscii'], takes(string, string), (text: string) =>
      replaceEach(text, /[A-Z]+/g, (found) => found.toLowerCase()),
    ),
    method(['string_upper_ascii', 'upperAscii'], takes(string, string), (text: string) =>
      replaceEach(text, /[a-z]+/g, (found) => found.toUpperCase()),
    ),
    method(['string_trim', 'trim'], takes(string, string), trimmed),
  ];
}

// Searches the end of the text without a regular expression, because a regular expression that is anchored to the end takes quadratic time.
function trimmed(text: string): string {
  const start = /^\p{White_Space}*/u.exec(text)?.[0].length ?? 0;
  let end = text.length;
  while (end > start && /\p{White_Space}/u.test(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

function divisions(): readonly Overload[] {
  return [
    method(
      ['string_replace_string_string', 'replace'],
      takes(string, string, string, string),
      (text: string, old: string, by: string) => replace(text, { old, by }, -1n),
    ),
    method(
      ['string_replace_string_string_int', 'replace'],
      takes(string, string, string, int, string),
      (text: string, old: string, by: string, times: bigint) => replace(text, { old, by }, times),
    ),
    method(['string_split_string', 'split'], takes(string, string, listOf(string)), (text: string, by: string) =>
      split(text, by, -1n),
    ),
    method(['string_split_string_int', 'split'], takes(string, string, int, listOf(string)), split),
  ];
}

function replace(text: string, { old, by }: { readonly old: string; readonly by: string }, times: bigint): CelValue {
  const limit = times < 0n ? Number.POSITIVE_INFINITY : Number(times);
  if (limit === 0) return text;
  if (old === '') {
    const chars = characters(text);
    checkTextLength(text.length + Math.min(limit, chars.length + 1) * by.length);
    const out = chars.map((char, index) => (index < limit ? by + char : char)).join('');
    return chars.length < limit ? out + by : out;
  }
  const parts = pieces(text, old);
  const last = Math.min(limit, parts.length - 1);
  checkTextLength(text.length + last * (by.length - old.length));
  return (
    parts.slice(0, last + 1).join(by) +
    parts
      .slice(last + 1)
      .map((part) => old + part)
      .join('')
  );
}

function characters(text: string): string[] {
  checkListSize(textLength(text));
  return Array.from(text);
}

/** Splits a text at the occurrences of another text. */
function pieces(text: string, by: string): string[] {
  const parts = text.split(by, LONGEST_LIST + 1);
  checkListSize(parts.length);
  return parts;
}

function split(text: string, by: string, times: bigint): CelValue {
  if (times === 0n) return new ListValue([]);
  const parts = by === '' ? characters(text) : pieces(text, by);
  const limit = times < 0n ? parts.length : Number(times);
  if (parts.length <= limit) return new ListValue(parts);
  return new ListValue([...parts.slice(0, limit - 1), parts.slice(limit - 1).join(by)]);
}

function joins(): readonly Overload[] {
  const strings = listOf(string);
  return [
    method(['string_format', 'format'], takes(string, listOf(dyn), string), formatText),
    func(['strings_quote', 'strings.quote'], takes(string, string), quoteText),
    method(['list_join', 'join'], takes(strings, string), (list: CelList) => join(list, '')),
    method(['list_join_string', 'join'], takes(strings, string, string), join),
  ];
}

function join(list: CelList, separator: string): CelValue {
  const parts: string[] = [];
  let length = 0;
  for (const element of list) {
    if (element instanceof CelError) return element;
    if (typeof element !== 'string') return new CelError(`join: invalid input: ${String(element)}`);
    length += element.length + separator.length;
    checkTextLength(length);
    parts.push(element);
  }
  return parts.join(separator);
}
