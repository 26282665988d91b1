import type { IncomingMessage } from 'node:http';
import { type HttpRequest, openAnswer } from './open-answer.js';
import { WebhookCallError } from './webhook-call-error.js';

const mostRedirects = 10;
/** After a response with one of these statuses, Go sends a GET request without a body. */
const withoutBody: ReadonlySet<number> = new Set([301, 302, 303]);
/** After a response with one of these statuses, Go sends the same request to another URL. */
const withBody: ReadonlySet<number> = new Set([307, 308]);

/**
 * Sends a request, and follows up to 10 redirects to HTTPS URLs, as Go does. Rejects with a WebhookCallError whose text contains the URL.
 */
export async function followRedirects(first: HttpRequest): Promise<IncomingMessage> {
  let sent = first;
  for (let redirects = 1; ; redirects += 1) {
    const { shownUrl } = sent;
    const answer = await openAnswer(sent).catch((error: unknown) => {
      throw error instanceof WebhookCallError ? failed(first, shownUrl, error.message) : error;
    });
    const { statusCode: status = 0, headers } = answer;
    if (headers.location === undefined || !(withoutBody.has(status) || withBody.has(status))) return answer;
    answer.resume();
    sent = redirected(sent, withoutBody.has(status), target(first, sent, headers.location));
    if (sent.url.protocol !== 'https:') {
      throw failed(first, sent.shownUrl, `unsupported protocol scheme "${sent.url.protocol.slice(0, -1)}"`);
    }
    if (redirects === mostRedirects) throw failed(first, shownUrl, `stopped after ${mostRedirects} redirects`);
  }
}

function target(first: HttpRequest, { url, shownUrl }: HttpRequest, location: string): URL {
  if (!URL.canParse(location, url.href)) throw failed(first, shownUrl, `failed to parse Location header "${location}"`);
  return new URL(location, url);
}

function redirected(sent: HttpRequest, dropsBody: boolean, url: URL): HttpRequest {
  const next = { ...sent, url, shownUrl: url.href };
  return dropsBody ? { ...next, method: 'GET', body: undefined } : next;
}

function failed({ method }: HttpRequest, shownUrl: string, why: string): WebhookCallError {
  return new WebhookCallError(`${method === 'GET' ? 'Get' : 'Post'} "${shownUrl}": ${why}`);
}
