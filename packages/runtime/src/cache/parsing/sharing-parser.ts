import { CutParser, type ItemReader, type ObjectParser, StripParser } from './object-parser.js';
import { type SharedValues, SharingReader } from './sharing-reader.js';

const CLOSING_BRACE = 0x7d;
/** The start of the JSON of an event with an object. */
const EVENTS = ['ADDED', 'MODIFIED', 'DELETED'].map((type) => ({
  type,
  start: Buffer.from(`{"type":"${type}","object":`),
}));
/** `CutParser` parses objects with more bytes, because `JSON.parse` is faster for long strings. */
const MAX_BYTES = 256 * 1024;
/**
 * The number of first objects that `StripParser` parses, so that the engine does not compile the scanner of `CutParser` for few objects.
 */
const STRIPPED_OBJECTS = 30;

/**
 * Parses the objects of one kind without `metadata.managedFields`, like `CutParser`. Equal strings and subtrees of the objects are in
 * memory once. The values in an object are frozen.
 */
export class SharingParser implements ObjectParser, ItemReader {
  /**
   * The number of first objects that are parsed without sharing values, because compiling the reader is worthwhile only for many objects.
   */
  static readonly firstObjects: number = 200;
  parsedBytes = 0;
  itemEnd = 0;
  readonly #complete = new CutParser();
  readonly #reader: SharingReader;
  readonly #strip = new StripParser();
  #remaining: number;
  /** The number of further objects that `StripParser` parses. `CutParser` parses the objects after these. */
  #stripped: number;

  /** @param first the number of objects that are parsed like `CutParser` before values are shared */
  constructor(values: SharedValues, first = SharingParser.firstObjects) {
    this.#reader = new SharingReader(values);
    this.#remaining = first;
    this.#stripped = Math.min(first, STRIPPED_OBJECTS);
  }

  parseObject(bytes: Buffer): unknown {
    const object = this.#read(bytes, 0, bytes.length);
    if (object !== undefined) return object;
    const complete = this.#completeParser();
    const value = complete.parseObject(bytes);
    this.parsedBytes = complete.parsedBytes;
    return value;
  }

  parseEvent(bytes: Buffer): unknown {
    for (const { type, start } of EVENTS) {
      if (bytes.length < start.length || bytes.compare(start, 0, start.length, 0, start.length) !== 0) continue;
      const object = bytes.at(-1) === CLOSING_BRACE ? this.#read(bytes, start.length, bytes.length - 1) : undefined;
      if (object !== undefined) return { type, object };
    }
    const complete = this.#completeParser();
    const value = complete.parseEvent(bytes);
    this.parsedBytes = complete.parsedBytes;
    return value;
  }

  get itemReader(): ItemReader {
    return this;
  }

  readItem(bytes: Buffer, start: number): object | undefined {
    if (this.#remaining > 0) return undefined;
    const object = this.#reader.read(bytes, start);
    this.itemEnd = this.#reader.end;
    this.parsedBytes = this.itemEnd - start - this.#reader.skippedBytes;
    return object;
  }

  kept<T>(value: T): T {
    return this.#complete.kept(value);
  }

  #completeParser(): ObjectParser {
    return this.#stripped > 0 && this.#stripped-- > 0 ? this.#strip : this.#complete;
  }

  /** Returns the object between these positions. Returns undefined if `parseObject` and `parseEvent` must use another parser. */
  #read(bytes: Buffer, start: number, end: number): object | undefined {
    if (this.#remaining > 0) {
      this.#remaining--;
      return undefined;
    }
    if (bytes.length > MAX_BYTES) return undefined;
    const object = this.#reader.read(bytes, start);
    if (object === undefined || this.#reader.end !== end) return undefined;
    this.parsedBytes = bytes.length - this.#reader.skippedBytes;
    return object;
  }
}
