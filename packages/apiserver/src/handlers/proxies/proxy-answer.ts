import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { type ProxiedResponse, proxiedResponse } from '../../registry/aggregation/proxied-response.js';
import type { Registry } from '../../registry/registry.js';
import { dialFault } from '../../registry/webhooks/connection-fault.js';
import type { Answer } from '../answers/answer.js';
import type { ApiRequest } from '../api-request.js';
import { inTurns } from '../in-turns.js';
import { connectRequest } from '../pods/connect-options.js';
import { admittedConnection } from '../pods/kubelet-subresources.js';
import { keyOf, type ResourceRequest } from '../verbs.js';
import { forwardedAnswer, forwardedHeaders, isUpgrade, requestLine } from './forwarding.js';
import { type ProxyLocation, proxyLocation, unavailable } from './proxy-location.js';

/**
 * Forwards a request to a Pod, a Service or a Node, and streams the response. If the request and the target change the protocol of the
 * connection, forwards the bytes of both directions. Like kube-apiserver, the server does not verify the certificate of the target, and
 * removes the credentials of the request. Redirects a GET or HEAD request whose path ends with `proxy`. Throws 503 if the target is not
 * reachable.
 */
export async function proxyAnswer(
  { request, info, resource }: Pick<ResourceRequest, 'request' | 'info' | 'resource'>,
  registry: Registry,
): Promise<Answer> {
  await inTurns(admittedConnection(connectRequest({ request, info, resource }, registry), registry), request);
  const location = proxyLocation(registry, resource.definition.plural, keyOf(info));
  const { proxyPath = '' } = info;
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (proxyPath === '' && isRead && !isUpgrade(request)) return toRoot(request);
  const fault = portFault(location.port);
  if (fault !== undefined) throw unreachable(fault);
  if (location.isVirtual) throw unreachable(`dial tcp ${hostOf(location)}: connect: connection refused`);
  const proxied = await responseOf(location, request, proxyPath).catch((error: Error) => {
    throw unreachable(dialFault(error, location.host));
  });
  return forwardedAnswer(proxied);
}

/** Redirects a request to the path with a slash at its end, so that relative links in the response are valid. */
function toRoot({ path, query }: ApiRequest): Answer {
  return { kind: 'text', status: 301, text: '', headers: { location: requestLine(`${path}/`, query) } };
}

function responseOf(location: ProxyLocation, request: ApiRequest, path: string): Promise<ProxiedResponse> {
  const { method, query, body } = request;
  const { scheme, host, port } = location;
  const options = {
    host,
    method,
    path: requestLine(path === '' ? '/' : path, query),
    headers: forwardedHeaders(request),
    rejectUnauthorized: false,
    agent: false as const,
    signal: request.signal(),
    ...(port === undefined ? {} : { port }),
  };
  const call = scheme === 'https' ? httpsRequest(options) : httpRequest(options);
  call.end(body);
  return proxiedResponse(call);
}

/** Returns Go's error text for a port to which no connection is possible. The port of a Pod or Node in a path can be any text. */
function portFault(port = '0'): string | undefined {
  if (!/^[-+]?\d+$/.test(port)) return `dial tcp: lookup tcp/${port}: unknown port`;
  return Number(port) >= 0 && Number(port) <= 65_535 ? undefined : `dial tcp: address ${port}: invalid port`;
}

function hostOf({ host, port = '' }: ProxyLocation): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function unreachable(why: string): Error {
  return unavailable(`error trying to reach service: ${why}`);
}
