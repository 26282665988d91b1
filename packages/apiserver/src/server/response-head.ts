import type { ResponseHeaders } from '../handlers/answers/answer.js';
import type { EncodedAnswer } from './encoded-answer.js';

/** The status and the headers of a response. */
export interface ResponseHead {
  readonly status: number;
  readonly headers: ResponseHeaders;
}

/** Returns the status and the headers with which the server sends an answer. */
export function headOf(answer: Exclude<EncodedAnswer, { kind: 'cut' } | { kind: 'upgrade' }>): ResponseHead {
  const uncached: ResponseHeaders = { 'cache-control': 'no-cache, private', ...answer.headers };
  if (answer.kind === 'text') {
    const isEmpty = answer.text === '';
    const headers = isEmpty ? uncached : { 'content-type': 'text/plain; charset=utf-8', ...uncached };
    return { status: answer.status, headers };
  }
  const { status = 200 } = answer;
  if (status !== 304) return { status, headers: uncached };
  // A client merges the headers of a 304 response into its cached headers, so the response must not have another content type.
  const { 'content-type': _, ...rest } = uncached;
  return { status, headers: rest };
}
