/** One clause of a format, such as `%.2f`: the verb, the precision, and the index of its argument. */
export interface FormatClause {
  readonly verb: string;
  readonly precision: number;
  readonly index: number;
}

const VERBS = 'sdfebxXo';
const PRECISION = 6;

/** Returns the literal strings and the clauses of a format for `count` arguments. Ends with an Error at the first invalid clause. */
export function* formatClauses(template: string, count: number): Iterable<string | FormatClause | Error> {
  let at = 0;
  for (let index = 0; at < template.length; ) {
    const percent = template.indexOf('%', at);
    if (percent < 0) return yield template.slice(at);
    if (percent > at) yield template.slice(at, percent);
    if (template.charAt(percent + 1) === '%') {
      yield '%';
      at = percent + 2;
      continue;
    }
    const clause = readClause(template.slice(percent + 1), index, count);
    if (clause instanceof Error) return yield clause;
    yield clause.clause;
    at = percent + 1 + clause.length;
    index += 1;
  }
}

function readClause(
  text: string,
  index: number,
  count: number,
): { readonly clause: FormatClause; readonly length: number } | Error {
  if (text === '') return new Error('unexpected end of string');
  if (index >= count) return new Error(`index ${index} out of range`);
  const fail = (why: string): Error => new Error(`could not parse formatting clause: ${why}`);
  const [whole = '', digits] = /^(?:\.(\d*))?/.exec(text) ?? [];
  if (digits === '') {
    return fail(
      'error while parsing precision: error while converting precision to integer: strconv.Atoi: parsing "": invalid syntax',
    );
  }
  const verb = text.charAt(whole.length);
  if (verb === '') return fail('error while parsing precision: could not find end of precision specifier');
  if (!VERBS.includes(verb)) return fail(`unrecognized formatting clause "${verb}"`);
  const precision = digits === undefined ? PRECISION : Number(digits);
  return { clause: { verb, precision, index }, length: whole.length + 1 };
}

const TEXT =
  'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps';

/** Returns the error message for an argument type that a clause does not support. */
export function clauseError(verb: string, type: string): string {
  const clauses: Readonly<Record<string, string>> = {
    s: TEXT,
    d: 'decimal clause can only be used on integers',
    f: 'fixed-point clause can only be used on doubles',
    e: 'scientific clause can only be used on doubles',
    b: 'only integers and bools can be formatted as binary',
    o: 'octal clause can only be used on integers',
  };
  const problem = clauses[verb] ?? 'only integers, byte buffers, and strings can be formatted as hex';
  return `error during formatting: ${problem}, was given ${type}`;
}
