import { Breaks, type Steps } from '@kubewright/api/apply';
import { setField } from '@kubewright/api/json';
import type { ValueCounter } from './value-counter.js';

/** The maximum nesting depth that this reader supports. */
const mostLevels = 100;
/** A key and its colon. The reader refuses an unquoted key that is not a string, such as `true`. */
const keyText = /(?:([A-Za-z_][\w./-]*)|"([^"\\\p{Cc}]*)"|'([^'\p{Cc}]*)') *:(?= |\n|$)/uy;
/** A quoted text up to the end of its line, without escapes. */
const quoted = /(?:"([^"\\\p{Cc}]*)"|'([^'\p{Cc}]*)') *(?: #.*)?(?=\n|$)/uy;
/** An unquoted text that does not begin with a special character, up to the end of its line. */
const plain = /(?:[\w./+^$<=;()~\\]|-(?=[^\s]))[^\p{Cc}\u2028\u2029\ufeff]*(?=\n|$)/uy;
/** A scalar that can only be a string. */
const obviousText = /^[A-DF-Za-df-z_/][^]{5,}$/;
const empty = /(\{\}|\[\]) *(?=\n|$)/y;
const literal = /\|(-?) *\n/y;
/** The end of the line after a key or a dash, if the value is on the next lines. */
const lineEnd = / *(?:\n| #.*(?:\n|$)|$)/y;

/** Returns the value of an unquoted scalar. */
export type ResolveScalar = (text: string) => unknown;

/** The options of `plainYaml`. */
interface PlainYamlOptions {
  /** Whether the reader returns undefined for an object with a repeated key. */
  readonly uniqueKeys: boolean;
  readonly resolve: ResolveScalar;
  readonly counter: ValueCounter;
}

/** Thrown for a text that is not in the subset of YAML that this reader supports. */
class NotPlainError extends Error {}

/**
 * Reads the subset of YAML that nearly all manifests use: one document of block maps and lists, literal blocks, and texts on one line.
 * Reads in steps. Returns undefined for any other text, valid or not.
 *
 * @throws TooManyValuesError for more values than the counter accepts
 */
export function* plainYaml(text: string, options: PlainYamlOptions): Steps<{ readonly value: unknown } | undefined> {
  try {
    return { value: yield* new PlainReader(text, options).document() };
  } catch (error) {
    if (error instanceof NotPlainError) return undefined;
    throw error;
  }
}

class PlainReader {
  readonly #text: string;
  readonly #uniqueKeys: boolean;
  readonly #resolve: ResolveScalar;
  readonly #counter: ValueCounter;
  /** The position of the next content, and its column. The column is -1 at the end of the text. */
  #at = 0;
  #column = 0;
  #level = 0;
  /** Counts the lines, so that the reader yields regularly. */
  readonly #breaks = new Breaks();

  constructor(text: string, { uniqueKeys, resolve, counter }: PlainYamlOptions) {
    this.#text = text;
    this.#uniqueKeys = uniqueKeys;
    this.#resolve = resolve;
    this.#counter = counter;
  }

  *document(): Steps<unknown> {
    if (this.#text.startsWith('---\n')) this.#at = 4;
    this.#counter.add();
    yield* this.#nextLine();
    const value = this.#column === -1 ? this.#refuse() : yield* this.#block();
    if (this.#column !== -1) this.#refuse();
    return value;
  }

  /** Reads the map or list that begins at the current content. */
  *#block(): Steps<unknown> {
    this.#level += 1;
    if (this.#level > mostLevels) this.#refuse();
    const value = this.#isItem() ? yield* this.#list() : yield* this.#map();
    this.#level -= 1;
    return value;
  }

  *#map(): Steps<unknown> {
    const column = this.#column;
    const map: Record<string, unknown> = {};
    do {
      const key = this.#key();
      this.#counter.add();
      if (this.#uniqueKeys && Object.hasOwn(map, key)) this.#refuse();
      setField(map, key, yield* this.#value(column, column));
    } while (this.#column === column && !this.#isItem());
    if (this.#column > column) this.#refuse();
    return map;
  }

  *#list(): Steps<unknown> {
    const column = this.#column;
    const list: unknown[] = [];
    do {
      this.#at += 1;
      this.#counter.add();
      list.push(yield* this.#item(column));
    } while (this.#column === column && this.#isItem());
    if (this.#column > column) this.#refuse();
    return list;
  }

  /** Reads the item of a list after its dash. */
  *#item(column: number): Steps<unknown> {
    const start = this.#at;
    while (this.#text.charCodeAt(this.#at) === 0x20) this.#at += 1;
    const inner = column + 1 + this.#at - start;
    keyText.lastIndex = this.#at;
    const isBlock = this.#isItem() || keyText.test(this.#text);
    this.#at = isBlock ? this.#at : start;
    if (!isBlock) return yield* this.#value(column, column + 1);
    this.#column = inner;
    return yield* this.#block();
  }

  /**
   * Reads the value after the colon of a key, or after a dash. `least` is the lowest column in which a list on the next lines can begin.
   */
  *#value(column: number, least: number): Steps<unknown> {
    if (this.#skips(lineEnd)) return yield* this.#below(column, least);
    while (this.#text.charCodeAt(this.#at) === 0x20) this.#at += 1;
    const block = this.#match(literal);
    if (block !== null) return yield* this.#literal(column, block[1] === '-');
    const value = this.#scalar();
    yield* this.#nextLine();
    // The scalar may continue on the next line, which this reader does not support.
    if (this.#column > column) this.#refuse();
    return value;
  }

  *#below(column: number, least: number): Steps<unknown> {
    yield* this.#nextLine();
    if (this.#column > column) return yield* this.#block();
    return this.#column === column && least === column && this.#isItem() ? yield* this.#block() : null;
  }

  #key(): string {
    const found = this.#match(keyText) ?? this.#refuse();
    const [, bare] = found;
    if (bare === undefined) return found[2] ?? found[3] ?? '';
    if (!obviousText.test(bare) && typeof this.#resolve(bare) !== 'string') this.#refuse();
    return bare;
  }

  #scalar(): unknown {
    const inQuotes = this.#match(quoted);
    if (inQuotes !== null) return inQuotes[1] ?? inQuotes[2];
    const nothing = this.#match(empty);
    if (nothing !== null) return nothing[1] === '{}' ? {} : [];
    const [line] = this.#match(plain) ?? this.#refuse();
    const comment = line.indexOf(' #');
    const text = (comment === -1 ? line : line.slice(0, comment)).trimEnd();
    if (text.includes(': ') || text.endsWith(':')) this.#refuse();
    return obviousText.test(text) ? text : this.#resolve(text);
  }

  /** Reads the lines of a literal block. These lines are indented by more than `column` spaces. */
  *#literal(column: number, strips: boolean): Steps<string> {
    const text = this.#text;
    const lines: string[] = [];
    const indent = this.#spaces();
    if (indent <= column || text.charCodeAt(this.#at + indent) === 0x0a) this.#refuse();
    for (;;) {
      const spaces = this.#spaces();
      const end = text.indexOf('\n', this.#at);
      const isBlank = end === this.#at + spaces;
      if (!isBlank && spaces < indent) break;
      // This reader does not support a literal block whose last line has no line break.
      if (end === -1) this.#refuse();
      lines.push(text.slice(this.#at + Math.min(indent, end - this.#at), end));
      this.#at = end + 1;
      if (this.#at >= text.length) break;
      if (this.#breaks.isDue()) yield;
    }
    yield* this.#nextLine();
    if (this.#column > column) this.#refuse();
    while (lines.at(-1) === '') lines.pop();
    const joined = lines.join('\n');
    // The library handles texts with unusual characters, or with spaces after the last line.
    if (/[^\n\t\x20-\x7e\xa0-\ud7ff\ue000-\ufefe]/.test(joined) || joined.endsWith(' ')) this.#refuse();
    return strips ? joined : `${joined}\n`;
  }

  /** Returns the number of spaces at the beginning of the current line. */
  #spaces(): number {
    let end = this.#at;
    while (this.#text.charCodeAt(end) === 0x20) end += 1;
    return end - this.#at;
  }

  /** Moves to the next line with content. */
  *#nextLine(): Steps<void> {
    const text = this.#text;
    if (this.#at > 0 && text.charCodeAt(this.#at - 1) !== 0x0a) {
      if (text.charCodeAt(this.#at) !== 0x0a && this.#at < text.length) this.#refuse();
      this.#at += 1;
    }
    for (;;) {
      if (this.#breaks.isDue()) yield;
      if (this.#at >= text.length) {
        this.#column = -1;
        return;
      }
      const spaces = this.#spaces();
      const first = text.charCodeAt(this.#at + spaces);
      if (first !== 0x0a && first !== 0x23) {
        this.#at += spaces;
        this.#column = Number.isNaN(first) ? -1 : spaces;
        // The line starts another document, or ends the current document.
        if (spaces === 0 && /^(?:---|\.\.\.|%)/.test(text.slice(this.#at, this.#at + 3))) this.#refuse();
        return;
      }
      const end = text.indexOf('\n', this.#at);
      if (first === 0x23 && /[\p{Cc}]/u.test(text.slice(this.#at, end === -1 ? undefined : end))) this.#refuse();
      this.#at = end === -1 ? text.length : end + 1;
    }
  }

  #isItem(): boolean {
    if (this.#text.charCodeAt(this.#at) !== 0x2d) return false;
    const next = this.#text.charCodeAt(this.#at + 1);
    return next === 0x20 || next === 0x0a || Number.isNaN(next);
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found !== null) this.#at += found[0].length;
    return found;
  }

  #skips(pattern: RegExp): boolean {
    return this.#match(pattern) !== null;
  }

  #refuse(): never {
    throw new NotPlainError();
  }
}
