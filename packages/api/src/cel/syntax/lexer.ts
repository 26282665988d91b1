import type { SourceIssue } from './source-issues.js';

/** The kind of a token. Operators, punctuation and keywords are 'punctuation'. */
export type TokenKind =
  | 'IDENTIFIER'
  | 'ESC_IDENTIFIER'
  | 'NUM_INT'
  | 'NUM_UINT'
  | 'NUM_FLOAT'
  | 'STRING'
  | 'BYTES'
  | 'punctuation'
  | 'EOF';

/** One token of an expression. */
export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  /** The offset in code points. */
  readonly at: number;
}

/** The tokens of an expression and the issues at invalid positions. */
export interface Tokens {
  readonly tokens: readonly Token[];
  readonly issues: readonly SourceIssue[];
}

const SPACE = /[\t \r\n\f]+|\/\/[^\n]*/y;
const NUMBER = /(?:\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\.\d+(?:[eE][+-]?\d+)?)|0x[0-9a-fA-F]+[uU]?|\d+[uU]?/y;
const IDENTIFIER = /[A-Za-z_][A-Za-z0-9_]*/y;
const ESCAPED = /`[A-Za-z0-9_./ -]+`/y;
const PUNCTUATION = /==|!=|<=|>=|&&|\|\||[<>[\]{}().,\-!?:+*/%]/y;
const PREFIX = /[bB]?[rR]?(?=["'])/y;
const KEYWORDS = ['in', 'true', 'false', 'null'];

/** Splits an expression into tokens. Reports invalid text and continues after it. */
export function tokenize(source: string): Tokens {
  return new Lexer(source).run();
}

class Lexer {
  readonly #source: string;
  readonly #tokens: Token[] = [];
  readonly #issues: SourceIssue[] = [];
  #at = 0;
  #point = 0;

  constructor(source: string) {
    this.#source = source;
  }

  run(): Tokens {
    while (this.#at < this.#source.length) this.#step();
    this.#tokens.push({ kind: 'EOF', text: '<EOF>', at: this.#point });
    return { tokens: this.#tokens, issues: this.#issues };
  }

  #step(): void {
    const space = this.#match(SPACE);
    if (space !== undefined) return this.#advance(space);
    const string = this.#string();
    if (string !== undefined) return this.#take(/^[bB]/.test(string) ? 'BYTES' : 'STRING', string);
    const number = this.#match(NUMBER);
    if (number !== undefined) return this.#take(numberKind(number), number);
    const identifier = this.#match(IDENTIFIER);
    if (identifier !== undefined) {
      return this.#take(KEYWORDS.includes(identifier) ? 'punctuation' : 'IDENTIFIER', identifier);
    }
    const escaped = this.#match(ESCAPED);
    if (escaped !== undefined) return this.#take('ESC_IDENTIFIER', escaped);
    const punctuation = this.#match(PUNCTUATION);
    if (punctuation !== undefined) return this.#take('punctuation', punctuation);
    return this.#reject();
  }

  #string(): string | undefined {
    const prefix = this.#match(PREFIX);
    if (prefix === undefined) return undefined;
    const from = this.#at + prefix.length;
    const end = stringEnd(this.#source, from, /[rR]/.test(prefix));
    return end === undefined ? undefined : this.#source.slice(this.#at, end);
  }

  #reject(): void {
    const text = failedPrefix(this.#source, this.#at);
    this.#issues.push({ at: this.#point, message: `Syntax error: token recognition error at: '${escapeSpace(text)}'` });
    this.#advance(text);
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    return pattern.exec(this.#source)?.[0];
  }

  #take(kind: TokenKind, text: string): void {
    this.#tokens.push({ kind, text, at: this.#point });
    this.#advance(text);
  }

  #advance(text: string): void {
    this.#at += text.length;
    this.#point += pointsOf(text);
  }
}

function numberKind(text: string): TokenKind {
  if (/[uU]$/.test(text)) return 'NUM_UINT';
  return text.startsWith('0x') || /^\d+$/.test(text) ? 'NUM_INT' : 'NUM_FLOAT';
}

function pointsOf(text: string): number {
  let surrogates = 0;
  for (let index = 0; index < text.length; index++) {
    if ((text.charCodeAt(index) & 0xfc00) === 0xd800) surrogates += 1;
  }
  return text.length - surrogates;
}

/**
 * Returns the end of the string literal that opens at `from`, or undefined if the literal is not closed. If three opening quotes have no
 * closing quotes, the first two are read as an empty string.
 */
function stringEnd(source: string, from: number, raw: boolean): number | undefined {
  const quote = source.charAt(from);
  const triple = quote.repeat(3);
  if (source.startsWith(triple, from)) {
    const end = scan(source, from + 3, { close: triple, raw, lines: true });
    return end.closed ? end.at : from + 2;
  }
  const end = scan(source, from + 1, { close: quote, raw, lines: false });
  return end.closed ? end.at : undefined;
}

interface Scan {
  readonly close: string;
  readonly raw: boolean;
  readonly lines: boolean;
}

const ESCAPE = /\\(?:[abfnrtv"'\\?`]|[0-3][0-7][0-7]|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})/y;

/** Scans up to the closing quote. If there is no closing quote, `at` is the position of the failure. */
function scan(
  source: string,
  from: number,
  { close, raw, lines }: Scan,
): { readonly closed: boolean; readonly at: number } {
  let at = from;
  while (at < source.length) {
    if (source.startsWith(close, at)) return { closed: true, at: at + close.length };
    const char = source.charAt(at);
    if (!lines && (char === '\n' || char === '\r')) return { closed: false, at };
    if (char === '\\' && !raw) {
      ESCAPE.lastIndex = at;
      const escape = ESCAPE.exec(source)?.[0];
      if (escape === undefined) return { closed: false, at: at + 1 };
      at += escape.length;
    } else at += 1;
  }
  return { closed: false, at };
}

/** Returns the text of an invalid token, up to and including the first invalid character. */
function failedPrefix(source: string, at: number): string {
  const char = source.charAt(at);
  let end = at;
  if (char === '"' || char === "'") end = scan(source, at + 1, { close: char, raw: false, lines: false }).at;
  else if (char === '&' || char === '|' || char === '=') end = at + 1;
  else if (char === '`') end = at + (/^`[A-Za-z0-9_./ -]*/.exec(source.slice(at))?.[0].length ?? 1);
  return (
    source.slice(at, end) +
    Array.from(source.slice(end, end + 2))
      .slice(0, 1)
      .join('')
  );
}

function escapeSpace(text: string): string {
  return text.replaceAll('\n', '\\n').replaceAll('\t', '\\t').replaceAll('\r', '\\r');
}
