import { isObject, stringifyJson } from '@kubewright/api/json';

const pieceLength = 64 * 1024;

/** The JSON text of an answer in pieces: a long list is never one string. Answers with a `kind` end with a newline, as those of a kube-apiserver. */
export function* jsonPieces(body: unknown): Generator<string, undefined> {
  const end = isApiObject(body) ? '\n' : '';
  const list = longList(body);
  if (list === undefined) {
    yield `${stringifyJson(body)}${end}`;
    return undefined;
  }
  const { field, values, rest } = list;
  const head = stringifyJson(rest);
  let piece = `${head.slice(0, -1)}${head === '{}' ? '' : ','}"${field}":[`;
  let separator = '';
  for (const value of values) {
    piece += separator + stringifyJson(value);
    separator = ',';
    if (piece.length < pieceLength) continue;
    yield piece;
    piece = '';
  }
  yield `${piece}]}${end}`;
  return undefined;
}

function isApiObject(body: unknown): boolean {
  return isObject(body) && typeof body['kind'] === 'string';
}

function longList(
  body: unknown,
): { readonly field: string; readonly values: readonly unknown[]; readonly rest: object } | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  for (const field of ['items', 'rows']) {
    const { [field]: values, ...rest } = body as Record<string, unknown>;
    if (Array.isArray(values) && values.length > 50) return { field, values, rest };
  }
  return undefined;
}
