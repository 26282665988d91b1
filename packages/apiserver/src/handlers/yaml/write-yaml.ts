import type { ListBody } from '../answers/answer.js';

const indentation = '  ';
/** The column, in characters, after which a line is broken at the next space. */
const bestWidth = 80;

/** Texts that YAML 1.1 reads as a boolean, as null or as a special number. */
const words = ['y', 'yes', 'n', 'no', 'true', 'false', 'on', 'off', 'null'];
const cases = words.flatMap((word) => [word, `${word.charAt(0).toUpperCase()}${word.slice(1)}`, word.toUpperCase()]);
const numbers = ['', '+', '-'].flatMap((sign) => [`${sign}.inf`, `${sign}.Inf`, `${sign}.INF`]);
const reserved: ReadonlySet<string> = new Set(['', '~', '.nan', '.NaN', '.NAN', ...numbers, ...cases]);
const integer = /^[-+]?(?:0x[\da-f]+|0o?[0-7]+|0b[01]+|\d+)$/i;
const float = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:e[-+]?\d+)?$/i;
const sexagesimal = /^[-+]?\d[\d_]*(?::[0-5]?\d)+(?:\.[\d_]*)?$/;
const date = '\\d{4}-(?:0?[1-9]|1[0-2])-(?:0?[1-9]|[12]\\d|3[01])';
const clock = '\\d\\d?:\\d\\d?:\\d\\d?(?:\\.\\d+)?';
const timestamp = new RegExp(`^${date}(?:[Tt]${clock}(?:Z|[-+]\\d\\d:\\d\\d)| ${clock})?$`);
/** Characters that only a double-quoted text can contain. A line break is allowed in a literal text. */
const special = /[^\n\x20-\x7e\u00a0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd]/u;
const startIndicator = /^(?:[#,[\]{}&*!|>'"%@`]|---|\.\.\.|[?:-](?:\s|$))/;
const innerIndicator = /:(?:\s|$)|\s#/;
const escapes: Readonly<Record<string, string>> = {
  '\0': '\\0',
  '\u0007': '\\a',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\v': '\\v',
  '\f': '\\f',
  '\r': '\\r',
  '\u001b': '\\e',
  '"': '\\"',
  '\\': '\\\\',
  '\u0085': '\\N',
  '\u2028': '\\L',
  '\u2029': '\\P',
};

/** Writes a JSON value as YAML, with the text that kube-apiserver writes: sorted keys, and lists without indentation. */
export function yamlText(value: unknown): string {
  return blockText(value, { indent: '', column: 0 });
}

/** Writes a list as YAML in pieces. The generator reads each value when it writes the value. */
export function* yamlListPieces({ head, field, values, value: valueOf }: ListBody): Generator<string, undefined> {
  const fields = { ...head, [field]: undefined };
  for (const key of Object.keys(fields).toSorted(compareKeys)) {
    if (key === field) yield* itemPieces({ field, values, value: valueOf });
    else yield yamlText({ [key]: (head as Readonly<Record<string, unknown>>)[key] });
  }
  return undefined;
}

function* itemPieces({ field, values, value: valueOf }: Omit<ListBody, 'head' | 'text'>): Generator<string, undefined> {
  let isEmpty = true;
  for (const value of values) {
    const item = yamlText([valueOf(value)]);
    yield isEmpty ? `${field}:\n${item}` : item;
    isEmpty = false;
  }
  if (isEmpty) yield `${field}: []\n`;
  return undefined;
}

interface Position {
  /** The indentation of the lines of the value. */
  readonly indent: string;
  /** The column of the first character of a scalar. */
  readonly column: number;
}

/** Returns the lines of a value, with a line break at the end. The first line is not indented. */
function blockText(value: unknown, { indent, column }: Position): string {
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]\n';
    const inner = { indent: indent + indentation, column: indent.length + 2 };
    return value.map((item) => `- ${blockText(item, inner)}`).join(indent);
  }
  if (typeof value !== 'object' || value === null) return scalarText(value, { indent, column });
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  if (entries.length === 0) return '{}\n';
  return entries
    .toSorted(([a], [b]) => compareKeys(a, b))
    .map(([key, item]) => entryText(key, item, indent))
    .join(indent);
}

function entryText(key: string, value: unknown, indent: string): string {
  const start = `${keyText(key)}:`;
  if (Array.isArray(value) && value.length > 0) return `${start}\n${indent}${blockText(value, { indent, column: 0 })}`;
  const inner = indent + indentation;
  const column = indent.length + [...start].length + 1;
  const text = blockText(value, { indent: inner, column });
  const isBlock =
    typeof value === 'object' && value !== null && Object.values(value).some((item) => item !== undefined);
  return isBlock ? `${start}\n${inner}${text}` : `${start} ${text}`;
}

function keyText(key: string): string {
  if (!isText(key)) return doubleQuoted(key);
  if (key.includes('\n') || special.test(key)) return doubleQuoted(key);
  return isPlain(key) ? key : singleQuoted(key);
}

