import { ContainerShape } from './container-shape.js';
import { isDataPointer, namesOfPointer } from './json-pointer.js';
import { stringAt } from './quoted-text.js';
import type { Replacement } from './replacements.js';
import { isSecretAt, isSecretName, MASK } from './secret-name.js';

interface Span {
  readonly start: number;
  readonly end: number;
}
/**
 * The position of the value of a member, and the shape of the value if it is an object or a list. `isWords` is true for a value without
 * quotes.
 */
interface Value extends Span {
  readonly isWords: boolean;
  readonly shape: ContainerShape | undefined;
}

/** An object or a list that is being read. */
interface Frame {
  readonly start: number;
  readonly isList: boolean;
  readonly shape: ContainerShape;
  /** The last string or word that may be the name of a member. */
  token: Span | undefined;
  /** The name of the member whose value is being read. */
  member: string | undefined;
  read: Value | undefined;
  /** The values of the members `path`, `name` and `value`. */
  path: string | undefined;
  name: string | undefined;
  value: Value | undefined;
}

const BLANK = /(?:\s|\\{1,31}[nrt])+/y;
const QUOTE = /(\\*)["'`]/y;
const BACKSLASHES = /\\+/y;
const NAME = /[^\s,:{}[\]"\\]+/y;
/** Matches a value without quotes. A colon within the value, as in a URL, is part of the value. */
const WORD = /(?:[^\s,:{}[\]"\\]|:(?=[^\s,{}[\]"\\]))+/y;

/**
 * Reads the objects and lists in a text: JSON, YAML in flow style, and output of `util.inspect`. The JSON can be escaped or truncated.
 * Finds the values to mask as a whole: objects and lists below a secret name, values of JSON patch operations with a secret path, and
 * values of environment variables with a secret name.
 */
export class ContainerScanner {
  readonly replacements: Replacement[] = [];
  readonly #text: string;
  /** The positions of the member names that the scanner has read. */
  readonly #names = new Set<number>();
  #frames: Frame[] = [];
  #at = 0;
  /** Whether `{` or a comma precedes the first name, so that the name is in an object. */
  #isInObject = false;
  /**
   * The total number of characters read by all calls of `read`. The caller limits this number, because the scanner can read the same
   * characters repeatedly.
   */
  readCharacters = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Whether the name at an index was read as the name of a member. */
  hasRead(at: number): boolean {
    return this.#names.has(at);
  }

  /**
   * Reads from the name of a member to the end of the object that contains the member.
   *
   * @param level the number of backslashes before each quote
   */
  read(start: number, level: number): void {
    this.#at = start;
    this.#frames = [frameAt(start, false)];
    this.#isInObject = /[{,]\s*$/.test(this.#text.slice(Math.max(0, start - 20), start));
    for (let frame = this.#frames.at(-1); frame !== undefined; frame = this.#frames.at(-1)) {
      if (this.#at >= this.#text.length || !this.#readToken(frame, level)) break;
    }
    for (let frame = this.#frames.pop(); frame !== undefined; frame = this.#frames.pop()) this.#close(frame, this.#at);
    this.readCharacters += this.#at - start;
  }

  /** Reads the next token. Returns false at the end of the string that contains the object. */
  #readToken(frame: Frame, level: number): boolean {
    const start = this.#at;
    const character = this.#text[start] ?? '';
    if ((character <= ' ' || character === '\\') && this.#matches(BLANK)) return true;
    if (character === '{' || character === '[') {
      this.#frames.push(frameAt(start, character === '['));
      this.#at++;
    } else if (character === '}' || character === ']') {
      this.#at++;
      this.#frames.pop();
      this.#close(frame, this.#at);
    } else if (character === ',') {
      this.#at++;
      this.#finishMember(frame);
    } else if (character === ':') {
      this.#at++;
      this.#startValue(frame);
    } else return this.#readScalar(frame, level);
    return true;
  }

  #readScalar(frame: Frame, level: number): boolean {
    const start = this.#at;
    QUOTE.lastIndex = start;
    const [quote, escape = ''] = QUOTE.exec(this.#text) ?? [];
    // A double quote with fewer backslashes ends the string that contains the object.
    if (quote?.endsWith('"') === true && escape.length < level) return false;
    const isValue = frame.isList || frame.member !== undefined;
    if (quote !== undefined) this.#at = stringAt(this.#text, start)?.end ?? start + quote.length;
    else if (!this.#matches(BACKSLASHES) && !this.#matches(isValue ? WORD : NAME)) this.#at++;
    frame.token = { start, end: this.#at };
    // In an object, a value without quotes can have several words. Outside of an object, the following words can be a sentence.
    const isPart = frame.read?.isWords === true && quote === undefined && (this.#frames.length > 1 || this.#isInObject);
    if (isPart) frame.read = { start: frame.read?.start ?? start, end: this.#at, isWords: true, shape: undefined };
    else frame.read ??= { start, end: this.#at, isWords: quote === undefined, shape: undefined };
    return true;
  }

  #matches(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    if (!pattern.test(this.#text)) return false;
    this.#at = pattern.lastIndex;
    return true;
  }

  #startValue(frame: Frame): void {
    const { token } = frame;
    if (frame.isList || frame.member !== undefined || token === undefined) return;
    frame.member = this.#contentOf(token);
    frame.read = undefined;
    this.#names.add(token.start);
  }

  #contentOf({ start, end }: Span): string {
    return this.#text
      .slice(start, end)
      .replaceAll('\\', '')
      .replace(/^["'`]|["'`]$/g, '');
  }

  #finishMember(frame: Frame): void {
    const { member, read: value, shape } = frame;
    frame.member = undefined;
    frame.token = undefined;
    frame.read = undefined;
    if (member === undefined) {
      if (value?.shape !== undefined) shape.addItem(value.shape);
      else if (value !== undefined) shape.addScalar();
      return;
    }
    shape.addMember(member);
    if (value === undefined) return;
    if (value.shape !== undefined) shape.addValue(value.shape);
    if (member === 'path') frame.path = this.#contentOf(value);
    else if (member === 'name') frame.name = this.#contentOf(value);
    else if (member === 'value') frame.value = value;
    if (value.shape !== undefined && isSecretName(member)) this.#mask(value);
  }

  #close(frame: Frame, end: number): void {
    this.#finishMember(frame);
    const { path, name, value, shape } = frame;
    if (value !== undefined && path?.startsWith('/') === true) {
      if (isDataPointer(path)) this.#mask(value, false);
      else if (isSecretAt(namesOfPointer(path))) this.#mask(value);
    }
    if (value !== undefined && name !== undefined && isSecretName(name)) this.#mask(value);
    const parent = this.#frames.at(-1);
    if (parent !== undefined) {
      parent.token = undefined;
      parent.read ??= { start: frame.start, end, isWords: false, shape };
    }
  }

  #mask({ start, end, shape }: Value, isShown = shape?.isShown === true): void {
    const text = this.#text.slice(start, end);
    if (isShown || text === 'null') return;
    const quote = stringAt(text, 0)?.quote ?? '';
    const scalar = quote + MASK + quote;
    this.replacements.push({
      start,
      end,
      by: shape === undefined ? scalar : text.startsWith('[') ? `[${MASK}]` : `{${MASK}}`,
    });
  }
}

function frameAt(start: number, isList: boolean): Frame {
  const nothing = { token: undefined, member: undefined, read: undefined };
  return { start, isList, shape: new ContainerShape(), ...nothing, path: undefined, name: undefined, value: undefined };
}
