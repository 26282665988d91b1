import { isAvailable } from '../../registry/aggregation/aggregated-service.js';
import type { AggregationClient } from '../../registry/aggregation/aggregation-client.js';
import { isRemoteUserHeader, remoteUserHeaders } from '../../registry/aggregation/remote-user-headers.js';
import type { ApiObject } from '../../registry/objects/api-object.js';
import { WebhookCallError, WebhookSetupError } from '../../registry/webhooks/webhook-call-error.js';
import type { Answer } from '../answers/answer.js';
import type { ApiRequest } from '../api-request.js';
import { forwardedAnswer, forwardedHeaders, requestLine } from '../proxies/forwarding.js';

const redirected = 'the backend attempted to redirect this request, which is not permitted';

/**
 * Forwards an authorized request to the server of an APIService, and streams the response. The server receives the user in headers. Like
 * kube-aggregator, answers 503 if the server is not available, 502 if the server answers with a redirect, and 500 if the configuration of
 * the connection is not valid.
 */
export async function aggregatedAnswer(
  request: ApiRequest,
  apiService: ApiObject,
  client: AggregationClient,
): Promise<Answer> {
  if (!isAvailable(apiService)) return refused('service unavailable');
  const { method, path, query, body, user } = request;
  const forwarded = Object.entries(forwardedHeaders(request)).filter(
    ([name]) => name !== 'host' && !isRemoteUserHeader(name),
  );
  const headers = { ...Object.fromEntries(forwarded), ...remoteUserHeaders(user) };
  const signal = request.signal();
  try {
    const sent = { method, path: requestLine(path, query), headers, body, signal };
    const proxied = await client.open(apiService, sent);
    const { statusCode = 0, headers: received } = proxied.response;
    if (statusCode < 300 || statusCode > 399 || received.location === undefined) return forwardedAnswer(proxied);
    proxied.response.destroy();
    return refused(redirected, 502);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof WebhookCallError)) throw error;
    if (error instanceof WebhookSetupError) return refused(error.message, 500);
    return refused(`error trying to reach service: ${error.message}`);
  }
}

/** Returns the response of Go's `http.Error`. */
function refused(text: string, status = 503): Answer {
  return { kind: 'text', status, text: `${text}\n`, headers: { 'x-content-type-options': 'nosniff' } };
}
