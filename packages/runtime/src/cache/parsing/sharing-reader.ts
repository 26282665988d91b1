import { endOfArray, endOfString } from './json-ends.js';
import { Place, type Shape } from './place.js';
import { SharedStrings } from './shared-strings.js';
import { SharedSubtrees } from './shared-subtrees.js';

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;
const DOT = 0x2e;
const MANAGED_FIELDS = 'managedFields';

/** The maximum number of digits of an integer, and of characters of another number. Such integers are exact. */
const MAX_DIGITS = 15;
const MAX_DEPTH = 64;
/** If the stack has grown to more values than this, the reader creates a new stack for the next object. */
const MAX_STACK = 4096;

const NO_BYTES: Buffer = Buffer.alloc(0);
const EMPTY_OBJECT: object = Object.freeze({});
const EMPTY_ARRAY: readonly unknown[] = Object.freeze([]);
const EMPTY_OBJECT_HASH = 0x7b7d;
const EMPTY_ARRAY_HASH = 0x5b5d;

interface Literal {
  readonly json: Buffer;
  readonly value: boolean | null;
  readonly hash: number;
}
const TRUE: Literal = { json: Buffer.from('true'), value: true, hash: 0x1234567 };
const FALSE: Literal = { json: Buffer.from('false'), value: false, hash: 0x7654321 };
const NULL: Literal = { json: Buffer.from('null'), value: null, hash: 0x1111 };

/** Thrown for JSON that this reader does not read. All throws use the same object, because the error is never reported. */
const UNUSUAL = new Error('the JSON requires the complete parser');

/** The strings and subtrees that the objects of all kinds share. */
export class SharedValues {
  readonly strings = new SharedStrings();
  readonly subtrees = new SharedSubtrees();
}

/**
 * Reads the compact JSON of objects of one kind. All values in an object are frozen, and equal strings and subtrees are shared with other
 * objects. The object itself is neither frozen nor shared. Omits `metadata.managedFields`.
 *
 * Reads only the JSON that API servers usually write. For all other JSON, `read` returns undefined, and the caller must use another parser.
 * This applies to blanks, escape sequences in names, duplicate names, names of properties of `Object.prototype`, long numbers, very deep
 * objects, and invalid JSON.
 */
export class SharingReader {
  /** The position after the object that was read last. */
  end = 0;
  /** The number of bytes of `managedFields` in the object that was read last, including the name and one comma. */
  skippedBytes = 0;
  readonly #strings: SharedStrings;
  readonly #subtrees: SharedSubtrees;
  readonly #root = Place.root();
  #bytes: Buffer = NO_BYTES;
  #at = 0;
  #depth = 0;
  /** The hash of the last value. Equal values have equal hashes. */
  #hash = 0;
  /** Whether `SharedSubtrees` already contained the object or array that was read last. */
  #wasStored = false;
  /** Whether the shape of the object that was read last contains all properties of this object. */
  #isComplete = true;

  constructor({ strings, subtrees }: SharedValues) {
    this.#strings = strings;
    this.#subtrees = subtrees;
    this.#root.child('metadata', MANAGED_FIELDS);
  }

