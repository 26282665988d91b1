import { countValues, isObject, type JsonObject, stringifyJson } from '@kubewright/api/json';
import type { ListBody } from '../handlers/answers/answer.js';

const pieceLength = 64 * 1024;
/** The number of levels of nested objects that are divided. The fields of `metadata`, `data` and `spec` are written one at a time. */
const innerObjects = 1;
/**
 * The maximum number of values of an object that is written as a whole. Writing a small object as a whole is several times faster than
 * writing in pieces.
 */
const mostAtOnce = 1000;
/** The number of pieces at the beginning of a list that are strings, so that the pieces of a short list can be joined. */
const mostStrings = 2;
/** The maximum length of a list item in UTF-16 units that is copied with other items. A longer item is a piece of its own. */
const mostCopied = 16 * 1024;
/** The maximum number of UTF-8 bytes of a UTF-16 unit. */
const bytesPerUnit = 3;
const comma = 0x2c;

/**
 * Writes the JSON text of a response in pieces, so that no step writes all of a large object. A response with a `kind` ends with a newline,
 * as in a kube-apiserver.
 */
export function* jsonPieces(body: unknown): Generator<string, undefined> {
  const isOfKind = isObject(body) && typeof body['kind'] === 'string';
  if (!isObject(body) || !isLarge(body)) {
    yield `${stringifyJson(body)}${isOfKind ? '\n' : ''}`;
    return undefined;
  }
  let piece = '';
  for (const part of objectParts(body, innerObjects)) {
    piece += part;
    if (piece.length < pieceLength) continue;
    yield piece;
    piece = '';
  }
  yield isOfKind ? `${piece}\n` : piece;
  return undefined;
}

/** Returns whether an object has many values, or is a Status, whose message and details can be long. */
function isLarge(object: JsonObject): boolean {
  return object['kind'] === 'Status' || countValues(object, mostAtOnce) > mostAtOnce;
}

/** Returns the texts of the fields of an object. Also divides nested objects, down to the given depth. */
function* objectParts(object: JsonObject, depth: number): Generator<string, undefined> {
  let separator = '{';
  for (const [field, value] of Object.entries(object)) {
    if (value === undefined) continue;
    yield `${separator}${JSON.stringify(field)}:`;
    if (depth > 0 && isObject(value)) yield* objectParts(value, depth - 1);
    else yield stringifyJson(value);
    separator = ',';
  }
  yield separator === '{' ? '{}' : '}';
  return undefined;
}

/**
 * Writes the JSON text of a list in pieces. The generator reads each value when it writes the value, so the whole text is never in memory
 * at once. The pieces of the first 128 KiB are strings. Later pieces are mostly bytes, which take less time to send.
 */
export function* listPieces({
  head,
  field,
  values,
  text,
}: Omit<ListBody, 'value'>): Generator<string | Buffer, undefined> {
  const begin = stringifyJson(head).slice(0, -1);
  let piece = `${begin}${begin === '{' ? '' : ','}"${field}":[`;
  let separator = '';
  let strings = 0;
  const bytes = new TextBytes();
  for (const value of values) {
    const item = text(value);
    const isCopied = strings === mostStrings && item.length <= mostCopied;
    if (!bytes.isEmpty && !(isCopied && bytes.fits(item))) yield bytes.take();
    if (isCopied) {
      bytes.add(item);
      continue;
    }
    piece += separator + item;
    separator = ',';
    if (piece.length < pieceLength && strings < mostStrings) continue;
    yield piece;
    piece = '';
    strings = Math.min(strings + 1, mostStrings);
  }
  if (!bytes.isEmpty) yield bytes.take();
  yield `${piece}]}\n`;
  return undefined;
}

/** Collects list items, each with a comma before it, as UTF-8. */
class TextBytes {
  #bytes: Buffer | undefined;
  #length = 0;

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  /** Whether an item certainly has space. An item of `mostCopied` UTF-16 units always has space after `take`. */
  fits(item: string): boolean {
    return this.#length + 1 + item.length * bytesPerUnit <= pieceLength;
  }

  add(item: string): void {
    this.#bytes ??= Buffer.allocUnsafe(pieceLength);
    this.#bytes[this.#length] = comma;
    this.#length += 1 + this.#bytes.write(item, this.#length + 1);
  }

  /** Returns the collected items as one piece, and removes them. */
  take(): Buffer {
    const piece = (this.#bytes ?? Buffer.of()).subarray(0, this.#length);
    this.#bytes = undefined;
    this.#length = 0;
    return piece;
  }
}
