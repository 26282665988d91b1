import { isJsonObject, type JsonObject, parseJson, stringifyJson } from '@kubewright/api/json';
import type { ServerResponse } from 'node:http';
import { messageOf } from '@kubewright/api/errors';

/** A review of the API server: its version, the whole document, and the request. */
export interface Review {
  readonly apiVersion: string;
  readonly document: JsonObject;
  readonly request: JsonObject;
}

/**
 * Parses an AdmissionReview, a ConversionReview or a TokenReview, whose field `content` contains the request. Returns the problem as a text
 * if the body is not such a review. A review without `apiVersion` and `kind` has version v1.
 */
export function parseReview(
  body: Buffer,
  {
    group,
    kind,
    content = 'request',
  }: { readonly group: string; readonly kind: string; readonly content?: 'request' | 'spec' },
): Review | string {
  let review: unknown;
  try {
    review = parseJson(body);
  } catch (error) {
    return `the request body is not valid JSON: ${messageOf(error)}`;
  }
  if (!isJsonObject(review)) return `the request body is not a JSON object; send ${article(kind)} ${kind}`;
  const { apiVersion = `${group}/v1`, kind: given = kind, [content]: request } = review;
  if (given !== kind || (apiVersion !== `${group}/v1` && apiVersion !== `${group}/v1beta1`)) {
    return `the request body is ${String(apiVersion)} ${String(given)}; send ${article(kind)} ${kind} of ${group}/v1 or ${group}/v1beta1`;
  }
  if (!isJsonObject(request)) return `the ${kind} has no ${content}`;
  return { apiVersion, document: review, request };
}

function article(kind: string): string {
  return /^[AEIOU]/.test(kind) ? 'an' : 'a';
}

/** Sends a JSON document as the response. With `close`, the connection is closed, because the body of the request was not read. */
export function sendJson(
  response: ServerResponse,
  document: unknown,
  { close = false }: { readonly close?: boolean } = {},
): void {
  // The client may have closed the connection.
  if (response.destroyed) return;
  const text = stringifyJson(document);
  // Node.js sends a text together with the headers in one write.
  const body = text.length < response.writableHighWaterMark ? text : Buffer.from(text);
  const length = Buffer.byteLength(body);
  response.writeHead(200, {
    'content-type': 'application/json',
    'content-length': length,
    ...(close && { connection: 'close' }),
  });
  if (length < response.writableHighWaterMark) response.end(body);
  else endWhenWritten(response, typeof body === 'string' ? Buffer.from(body) : body);
}

/**
 * Holds back the last byte of a large body until the other bytes are written. The client therefore does not send its next request before
 * Node.js knows that the response is written. Otherwise, Node.js would pause the HTTP parser of the connection, and reset the connection
 * when the TLS socket emits the next record of that request.
 */
function endWhenWritten(response: ServerResponse, body: Buffer): void {
  const last = body.length - 1;
  response.write(body.subarray(0, last), (error) => {
    // After an error, the connection is closed.
    if (!error) response.end(body.subarray(last));
  });
}
