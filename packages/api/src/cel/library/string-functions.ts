import { CelError } from '../values/cel-error.js';
import { celTypes, listOf } from '../values/cel-type.js';
import type { CelValue } from '../values/cel-value.js';
import { CelList } from '../values/collections.js';
import { formatText } from './format-text.js';
import { ListValue } from '../values/list-value.js';
import { method, func, type Overload, takes } from '../check/overload.js';
import { quoteText } from '../values/quote-text.js';

const { int, string, dyn } = celTypes;

/** The string extensions of the language. */
export function stringOverloads(): readonly Overload[] {
  return [...positions(), ...cases(), ...pieces(), ...joins()];
}

function outOfRange(index: bigint): CelError {
  return new CelError(`index out of range: ${index}`);
}

function positions(): readonly Overload[] {
  return [
    method(['string_char_at_int', 'charAt'], takes(string, int, string), (text: string, index: bigint) => {
      const chars = Array.from(text);
      if (index < 0n || index > BigInt(chars.length)) return outOfRange(index);
      return chars[Number(index)] ?? '';
    }),
    method(['string_index_of_string', 'indexOf'], takes(string, string, int), (text: string, part: string) =>
      indexFrom(text, part, 0n),
    ),
    method(['string_index_of_string_int', 'indexOf'], takes(string, string, int, int), indexFrom),
    method(['string_last_index_of_string', 'lastIndexOf'], takes(string, string, int), (text: string, part: string) => {
      const length = BigInt(Array.from(text).length);
      if (part === '') return length;
      return text.length < part.length ? -1n : lastIndexFrom(text, part, length - 1n);
    }),
    method(['string_last_index_of_string_int', 'lastIndexOf'], takes(string, string, int, int), lastIndexFrom),
    method(['string_substring_int', 'substring'], takes(string, int, string), (text: string, start: bigint) => {
      const chars = Array.from(text);
      if (start < 0n || start > BigInt(chars.length)) return outOfRange(start);
      return chars.slice(Number(start)).join('');
    }),
    method(['string_substring_int_int', 'substring'], takes(string, int, int, string), substring),
  ];
}

function substring(text: string, start: bigint, end: bigint): CelValue {
  if (start > end) return new CelError(`invalid substring range. start: ${start}, end: ${end}`);
  const chars = Array.from(text);
  for (const bound of [start, end]) if (bound < 0n || bound > BigInt(chars.length)) return outOfRange(bound);
  return chars.slice(Number(start), Number(end)).join('');
}

function indexFrom(text: string, part: string, offset: bigint): CelValue {
  if (part === '') return offset;
  if (offset < 0n) return outOfRange(offset);
  const chars = Array.from(text);
  if (offset >= BigInt(chars.length)) return -1n;
  const parts = Array.from(part);
  for (let index = Number(offset); index + parts.length <= chars.length; index++) {
    if (parts.every((char, at) => chars[index + at] === char)) return BigInt(index);
  }
  return -1n;
}

function lastIndexFrom(text: string, part: string, offset: bigint): CelValue {
  if (part === '') return offset;
  if (offset < 0n) return outOfRange(offset);
  const chars = Array.from(text);
  const parts = Array.from(part);
  if (offset >= BigInt(chars.length)) return -1n;
  for (let index = Math.min(Number(offset), chars.length - parts.length); index >= 0; index--) {
    if (parts.every((char, at) => chars[index + at] === char)) return BigInt(index);
  }
  return -1n;
}

function cases(): readonly Overload[] {
  return [
    method(['string_lower_ascii', 'lowerAscii'], takes(string, string), (text: string) =>
      text.replace(/[A-Z]+/g, (found) => found.toLowerCase()),
    ),
    method(['string_upper_ascii', 'upperAscii'], takes(string, string), (text: string) =>
      text.replace(/[a-z]+/g, (found) => found.toUpperCase()),
    ),
    method(['string_trim', 'trim'], takes(string, string), trimmed),
  ];
}

// A regular expression that is anchored to the end takes quadratic time.
function trimmed(text: string): string {
  const start = /^\p{White_Space}*/u.exec(text)?.[0].length ?? 0;
  let end = text.length;
  while (end > start && /\p{White_Space}/u.test(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

function pieces(): readonly Overload[] {
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
    const chars = Array.from(text);
    const out = chars.map((char, index) => (index < limit ? by + char : char)).join('');
    return chars.length < limit ? out + by : out;
  }
  const parts = text.split(old);
  const last = Math.min(limit, parts.length - 1);
  return (
    parts.slice(0, last + 1).join(by) +
    parts
      .slice(last + 1)
      .map((part) => old + part)
      .join('')
  );
}

function split(text: string, by: string, times: bigint): CelValue {
  if (times === 0n) return new ListValue([]);
  const parts = by === '' ? Array.from(text) : text.split(by);
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
  for (const element of list) {
    if (element instanceof CelError) return element;
    if (typeof element !== 'string') return new CelError(`join: invalid input: ${String(element)}`);
    parts.push(element);
  }
  return parts.join(separator);
}