function scalarText(value: unknown, position: Position): string {
  if (typeof value === 'number') return `${numberText(value)}\n`;
  if (typeof value !== 'string') return `${String(value)}\n`;
  if (value.includes('\n') && !special.test(value) && !/ (?:\n|$)/.test(value)) return literal(value, position.indent);
  if (special.test(value) || !isText(value) || value.includes('\n'))
    return `${wrapped(doubleQuoted(value), position)}\n`;
  return `${wrapped(isPlain(value) ? value : singleQuoted(value), position)}\n`;
}

/** Whether YAML 1.1 reads a plain text as a string. */
function isText(text: string): boolean {
  if (reserved.has(text)) return false;
  if (!/^[-+.\d]/.test(text)) return true;
  const plain = text.replaceAll('_', '');
  const isNumber = text.startsWith('.') ? float.test(text) : integer.test(plain) || float.test(plain);
  return !isNumber && !sexagesimal.test(text) && !timestamp.test(text);
}

function isPlain(text: string): boolean {
  return !/^ | $/.test(text) && !startIndicator.test(text) && !innerIndicator.test(text);
}

function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

function doubleQuoted(text: string): string {
  const content = text.replace(/["\\\n]|[^\n\x20-\x7e\u00a0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd]/gu, escaped);
  return `"${content}"`;
}

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16).toUpperCase();
  if (code > 0xffff) return `\\U${hex.padStart(8, '0')}`;
  return escapes[character] ?? (code > 0xff ? `\\u${hex.padStart(4, '0')}` : `\\x${hex.padStart(2, '0')}`);
}

/** Returns a text of several lines with the lines unchanged. The sign after `|` describes the line breaks at its end. */
function literal(text: string, indent: string): string {
  const hint = /^[ \n]/.test(text) ? '2' : '';
  const chomping = text.endsWith('\n') ? (/^\n$|\n\n$/.test(text) ? '+' : '') : '-';
  const lines = text.split('\n').map((line) => (line === '' ? '' : indent + line));
  return `|${hint}${chomping}\n${lines.join('\n')}${text.endsWith('\n') ? '' : '\n'}`;
}

/** Breaks a scalar at the first single space after the maximum width of each line. */
function wrapped(text: string, { indent, column: from }: Position): string {
  if (text.length + from <= bestWidth || !text.includes(' ')) return text;
  const isQuoted = text.startsWith('"') || text.startsWith("'");
  const [first, last] = isQuoted ? [2, text.length - 3] : [1, text.length - 1];
  let [broken, column] = ['', from];
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? '';
    const isSingle = character === ' ' && text[at - 1] !== ' ' && (text[at + 1] !== ' ' || text.startsWith('"'));
    if (isSingle && column > bestWidth && at >= first && at <= last) {
      broken += `\n${indent}${text[at + 1] === ' ' ? '\\' : ''}`;
      column = indent.length;
      continue;
    }
    broken += character;
    // The second half of a surrogate pair is not a character of its own.
    if (character < '\udc00' || character > '\udfff') column += 1;
  }
  return broken;
}

/** Returns a number as Go formats it: with an exponent of at least two digits for large and small fractions. */
function numberText(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e21) return String(value);
  const [digits = '', power = '0'] = value.toExponential().split('e');
  const exponent = Number(power);
  if (exponent >= -4 && exponent < 6) return String(value);
  const sign = exponent < 0 ? '-' : '+';
  return `${digits}e${sign}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

/** Compares keys in the order of kube-apiserver: letters after other characters, and digits by their numbers. */
export function compareKeys(a: string, b: string): number {
  const [left, right] = [[...a], [...b]];
  const length = Math.min(left.length, right.length);
  for (let at = 0; at < length; at += 1) {
    const [x, y] = [left[at] as string, right[at] as string];
    if (x === y) continue;
    const [isLetter, isOther] = [/\p{L}/u.test(x), /\p{L}/u.test(y)];
    if (isLetter || isOther) return isLetter && isOther ? codeOf(x) - codeOf(y) : isOther ? -1 : 1;
    return compareDigits(left, right, at);
  }
  return left.length - right.length;
}

/** Compares two texts from their first difference, which is not a letter in either text. */
function compareDigits(left: readonly string[], right: readonly string[], from: number): number {
  let before = from;
  while (before > 0 && isDigit(left[before - 1])) before -= 1;
  const hasNumberBefore = left.slice(before, from).some((digit) => digit !== '0');
  const lead = (left[from] === '0' || right[from] === '0') && hasNumberBefore ? '1' : '';
  const [x, y] = [digitsAt(left, from), digitsAt(right, from)];
  const difference = Number(lead + x || '0') - Number(lead + y || '0');
  return difference || x.length - y.length || codeOf(left[from] as string) - codeOf(right[from] as string);
}

function digitsAt(characters: readonly string[], from: number): string {
  let end = from;
  while (isDigit(characters[end])) end += 1;
  return characters.slice(from, end).join('');
}

function isDigit(character: string | undefined): boolean {
  return character !== undefined && character >= '0' && character <= '9';
}

function codeOf(character: string): number {
  return character.codePointAt(0) ?? 0;
}
