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
 * at once.
 */
export function* listPieces({ head, field, values }: ListBody): Generator<string, undefined> {
  const begin = stringifyJson(head).slice(0, -1);
  let piece = `${begin}${begin === '{' ? '' : ','}"${field}":[`;
  let separator = '';
  for (const value of values) {
    piece += separator + stringifyJson(value);
    separator = ',';
    if (piece.length < pieceLength) continue;
    yield piece;
    piece = '';
  }
  yield `${piece}]}\n`;
  return undefined;
}
