import { isObject, stringifyJson } from '@kubewright/api/json';
import type { ListBody } from '../handlers/answer.js';

const pieceLength = 64 * 1024;

/** Returns the JSON text of an answer. An answer with a `kind` ends with a newline, like an answer of a kube-apiserver. */
function jsonText(body: unknown): string {
  return `${stringifyJson(body)}${isObject(body) && typeof body['kind'] === 'string' ? '\n' : ''}`;
}

/**
 * Writes the JSON text of an answer. A Status with a long message is written field by field: its details repeat the message, so each of the two
 * is a piece.
 */
export function* jsonPieces(body: unknown): Generator<string, undefined> {
  if (
    !isObject(body) ||
    body['kind'] !== 'Status' ||
    typeof body['message'] !== 'string' ||
    body['message'].length < pieceLength
  ) {
    yield jsonText(body);
    return undefined;
  }
  let separator = '{';
  for (const [field, value] of Object.entries(body)) {
    if (value === undefined) continue;
    yield `${separator}${stringifyJson(field)}:${stringifyJson(value)}`;
    separator = ',';
  }
  yield '}\n';
  return undefined;
}

/** Writes the JSON text of a list in pieces. The generator reads each value when it writes the value, so the text is never in memory as a whole. */
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
