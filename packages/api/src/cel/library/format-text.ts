import { goQuote } from '../../schema/go-text.js';
import { CelError } from '../values/cel-error.js';
import { toText } from './conversions.js';
import { CelList, CelMap, CelUint, type CelValue, isOpaque } from '../values/cel-value.js';
import { clauseError, formatClauses } from './format-clauses.js';
import { runtimeTypeName } from '../values/runtime-type.js';
import { checkTextLength } from '../values/size-limits.js';

/**
 * Replaces the clauses of a format string (`%s %d %f %e %b %x %X %o`) with the arguments. Returns an error if a clause is not valid or does
 * not support its argument.
 */
export function formatText(template: string, args: CelList): CelValue {
  let out = '';
  for (const part of formatClauses(template, args.size)) {
    if (part instanceof Error) return new CelError(part.message);
    if (typeof part === 'string') {
      out += part;
      continue;
    }
    const value = args.at(part.index);
    if (value instanceof CelError) return value;
    const formatted = formatClause(part.verb, value, part.precision);
    if (formatted === undefined) return new CelError(clauseError(part.verb, runtimeTypeName(value)));
    out += formatted;
    checkTextLength(out.length);
  }
  return out;
}

/** Formats an argument for a clause. Returns undefined if the clause does not support the value. */
function formatClause(verb: string, value: CelValue, precision: number): string | undefined {
  switch (verb) {
    case 's':
      return show(value);
    case 'd':
      return whole(value, 10);
    case 'f':
      return fixed(value, precision);
    case 'e':
      return scientific(value, precision);
    case 'b':
      if (typeof value === 'boolean') return value ? '1' : '0';
      return whole(value, 2);
    case 'o':
      return whole(value, 8);
    default:
      return hexadecimal(value, verb === 'X');
  }
}

function whole(value: CelValue, base: number): string | undefined {
  if (typeof value === 'bigint') return value.toString(base);
  return value instanceof CelUint ? value.value.toString(base) : undefined;
}

/** Returns the double value. Also accepts the strings 'NaN', 'Infinity' and '-Infinity'. */
function double(value: CelValue): number | undefined {
  if (typeof value === 'number') return value;
  return value === 'NaN' || value === 'Infinity' || value === '-Infinity' ? Number(value) : undefined;
}

function special(value: number): string {
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '∞' : '-∞';
}

function fixed(argument: CelValue, precision: number): string | undefined {
  const value = double(argument);
  if (value === undefined || !Number.isFinite(value)) return value === undefined ? undefined : special(value);
  const [integer = '', fraction] = Math.abs(value).toFixed(Math.min(precision, 100)).split('.');
  const grouped = integer.replace(/\B(?=(\d{3})+$)/g, ',');
  return `${value < 0 ? '-' : ''}${grouped}${fraction === undefined ? '' : `.${fraction}`}`;
}

function scientific(argument: CelValue, precision: number): string | undefined {
  const value = double(argument);
  if (value === undefined || !Number.isFinite(value)) return value === undefined ? undefined : special(value);
  const [mantissa = '', exponent = '0'] = value.toExponential(Math.min(precision, 100)).split('e');
  const magnitude = String(Math.abs(Number(exponent))).padStart(2, '0');
  return `${mantissa}\u202f×\u202f10${Number(exponent) < 0 ? '⁻' : ''}${superscript(magnitude)}`;
}

function superscript(digits: string): string {
  return digits.replace(/\d/g, (digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'.charAt(Number(digit)));
}

function hexadecimal(value: CelValue, upper: boolean): string | undefined {
  const bytes = typeof value === 'string' ? new TextEncoder().encode(value) : value;
  const text = bytes instanceof Uint8Array ? Buffer.from(bytes).toString('hex') : whole(value, 16);
  return upper ? text?.toUpperCase() : text;
}

function show(value: CelValue): string | undefined {
  if (value === null) return 'null';
  if (value instanceof CelList) return showList(value);
  if (value instanceof CelMap) return showMap(value);
  if (typeof value === 'object' && isOpaque(value)) return undefined;
  const text = toText(value);
  return typeof text === 'string' ? text : undefined;
}

function showList(list: CelList): string | undefined {
  const parts: string[] = [];
  let length = 0;
  for (const element of list) {
    const text = showWithin(element);
    if (text === undefined) return undefined;
    length += text.length;
    checkTextLength(length);
    parts.push(text);
  }
  return `[${parts.join(', ')}]`;
}

function showMap(map: CelMap): string | undefined {
  const parts: (readonly [string, string])[] = [];
  let length = 0;
  for (const key of map.keys()) {
    const keyText = showWithin(key);
    const valueText = showWithin(map.find(key) ?? null);
    if (keyText === undefined || valueText === undefined) return undefined;
    length += keyText.length + valueText.length;
    checkTextLength(length);
    parts.push([keyText, valueText]);
  }
  parts.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return `{${parts.map(([key, value]) => `${key}:${value}`).join(', ')}}`;
}

/** Formats a value within a list or a map. Strings are in quotes. */
function showWithin(value: CelValue): string | undefined {
  const text = typeof value === 'number' && Number.isFinite(value) ? value.toFixed(6) : show(value);
  if (text === undefined) return undefined;
  if (value instanceof Uint8Array) return `b${goQuote(text)}`;
  return typeof value === 'string' || (typeof value === 'number' && !Number.isFinite(value)) ? goQuote(text) : text;
}