  /** Returns the object at this position. Returns undefined if another parser is required. */
  read(bytes: Buffer, start: number): Record<string, unknown> | undefined {
    this.#bytes = bytes;
    this.#at = start;
    this.#depth = 0;
    this.#subtrees.top = 0;
    this.skippedBytes = 0;
    try {
      return this.#rootObject();
    } catch (error) {
      if (error === UNUSUAL) return undefined;
      throw error;
    } finally {
      this.end = this.#at;
      // Releases the bytes, because they refer to a whole chunk of the response.
      this.#bytes = NO_BYTES;
      if (this.#subtrees.stack.length > MAX_STACK) this.#subtrees.stack = [];
    }
  }

  #rootObject(): Record<string, unknown> {
    if (this.#bytes[this.#at] !== OPENING_BRACE || this.#bytes[this.#at + 1] !== QUOTE) throw UNUSUAL;
    this.#at++;
    const shape = this.#properties(this.#root);
    return this.#isComplete ? shape.object(this.#subtrees.stack, 0) : this.#looseObject(shape, 0);
  }

  /** Reads an object or an array. */
  #tree(place: Place): object {
    const bytes = this.#bytes;
    const start = this.#at;
    const recent = place.recent.find(bytes, start);
    if (recent !== undefined) {
      this.#at = start + recent.length;
      this.#hash = recent.hash;
      return recent.value;
    }
    if (++this.#depth > MAX_DEPTH) throw UNUSUAL;
    const { skippedBytes } = this;
    this.#wasStored = false;
    const tree = bytes[start] === OPENING_BRACE ? this.#object(place) : this.#array(place.items);
    this.#depth--;
    // A subtree with skipped bytes is not remembered, because its skipped bytes must be counted for each object.
    const isComplete = this.skippedBytes === skippedBytes;
    if (this.#wasStored && isComplete) place.recent.remember(tree, this.#hash, { bytes, start, end: this.#at });
    return tree;
  }

  #object(place: Place): object {
    const start = this.#at;
    const from = this.#subtrees.top;
    this.#at++;
    if (this.#bytes[this.#at] === CLOSING_BRACE) {
      this.#at++;
      this.#hash = EMPTY_OBJECT_HASH;
      return EMPTY_OBJECT;
    }
    const shape = this.#properties(place);
    if (!this.#isComplete) {
      const object = this.#looseObject(shape, from);
      this.#wasStored = false;
      return Object.freeze(object);
    }
    this.#subtrees.hash = this.#hash;
    const object = this.#subtrees.object(shape, from, this.#at - start);
    this.#wasStored = this.#subtrees.wasStored;
    return object;
  }

  /**
   * Reads properties and pushes their values on the stack. Returns their shape. If a property is a duplicate or the place has too many
   * shapes, stops before this property and sets `#isComplete` to false.
   */
  #properties(place: Place): Shape {
    const bytes = this.#bytes;
    const subtrees = this.#subtrees;
    let shape = place.empty;
    let hash = 0;
    for (;;) {
      const start = this.#at;
      const { next } = shape;
      if (next !== undefined && isAt(bytes, start, next.key)) {
        shape = next;
        this.#at = start + next.key.length;
      } else {
        const found = this.#longerShape(place, shape);
        if (found === undefined) {
          this.#at = start;
          this.#isComplete = false;
          return shape;
        }
        shape = found;
      }
      if (shape.isSkipped) this.#skipManagedFields(start);
      else {
        const byte = bytes[this.#at] as number;
        const value = byte === OPENING_BRACE || byte === OPENING_BRACKET ? this.#tree(shape.place) : this.#scalar(byte);
        subtrees.stack[subtrees.top++] = value;
        hash = Math.imul(hash, 16_777_619) ^ this.#hash;
      }
      if (this.#ends(CLOSING_BRACE)) break;
    }
    hash ^= shape.hash;
    this.#hash = hash ^ (hash >>> 13);
    this.#isComplete = true;
    return shape;
  }

  /**
   * Reads a name, and returns the shape with this additional property. Returns undefined if the place has too many shapes, or if `shape`
   * already has the property.
   */
  #longerShape(place: Place, shape: Shape): Shape | undefined {
    const name = this.#name();
    const known = shape.with(name);
    if (known !== undefined) return known;
    if (!isUsual(name) && !place.omits(name)) throw UNUSUAL;
    return place.add(shape, name);
  }

  /** Reads the name of a property and the colon. */
  #name(): string {
    const strings = this.#strings;
    if (this.#bytes[this.#at] !== QUOTE) throw UNUSUAL;
    const name = strings.read(this.#bytes, this.#at + 1);
    if (name === undefined || this.#bytes[strings.end + 1] !== COLON) throw UNUSUAL;
    this.#at = strings.end + 2;
    return name;
  }

  /**
   * Reads the remaining properties of an object whose `shape` contains only its first properties. Returns the object, which is not frozen.
   */
  #looseObject(shape: Shape, from: number): Record<string, unknown> {
    const object = shape.object(this.#subtrees.stack, from);
    this.#subtrees.top = from;
    let hash = shape.hash;
    do {
      const name = this.#name();
      if (!isUsual(name) || Object.hasOwn(object, name)) throw UNUSUAL;
      const byte = this.#bytes[this.#at] as number;
      const isTree = byte === OPENING_BRACE || byte === OPENING_BRACKET;
      object[name] = isTree ? this.#tree(shape.parent.items) : this.#scalar(byte);
      hash = Math.imul(hash, 16_777_619) ^ this.#hash;
    } while (!this.#ends(CLOSING_BRACE));
    this.#hash = hash;
    return object;
  }

  #array(items: Place): object {
    const bytes = this.#bytes;
    const subtrees = this.#subtrees;
    const start = this.#at;
    const from = this.#subtrees.top;
    this.#at++;
    if (bytes[this.#at] === CLOSING_BRACKET) {
      this.#at++;
      this.#hash = EMPTY_ARRAY_HASH;
      return EMPTY_ARRAY;
    }
    let hash = 0;
    do {
      const byte = bytes[this.#at] as number;
      const value = byte === OPENING_BRACE || byte === OPENING_BRACKET ? this.#tree(items) : this.#scalar(byte);
      subtrees.stack[subtrees.top++] = value;
      hash = Math.imul(hash, 16_777_619) ^ this.#hash;
    } while (!this.#ends(CLOSING_BRACKET));
    hash ^= this.#subtrees.top - from;
    this.#hash = hash ^ (hash >>> 13);
    this.#subtrees.hash = this.#hash;
    const array = this.#subtrees.array(from, this.#at - start);
    this.#wasStored = this.#subtrees.wasStored;
    return array;
  }

  /** Reads a comma or the end of an object or array. Returns whether the object or array has ended. */
  #ends(closing: number): boolean {
    const byte = this.#bytes[this.#at++];
    if (byte === COMMA) return false;
    if (byte === closing) return true;
    throw UNUSUAL;
  }

  #scalar(byte: number): unknown {
    switch (byte) {
      case QUOTE:
        return this.#string();
      case 0x74:
        return this.#literal(TRUE);
      case 0x66:
        return this.#literal(FALSE);
      case 0x6e:
        return this.#literal(NULL);
      default:
        return this.#number();
    }
  }

  #string(): string {
    const strings = this.#strings;
    const start = this.#at;
    const text = strings.read(this.#bytes, start + 1);
    this.#hash = strings.hash;
    if (text === undefined) return this.#unusualString(start, strings.end);
    this.#at = strings.end + 1;
    return text;
  }

  /** Reads a string with escape sequences, or with characters that are not in ASCII. */
  #unusualString(start: number, from: number): string {
    const end = endOfString(this.#bytes, from - 1);
    this.#at = end + 1;
    return this.#parsed(start) as string;
  }

  #literal({ json, value, hash }: Literal): boolean | null {
    if (!isAt(this.#bytes, this.#at, json)) throw UNUSUAL;
    this.#at += json.length;
    this.#hash = hash;
    return value;
  }

  #number(): number {
    const bytes = this.#bytes;
    const start = this.#at;
    const isNegative = bytes[start] === MINUS;
    const first = isNegative ? start + 1 : start;
    let at = first;
    let number = 0;
    let byte = bytes[at] as number;
    while (byte >= ZERO && byte <= NINE) {
      number = number * 10 + (byte - ZERO);
      byte = bytes[++at] as number;
    }
    const isExact = at > first && at - first <= MAX_DIGITS && (bytes[first] !== ZERO || at - start === 1);
    if (!isExact) throw UNUSUAL;
    this.#at = at;
    if (byte === DOT || byte === 0x65 || byte === 0x45) number = this.#fraction(start);
    else if (isNegative) number = -number;
    this.#hash = number | 0;
    return number;
  }

  /** Reads a number with a fraction or an exponent. */
  #fraction(start: number): number {
    while (this.#at - start <= MAX_DIGITS && isNumberPart(this.#bytes[this.#at] as number)) this.#at++;
    const number = this.#parsed(start) as number;
    // The table of subtrees cannot distinguish -0 from 0. A number with more digits may be an integer that is not exact.
    if (number === 0 || this.#at - start > MAX_DIGITS) throw UNUSUAL;
    return number;
  }

  /** Returns the value of the JSON from `start` to the current position. */
  #parsed(start: number): unknown {
    try {
      return JSON.parse(this.#bytes.toString('utf8', start, this.#at));
    } catch {
      throw UNUSUAL;
    }
  }

  #skipManagedFields(key: number): void {
    const bytes = this.#bytes;
    if (this.skippedBytes > 0 || bytes[this.#at] !== OPENING_BRACKET) throw UNUSUAL;
    const end = endOfArray(bytes, this.#at);
    if (end < 0) throw UNUSUAL;
    const hasComma = bytes[end] === COMMA || bytes[key - 1] === COMMA;
    this.skippedBytes = end - key + (hasComma ? 1 : 0);
    this.#at = end;
  }
}

function isAt(bytes: Buffer, start: number, text: Buffer): boolean {
  for (let i = 0; i < text.length; i++) if (bytes[start + i] !== text[i]) return false;
  return true;
}

/** Whether the reader can read this name at every place. False for `managedFields` and for names of properties of `Object.prototype`. */
function isUsual(name: string): boolean {
  return name !== MANAGED_FIELDS && !(name in Object.prototype);
}

function isNumberPart(byte: number): boolean {
  return (
    (byte >= ZERO && byte <= NINE) || byte === DOT || byte === MINUS || byte === 0x2b || byte === 0x65 || byte === 0x45
  );
}
