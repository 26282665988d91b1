import { type ClientRequest, type IncomingMessage, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Registry } from '../../registry/registry.js';
import { dialFault } from '../../registry/webhooks/connection-fault.js';
import type { Answer, AnswerStream } from '../answers/answer.js';
import type { ApiRequest } from '../api-request.js';
import { inTurns } from '../in-turns.js';
import { connectRequest } from '../pods/connect-options.js';
import { admittedConnection } from '../pods/kubelet-subresources.js';
import { keyOf, type ResourceRequest } from '../verbs.js';
import { type ProxyLocation, proxyLocation, unavailable } from './proxy-location.js';

/** Headers that belong to one connection, or that the server itself handles. */
const ownHeaders: ReadonlySet<string> = new Set([
  'authorization',
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * Forwards a request to a Pod, a Service or a Node, and streams the response. Like kube-apiserver, the server does not verify the
 * certificate of the target, and removes the credentials of the request. Throws 503 if the target is not reachable.
 */
export async function proxyAnswer(
  { request, info, resource }: Pick<ResourceRequest, 'request' | 'info' | 'resource'>,
  registry: Registry,
): Promise<Answer> {
  await inTurns(admittedConnection(connectRequest({ request, info, resource }, registry), registry), request);
  const location = proxyLocation(registry, resource.definition.plural, keyOf(info));
  const { proxyPath = '' } = info;
  if (proxyPath === '' && (request.method === 'GET' || request.method === 'HEAD')) return toRoot(request);
  if (location.isVirtual) throw unreachable(`dial tcp ${hostOf(location)}: connect: connection refused`);
  const response = await responseOf(location, request, proxyPath);
  const run = (stream: AnswerStream): void => forward(response, stream);
  return { kind: 'stream', status: response.statusCode ?? 502, headers: headersOf(response), run };
}

/** Redirects a request to the path with a slash at its end, so that relative links in the response are valid. */
function toRoot({ path, query }: ApiRequest): Answer {
  return { kind: 'text', status: 301, text: '', headers: { location: `${encodeURI(path)}/${searchOf(query)}` } };
}

function responseOf(location: ProxyLocation, request: ApiRequest, path: string): Promise<IncomingMessage> {
  const { method, query, body, headers } = request;
  const { scheme, host, port } = location;
  const options = {
    host,
    method,
    path: `${encodeURI(path === '' ? '/' : path)}${searchOf(query)}`,
    headers: { ...forwarded(headers), 'x-forwarded-uri': request.path, 'content-length': String(body.length) },
    rejectUnauthorized: false,
    agent: false as const,
    signal: request.signal(),
    ...(port === undefined ? {} : { port }),
  };
  return new Promise((resolve, reject) => {
    const sent: ClientRequest = scheme === 'https' ? httpsRequest(options, resolve) : httpRequest(options, resolve);
    sent.once('error', (error) => reject(unreachable(dialFault(error, host))));
    sent.end(body);
  });
}

/** Returns a query with its question mark. A space is `%20`, because not every server reads a plus sign as a space. */
function searchOf(query: URLSearchParams): string {
  return query.size === 0 ? '' : `?${query.toString().replaceAll('+', '%20')}`;
}

function forwarded(headers: ApiRequest['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || ownHeaders.has(name) || name.startsWith(':') ? [] : [[name, value]],
    ),
  );
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || ownHeaders.has(name) ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  );
}

/** Sends the body of a response at the speed of the client. */
function forward(response: IncomingMessage, stream: AnswerStream): void {
  stream.onDrain(() => response.resume());
  stream.onClose(() => response.destroy());
  response.on('data', (chunk: Buffer) => {
    stream.write(chunk);
    if (stream.isFull) response.pause();
  });
  response.on('end', () => stream.end());
  response.on('error', () => stream.cut());
}

function hostOf({ host, port = '' }: ProxyLocation): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function unreachable(why: string): Error {
  return unavailable(`error trying to reach service: ${why}`);
}
