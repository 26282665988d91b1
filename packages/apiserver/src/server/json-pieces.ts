import { countValues, isObject, type JsonObject, stringifyJson } from '@kubewright/api/json';
import type { ListBody } from '../handlers/answers/answer.js';
import { type EncodedObjects, isStored } from '../storage/encoded-objects.js';

const pieceLength = 64 * 1024;
/** The number of levels of nested objects that are divided. The fields of `metadata`, `data` and `spec` are written one at a time. */
const innerObjects = 1;
/**
 * The maximum number of values of an object that is written as a whole. Writing a small object as a whole is several times faster than
 * writing in pieces.
 */
const mostAtOnce = 1000;

const newline = Buffer.from('\n');
const comma = Buffer.from(',');
const brace = Buffer.from('{');

/**
 * Writes the JSON text of a response in pieces, so that no step writes all of a large object. A response with a `kind` ends with a newline,
 * as in a kube-apiserver.
 */
export function* jsonPieces(body: unknown, encoded: EncodedObjects): Generator<Uint8Array, undefined> {
  const isOfKind = isObject(body) && typeof body['kind'] === 'string';
  const whole = wholeText(body, encoded);
  if (whole !== undefined) {
    yield isOfKind ? Buffer.concat([whole, newline]) : whole;
    return undefined;
  }
  let piece = '';
  for (const part of objectParts(body as JsonObject, innerObjects)) {
    piece += part;
    if (piece.length < pieceLength) continue;
    yield Buffer.from(piece);
    piece = '';
  }
  yield Buffer.from(isOfKind ? `${piece}\n` : piece);
  return undefined;
}

/** Returns the text of a response that is written as a whole, and undefined for a large object whose text is not known. */
function wholeText(body: unknown, encoded: EncodedObjects): Uint8Array | undefined {
  const stored = isStored(body);
  const known = stored ? encoded.known(body) : undefined;
  if (known !== undefined) return known;
  if (isObject(body) && isLarge(body)) return undefined;
  return stored ? encoded.of(body) : Buffer.from(stringifyJson(body));
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
 * at once.
 */
export function* listPieces(body: ListBody, encoded: EncodedObjects): Generator<Uint8Array, undefined> {
  const begin = stringifyJson(body.head).slice(0, -1);
  const writer = new ItemWriter(body.itemType, encoded);
  writer.parts.push(Buffer.from(`${begin}${begin === '{' ? '' : ','}"${body.field}":[`));
  let isFirst = true;
  for (const value of body.values) {
    if (!isFirst) writer.parts.push(comma);
    isFirst = false;
    writer.add(value);
    if (writer.length >= pieceLength) yield writer.take();
  }
  writer.parts.push(Buffer.from(']}\n'));
  yield writer.take();
  return undefined;
}

/** Writes the items of a list. */
class ItemWriter {
  parts: Uint8Array[] = [];
  /** The length of the items in `parts`. */
  length = 0;
  readonly #encoded: EncodedObjects;
  /** The text with which nearly all objects of the omitted type begin. Undefined if the items contain their types. */
  readonly #typeText: Uint8Array | undefined;

  constructor(type: ListBody['itemType'], encoded: EncodedObjects) {
    this.#encoded = encoded;
    if (type !== undefined) this.#typeText = Buffer.from(`${stringifyJson(type).slice(0, -1)},`);
  }

  add(value: unknown): void {
    const text = isStored(value) ? this.#encoded.of(value) : undefined;
    const typeText = this.#typeText;
    if (text !== undefined && typeText === undefined) this.#push(text);
    else if (text !== undefined && typeText !== undefined && startsWith(text, typeText)) {
      this.parts.push(brace);
      this.#push(text.subarray(typeText.length));
    } else this.#push(Buffer.from(stringifyJson(typeText === undefined ? value : untyped(value as object))));
  }

  /** Returns the parts as one piece, and removes them. */
  take(): Uint8Array {
    const piece = Buffer.concat(this.parts);
    this.parts = [];
    this.length = 0;
    return piece;
  }

  #push(text: Uint8Array): void {
    this.parts.push(text);
    this.length += text.length;
  }
}

function startsWith(text: Uint8Array, start: Uint8Array): boolean {
  return Buffer.compare(text.subarray(0, start.length), start) === 0;
}

/** Removes the apiVersion and the kind of a list item. */
function untyped(object: object): object {
  const { apiVersion: _, kind: __, ...rest } = object as Readonly<Record<string, unknown>>;
  return rest;
}
