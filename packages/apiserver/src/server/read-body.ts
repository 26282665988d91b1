import type { IncomingHttpHeaders } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { badRequest, failure } from '../registry/requests/status-errors.js';
import type { HttpRequest } from './listener.js';

const mostBytes = 3 * 1024 * 1024;
/** The default time limit for receiving a body. Node.js has the same limit for headers. */
const defaultLimitMs = 60_000;

/** An error for a client that takes too long to send the body of a request. */
export class SlowBodyError extends Error {}

/**
 * Returns the decompressed body of a request. The body is empty for GET and HEAD. Throws 413 for a body above 3 MiB, without storing the
 * excess data, and 400 for invalid gzip. Throws an error if the client closes the connection, and a `SlowBodyError` if the body is not
 * complete after `limitMs` milliseconds. @default limitMs 60,000
 */
export async function readBody(
  request: HttpRequest,
  { limitMs = defaultLimitMs }: { readonly limitMs?: number | undefined } = {},
): Promise<Uint8Array> {
  if (request.method === 'GET' || request.method === 'HEAD') return new Uint8Array();
  return decompressed(await collected(request, limitMs), request.headers);
}

/** Returns the decompressed body of a request. Throws 413 for a body above 3 MiB, and 400 for invalid gzip. */
export function decompressed(body: Uint8Array, headers: IncomingHttpHeaders): Uint8Array {
  if (body.length > mostBytes) throw tooLarge();
  return headers['content-encoding'] === 'gzip' ? unpacked(body) : body;
}

/** Receives the body. Uses listeners, because the iterator of a stream takes as much time as a whole small request. */
function collected(request: HttpRequest, limitMs: number): Promise<Buffer> {
  return new Promise<Buffer>((resolve, reject) => {
    const timer = setTimeout(() => reject(new SlowBodyError()), limitMs);
    const chunks: Buffer[] = [];
    let length = 0;
    const fail = (error: Error): void => {
      clearTimeout(timer);
      reject(error);
    };
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= mostBytes) chunks.push(chunk);
    });
    request.on('end', () => {
      if (length > mostBytes) return fail(tooLarge());
      clearTimeout(timer);
      resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks));
    });
    request.on('error', fail);
    request.on('close', () => fail(new Error('the client closed the connection before the end of the request')));
  });
}

function unpacked(body: Uint8Array): Buffer {
  try {
    return gunzipSync(body, { maxOutputLength: mostBytes });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge();
    throw badRequest('the request body is not valid gzip, although its Content-Encoding is gzip');
  }
}

function tooLarge(): Error {
  const message = `Request entity too large: limit is ${mostBytes}`;
  return failure(413, 'RequestEntityTooLarge', { message });
}
