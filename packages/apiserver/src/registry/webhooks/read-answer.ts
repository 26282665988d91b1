import { createRequire } from 'node:module';
import type { IncomingMessage } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { InvalidJsonError, parseJson } from '@kubewright/api/json';
import type { JsonObject } from '../objects/api-object.js';
import { jsonFault } from '../objects/json-fault.js';
import { isObject, stringAt } from '../objects/json-object.js';
import { WebhookCallError } from './webhook-call-error.js';

const load = createRequire(import.meta.url);

/** The maximum size of a response in bytes. A converted list can be large, but must not use up the memory of the process. */
const mostBytes = 256 * 1024 * 1024;
/** The maximum number of bytes that an error message quotes from the error text of a webhook. */
const mostShownBytes = 2048;
/** The maximum number of aliases in a response in YAML. The limit bounds the size of the parsed value. */
const mostAliases = 100;
const unreadable = "couldn't get version/kind; json parse error:";

/**
 * Reads the body of a response, and decompresses a gzip body. Rejects with a WebhookCallError if the body cannot be read or is too large.
 */
export async function readBody(answer: IncomingMessage, signal: AbortSignal): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > mostBytes) throw new WebhookCallError(`the response is larger than ${mostBytes} bytes`);
      chunks.push(chunk);
    }
    const body = Buffer.concat(chunks);
    if (answer.headers['content-encoding'] !== 'gzip') return body;
    return gunzipSync(body, { maxOutputLength: mostBytes });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const broken = code === 'ECONNRESET' ? 'unexpected EOF' : (error as Error).message;
    const why = signal.aborted ? (signal.reason as Error).message : broken;
    const lead = 'unexpected error when reading response body. Please retry. Original error';
    throw new WebhookCallError(`${lead}: ${why}`, { cause: error });
  }
}

/**
 * Returns the object in a response: JSON, or YAML as in a kube-apiserver. An empty YAML document is an empty object. Throws a
 * WebhookCallError for an error status, for an empty response, and for a response that is not an object.
 */
export function parseAnswer({ statusCode: status = 0, headers }: IncomingMessage, body: Buffer): JsonObject {
  const contentType = headers['content-type'];
  if (status < 200 || status > 206) throw new WebhookCallError(statusFault(status, body, contentType));
  if (body.length === 0) {
    const type = contentType ?? 'application/json';
    throw new WebhookCallError(`0-length response with status code: ${status} and content type: ${type}`);
  }
  const value = isJson(body) ? jsonObject(body) : yamlValue(body);
  if (!isObject(value)) throw new WebhookCallError(typeFault(goKind(value)));
  return value;
}

/** Whether a kube-apiserver decodes the body as JSON. A kube-apiserver decodes other bodies as YAML. */
function isJson(body: Buffer): boolean {
  return body.find((byte) => byte > 0x20) === 0x7b;
}

function jsonObject(body: Buffer): unknown {
  try {
    return parseJson(body);
  } catch (error) {
    if (!(error instanceof InvalidJsonError)) throw error;
    const why = jsonFault(body.toString()) ?? error.message;
    throw new WebhookCallError(`${unreadable} ${why}`, { cause: error });
  }
}

function yamlValue(body: Buffer): unknown {
  const { parse } = load('yaml') as typeof import('yaml');
  try {
    return parse(body.toString(), { maxAliasCount: mostAliases }) ?? {};
  } catch (error) {
    throw new WebhookCallError(`${unreadable} yaml: ${(error as Error).message}`, { cause: error });
  }
}

function parsed(body: Buffer): unknown {
  try {
    return parseJson(body);
  } catch {
    return undefined;
  }
}

/** Returns the error text of a kube-apiserver for a response that is not an object. `kind` is the result of `goKind`. */
function typeFault(kind: string): string {
  const fields = 'APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\""';
  return `${unreadable} json: cannot unmarshal ${kind} into Go value of type struct { ${fields} }`;
}

/** Returns the kind of a JSON value as Go's error messages name it, such as `array`. */
export function goKind(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value === 'bigint' ? 'number' : typeof value;
}

/** Whether a response is a Status instead of a review. */
export function isStatus(value: Readonly<Record<string, unknown>>): boolean {
  return value['kind'] === 'Status' && value['apiVersion'] === 'v1';
}

/** Returns the text for an error status: the message of a Status in the body, or a text about the status and the body. */
function statusFault(status: number, body: Buffer, contentType: string | undefined): string {
  const value = parsed(body);
  if (isObject(value) && isStatus(value) && value['status'] === 'Failure') return stringAt(value, 'message');
  const isText = contentType === undefined || contentType.trim().toLowerCase().startsWith('text/');
  const shown = isText ? body.subarray(0, mostShownBytes).toString().trim() : 'unknown';
  switch (status) {
    case 403:
    case 415:
      return shown;
    case 406: {
      const unknown = 'the server was unable to respond with a content type that the client supports';
      return shown === '' || shown === 'unknown' ? unknown : shown;
    }
    default:
      return statusTexts.get(status) ?? otherStatus(status, shown);
  }
}

const statusTexts: ReadonlyMap<number, string> = new Map([
  [400, 'the server rejected our request for an unknown reason'],
  [401, 'the server has asked for the client to provide credentials'],
  [404, 'the server could not find the requested resource'],
  [405, 'the server does not allow this method on the requested resource'],
  [409, 'the server reported a conflict'],
  [422, 'the server rejected our request due to an error in our request'],
  [429, 'the server has received too many requests and has asked us to try again later'],
  [503, 'the server is currently unable to handle the request'],
  [504, 'the server was unable to return a response in the time allotted, but may still be processing the request'],
]);

function otherStatus(status: number, shown: string): string {
  if (status >= 500)
    return `an error on the server (${JSON.stringify(shown)}) has prevented the request from succeeding`;
  return `the server responded with the status code ${status} but did not return more information`;
}
