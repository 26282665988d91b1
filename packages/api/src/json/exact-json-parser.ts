import { InvalidJsonError } from './invalid-json-error.js';

type Open =
  | { readonly kind: 'array'; readonly value: unknown[] }
  | { readonly kind: 'object'; readonly value: Record<string, unknown>; key: string };

const NUMBER = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/y;
/**
 * The maximum number of digits of an integer. Parsing digits takes more than linear time, and an integer in the range of a 64-bit float has
 * at most 309 digits.
 */
const MAX_DIGITS = 1000;
const ESCAPE = /^\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/;
const LITERALS: readonly (readonly [string, unknown])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
];

/** Parses RFC 8259 JSON without recursion. Integers beyond the safe range become `bigint`. */
export class ExactJsonParser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Returns the value of the complete text. Throws `InvalidJsonError` at the first invalid character. */
  parse(): unknown {
    const stack: Open[] = [];
    for (;;) {
      const opened = this.#open();
      let value: unknown;
      if (opened === undefined) value = this.#scalar();
      else if (this.#opensNonEmpty(opened)) {
        stack.push(opened);
        continue;
      } else value = opened.value;
      for (;;) {
        const parent = stack.at(-1);
        if (parent === undefined) return this.#end(value);
        put(parent, value);
        if (this.#continues(parent)) break;
        value = parent.value;
        stack.pop();
      }
    }
  }

  #open(): Open | undefined {
    this.#space();
    const char = this.#text[this.#at];
    if (char !== '{' && char !== '[') return undefined;
    this.#at++;
    return char === '[' ? { kind: 'array', value: [] } : { kind: 'object', value: {}, key: '' };
  }

  /** Moves to the first element. Returns false if the container is empty. */
  #opensNonEmpty(open: Open): boolean {
    this.#space();
    if (this.#text[this.#at] === (open.kind === 'array' ? ']' : '}')) {
      this.#at++;
      return false;
    }
    if (open.kind === 'object') this.#key(open);
    return true;
  }

  /** Moves past a comma to the next element. Returns false if the container ends. */
  #continues(open: Open): boolean {
    this.#space();
    const char = this.#text[this.#at];
    if (char === ',') {
      this.#at++;
      if (open.kind === 'object') this.#key(open);
      return true;
    }
    if (char !== (open.kind === 'array' ? ']' : '}')) throw this.#unexpected();
    this.#at++;
    return false;
  }

  #key(open: Extract<Open, { kind: 'object' }>): void {
    this.#space();
    open.key = this.#string();
    this.#space();
    if (this.#text[this.#at] !== ':') throw this.#unexpected();
    this.#at++;
  }

  #scalar(): unknown {
    if (this.#text[this.#at] === '"') return this.#string();
    for (const [word, value] of LITERALS) {
      if (this.#text.startsWith(word, this.#at)) {
        this.#at += word.length;
        return value;
      }
    }
    return this.#number();
  }

  #number(): number | bigint {
    NUMBER.lastIndex = this.#at;
    const match = NUMBER.exec(this.#text);
    if (match === null) throw this.#unexpected();
    const integer = match[1] === undefined && match[2] === undefined;
    if (integer && match[0].length > MAX_DIGITS) throw this.#invalid(`a number of more than ${MAX_DIGITS} digits`);
    this.#at += match[0].length;
    const number = Number(match[0]);
    return integer && !Number.isSafeInteger(number) ? BigInt(match[0]) : number;
  }

  #string(): string {
    const start = this.#at;
    const end = this.#stringEnd();
    this.#at = end;
    const text = this.#text.slice(start, end);
    return text.includes('\\') ? (JSON.parse(text) as string) : text.slice(1, -1);
  }

  /** Returns the offset after the string that starts at the current position. */
  #stringEnd(): number {
    if (this.#text[this.#at] !== '"') throw this.#unexpected();
    for (let at = this.#at + 1; at < this.#text.length; at++) {
      const unit = this.#text.charCodeAt(at);
      if (unit === 0x22) return at + 1;
      if (unit < 0x20) throw this.#unexpected(at);
      if (unit !== 0x5c) continue;
      if (!ESCAPE.test(this.#text.slice(at, at + 6))) throw this.#unexpected(at);
      at++;
    }
    throw this.#unexpected(this.#text.length);
  }

  #space(): void {
    for (; this.#at < this.#text.length; this.#at++) {
      const unit = this.#text.charCodeAt(this.#at);
      if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) return;
    }
  }

  #end(value: unknown): unknown {
    this.#space();
    if (this.#at < this.#text.length) throw this.#unexpected();
    return value;
  }

  #unexpected(position = this.#at): InvalidJsonError {
    const char = this.#text[position];
    const what = char === undefined ? 'unexpected end of JSON input' : `unexpected ${JSON.stringify(char)}`;
    return this.#invalid(what, position);
  }

  #invalid(what: string, position = this.#at): InvalidJsonError {
    return new InvalidJsonError(`the text is not valid JSON: ${what} at position ${position}`, { position });
  }
}

function put(open: Open, value: unknown): void {
  if (open.kind === 'array') open.value.push(value);
  else if (open.key === '__proto__') {
    Object.defineProperty(open.value, open.key, { value, writable: true, enumerable: true, configurable: true });
  } else open.value[open.key] = value;
}
