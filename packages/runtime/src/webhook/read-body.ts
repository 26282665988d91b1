import type { IncomingMessage } from 'node:http';
import { BodyDeadlines } from './body-deadlines.js';

/** Why the body of a request was not read, with the HTTP status code that describes the reason. */
export interface BodyProblem {
  readonly code: 400 | 408 | 413;
  readonly message: string;
}

/** The maximum size of an AdmissionReview: two objects of up to 3 MiB each, and the fields around them. */
export const MAX_ADMISSION_BYTES = 7 * 2 ** 20;

/**
 * Reads the body of a request. Returns the problem if the body is empty, larger than `maxBytes` or incomplete after 30 s, or if the content
 * type is not JSON. The deadline also applies to clients that send one byte per second. Rejects if the client closes the connection.
 */
export function readBody(
  request: IncomingMessage,
  { deadlines, maxBytes }: { readonly deadlines: BodyDeadlines; readonly maxBytes: number },
): Promise<Buffer | BodyProblem> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    let isSettled = false;
    const end = (result: Buffer | BodyProblem): void => {
      isSettled = true;
      endDeadline();
      resolve(result);
    };
    const refuse = (problem: BodyProblem): void => {
      request.off('data', read).off('end', complete);
      end(problem);
    };
    const read = (chunk: Buffer): void => {
      bytes += chunk.length;
      if (bytes <= maxBytes) chunks.push(chunk);
      else refuse({ code: 413, message: `the request body is larger than the limit of ${maxBytes} bytes` });
    };
    const complete = (): void => {
      const body = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, bytes);
      end(problemOf(request, body) ?? body);
    };
    const closed = (): void => {
      if (isSettled) return;
      endDeadline();
      reject(new DOMException('the client closed the connection', 'AbortError'));
    };
    const endDeadline = deadlines.begin(() =>
      refuse({ code: 408, message: `the request body is incomplete after ${BodyDeadlines.MS / 1000} s` }),
    );
    request.on('data', read).on('end', complete).on('close', closed);
  });
}

function problemOf({ headers }: IncomingMessage, body: Buffer): BodyProblem | undefined {
  if (body.length === 0) return { code: 400, message: 'the request body is empty' };
  const type = headers['content-type'] ?? '';
  if (type.split(';', 1)[0]?.trim().toLowerCase() === 'application/json') return undefined;
  return { code: 400, message: `the content type is '${type}'; use 'application/json'` };
}
