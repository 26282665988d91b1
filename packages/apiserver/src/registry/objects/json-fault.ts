import { finish, type Steps } from '@kubewright/api/apply';

const deepest = 10_000;
/** The number of values that one step reads. */
const valuesPerStep = 10_000;
const number = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const literals = ['true', 'false', 'null'];

/** Returns Go's error message for a text that is not JSON, or undefined for valid JSON. */
export function jsonFault(text: string): string | undefined {
  return finish(jsonFaultSteps(text));
}

/** Returns the result of `jsonFault`, in steps. */
export function* jsonFaultSteps(text: string): Steps<string | undefined> {
  try {
    yield* new FaultFinder(text).whole();
    return undefined;
  } catch (error) {
    if (error instanceof JsonFault) return error.message;
    throw error;
  }
}

/** The error of a kube-apiserver for JSON with too many levels. This server supports fewer levels. */
export const tooDeep = "invalid character '{' exceeded max depth";

class JsonFault extends Error {}

/** Checks a text against the grammar of JSON without building values. */
class FaultFinder {
  readonly #text: string;
  readonly #open: ('{' | '[')[] = [];
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  *whole(): Steps<void> {
    let values = 0;
    do {
      this.#value();
      values += 1;
      if (values % valuesPerStep === 0) yield;
    } while (this.#continues());
    this.#space();
    if (this.#at < this.#text.length) throw this.#invalid('after top-level value');
  }

  /** Reads the next scalar, empty object or empty array. Opens the objects and arrays that begin before this value. */
  #value(): void {
    for (;;) {
      this.#space();
      const char = this.#text[this.#at];
      if (char !== '{' && char !== '[') return this.#scalar(char);
      if (this.#open.length >= deepest) throw this.#invalid('exceeded max depth');
      this.#at += 1;
      this.#space();
      if (this.#text[this.#at] === (char === '{' ? '}' : ']')) {
        this.#at += 1;
        return;
      }
      this.#open.push(char);
      if (char === '{') this.#key();
    }
  }

  /** Reads the text after a value. Returns whether another value must follow. */
  #continues(): boolean {
    for (let open = this.#open.at(-1); open !== undefined; open = this.#open.at(-1)) {
      this.#space();
      const char = this.#text[this.#at];
      if (char === ',') {
        this.#at += 1;
        if (open === '{') this.#key();
        return true;
      }
      if (char !== (open === '{' ? '}' : ']')) {
        throw this.#invalid(open === '{' ? 'after object key:value pair' : 'after array element');
      }
      this.#at += 1;
      this.#open.pop();
    }
    return false;
  }

  #key(): void {
    this.#space();
    if (this.#text[this.#at] !== '"') throw this.#invalid('looking for beginning of object key string');
    this.#string();
    this.#space();
    if (this.#text[this.#at] !== ':') throw this.#invalid('after object key');
    this.#at += 1;
  }

  #scalar(char: string | undefined): void {
    if (char === '"') return this.#string();
    const literal = literals.find((word) => word[0] === char);
    if (literal !== undefined) return this.#literal(literal);
    if (char === '-' || (char !== undefined && char >= '0' && char <= '9')) return this.#number();
    throw this.#invalid('looking for beginning of value');
  }

  #literal(word: string): void {
    for (const expected of word) {
      if (this.#text[this.#at] !== expected) throw this.#invalid(`in literal ${word} (expecting '${expected}')`);
      this.#at += 1;
    }
  }

  #number(): void {
    number.lastIndex = this.#at;
    const [found = ''] = number.exec(this.#text) ?? [];
    this.#at += found.length === 0 ? 1 : found.length;
    const char = this.#text[this.#at];
    if (found.length === 0) throw this.#invalid('in numeric literal');
    if (char === '.') {
      this.#at += 1;
      throw this.#invalid('after decimal point in numeric literal');
    }
    if ((char === 'e' || char === 'E') && !/[eE]/.test(found)) {
      this.#at += /[+-]/.test(this.#text[this.#at + 1] ?? '') ? 2 : 1;
      throw this.#invalid('in exponent of numeric literal');
    }
  }

  #string(): void {
    for (this.#at += 1; this.#text[this.#at] !== '"'; this.#at += 1) {
      const char = this.#text[this.#at];
      if (char === undefined || char < ' ') throw this.#invalid('in string literal');
      if (char !== '\\') continue;
      this.#at += 1;
      if (this.#text[this.#at] === 'u') this.#hexadecimal();
      else if (!/["\\/bfnrt]/.test(this.#text[this.#at] ?? '')) throw this.#invalid('in string escape code');
    }
    this.#at += 1;
  }

  #hexadecimal(): void {
    for (let digit = 0; digit < 4; digit += 1) {
      this.#at += 1;
      if (!/[0-9a-fA-F]/.test(this.#text[this.#at] ?? '')) {
        throw this.#invalid('in \\u hexadecimal character escape');
      }
    }
  }

  #space(): void {
    while (' \t\r\n'.includes(this.#text[this.#at] ?? '.')) this.#at += 1;
  }

  #invalid(where: string): JsonFault {
    const char = this.#text[this.#at];
    if (char === undefined) return new JsonFault('unexpected end of JSON input');
    return new JsonFault(`invalid character ${quoted(char)} ${where}`);
  }
}

/** Returns a character as Go quotes it. */
function quoted(char: string): string {
  if (char === "'") return "'\\''";
  if (char === '"') return "'\"'";
  const plain = JSON.stringify(char).slice(1, -1);
  return `'${plain.replace(/^\\u00([01])/, '\\x$1')}'`;
}
