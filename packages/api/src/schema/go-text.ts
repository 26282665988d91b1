/** A string as Go's `%q` prints it: double quotes, Go's escapes, printable characters as they are. */
export function goQuote(text: string): string {
  if (/^[ !#-[\]-~]*$/.test(text)) return `"${text}"`;
  let out = '"';
  for (const char of text) {
    out += quotedChar(char);
  }
  return `${out}"`;
}

/** The characters that Go and CEL write with a letter, in texts in double quotes. */
export const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
};

function quotedChar(char: string): string {
  const short = SHORT_ESCAPES[char];
  if (short !== undefined) return short;
  const code = char.codePointAt(0) ?? 0;
  if (code >= 0x20 && code < 0x7f) return char;
  if (code < 0x80) return `\\x${code.toString(16).padStart(2, '0')}`;
  if (/^[\p{L}\p{M}\p{N}\p{P}\p{S}]$/u.test(char)) return char;
  if (code > 0xffff) return `\\U${code.toString(16).padStart(8, '0')}`;
  return `\\u${code.toString(16).padStart(4, '0')}`;
}

/** A floating-point number as Go's `%v` prints it: shortest digits, an exponent below 1e-4 and from 1e21 on. */
export function goFloat(value: number): string {
  if (value === 0 || !Number.isFinite(value)) return Object.is(value, -0) ? '-0' : goSpecial(value);
  const magnitude = Math.abs(value);
  if (magnitude >= 1e-4 && magnitude < 1e21) return String(value).includes('e') ? plainDecimal(value) : String(value);
  return withTwoDigitExponent(value.toExponential());
}

function goSpecial(value: number): string {
  if (value === 0) return '0';
  if (Number.isNaN(value)) return 'NaN';
  return value > 0 ? '+Inf' : '-Inf';
}

function plainDecimal(value: number): string {
  return value.toFixed(20).replace(/0+$/, '');
}

function withTwoDigitExponent(text: string): string {
  return text.replace(/e([+-])(\d)$/, 'e$10$2');
}

/** A JSON value as Go's `json.Marshal` writes it: keys sorted, `<`, `>`, `&`, U+2028 and U+2029 escaped, bigint as digits. */
export function goJson(value: unknown): string {
  if (typeof value === 'bigint') return value.toString();
  if (Array.isArray(value)) return `[${value.map(goJson).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).filter(([, item]) => item !== undefined);
    entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    return `{${entries.map(([key, item]) => `${goJson(key)}:${goJson(item)}`).join(',')}}`;
  }
  const text = JSON.stringify(value) ?? 'null';
  return typeof value === 'string' ? text.replace(/[<>&\u2028\u2029]/g, escaped) : text;
}

function escaped(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
