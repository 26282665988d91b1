import type { IncomingHttpHeaders } from 'node:http';
import { stringifyJson } from '@kubewright/api/json';
import { type Encoding, encodings, errorEncoding } from '../handlers/answers/accept.js';
import type { Answer, ResponseHeaders } from '../handlers/answers/answer.js';
import type { ProtobufWriter } from '../handlers/protobuf/protobuf-writer.js';
import type { JsonObject } from '../registry/objects/api-object.js';
import { jsonPieces, listPieces } from './json-pieces.js';
import { requestTarget } from './request-target.js';

/** An answer whose body is encoded while the server sends it. */
interface Pieces {
  readonly kind: 'pieces';
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly pieces: Iterator<string | Buffer>;
}

const prettyOptions = { indent: 2 };

type Structured = Extract<Answer, { kind: 'value' | 'list' }>;

/** An answer that a connection can send. */
export type EncodedAnswer = Exclude<Answer, Structured> | Pieces;

const contentTypes = Object.fromEntries(encodings) as Readonly<Record<Encoding, string>>;

/**
 * Encodes the body of a `value` or `list` answer in the format of the answer. If the answer has no format, encodes a success as JSON, and
 * an error in the format that the Accept header of the request selects. Returns other answers unchanged.
 */
export async function encodedAnswer(
  answer: Answer,
  { url, headers: requested }: { readonly url: string; readonly headers: IncomingHttpHeaders },
  protobuf: ProtobufWriter,
): Promise<EncodedAnswer> {
  if (answer.kind !== 'value' && answer.kind !== 'list') return answer;
  const status = answer.kind === 'list' ? 200 : answer.status;
  const encoding = answer.encoding ?? (status < 400 ? 'json' : errorEncoding(requested.accept));
  const headers = { 'content-type': contentTypes[encoding], ...answer.headers };
  const pieces = isPretty(encoding, url, requested['user-agent'])
    ? prettyPieces(answer)
    : await piecesOf(answer, encoding, protobuf);
  return { kind: 'pieces', status, headers, pieces };
}

/** Returns whether the client requests JSON with one field per line. By default, browsers, curl and Wget do. */
function isPretty(encoding: Encoding, url: string, userAgent = ''): boolean {
  if (encoding !== 'json') return false;
  const pretty = url.includes('pretty') ? requestTarget(url).query.get('pretty') : null;
  return pretty ? /^(?:1|t|true)$/i.test(pretty) : /^(?:curl|Wget|Mozilla\/5\.0)/.test(userAgent);
}

function* prettyPieces(answer: Structured): Generator<string, undefined> {
  if (answer.kind === 'value') {
    if (answer.status !== 304) yield stringifyJson(answer.body, prettyOptions);
    return undefined;
  }
  const { head, field, values, value } = answer.body;
  let separator = `${stringifyJson(head, prettyOptions).slice(0, -2)},\n  "${field}": [`;
  let end = ']\n}';
  for (const item of values) {
    yield `${separator}\n    ${stringifyJson(value(item), prettyOptions).replaceAll('\n', '\n    ')}`;
    separator = ',';
    end = '\n  ]\n}';
  }
  yield separator === ',' ? end : separator + end;
  return undefined;
}

function apiVersionOf(answer: Structured): string {
  const { apiVersion } = (answer.kind === 'list' ? answer.body.head : answer.body) as JsonObject;
  return String(apiVersion);
}

async function piecesOf(
  answer: Structured,
  encoding: Encoding,
  protobuf: ProtobufWriter,
): Promise<Iterator<string | Buffer>> {
  // A response without changes has no body.
  if (answer.kind === 'value' && answer.status === 304) return [].values();
  if (encoding === 'json') return answer.kind === 'list' ? listPieces(answer.body) : jsonPieces(answer.body);
  if (encoding === 'protobuf') {
    await protobuf.load(apiVersionOf(answer));
    return answer.kind === 'list'
      ? protobuf.listPieces(answer.body)
      : [protobuf.object(answer.body as JsonObject)].values();
  }
  const { yamlListPieces, yamlText } = await import('../handlers/yaml/write-yaml.js');
  return answer.kind === 'list' ? yamlListPieces(answer.body) : [yamlText(answer.body)].values();
}
