import { gunzipSync } from 'node:zlib';
import { badRequest, failure } from '../registry/status-errors.js';
import type { HttpRequest } from './listener.js';

const mostBytes = 3 * 1024 * 1024;

/** The body of a request, unpacked. Throws 413 beyond 3 MiB, without keeping what is too much. */
export async function readBody(request: HttpRequest): Promise<Uint8Array> {
  if (request.method === 'GET' || request.method === 'HEAD') return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length <= mostBytes) chunks.push(chunk);
  }
  if (length > mostBytes) throw tooLarge();
  const body = Buffer.concat(chunks);
  return request.headers['content-encoding'] === 'gzip' ? unpacked(body) : body;
}

function unpacked(body: Buffer): Buffer {
  try {
    return gunzipSync(body, { maxOutputLength: mostBytes });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge();
    throw badRequest('the body of the request is not gzip, as its Content-Encoding says');
  }
}

function tooLarge(): Error {
  const message = `Request entity too large: limit is ${mostBytes}`;
  return failure(413, 'RequestEntityTooLarge', { message });
}
