import { Agent, createServer, request as httpsRequest, type Server } from 'node:https';
import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import { type Clock, SystemClock } from '@kubewright/api/clock';
import { parseJson } from '@kubewright/api/json';
import type { FaultPlan, RequestFault } from '@kubewright/apiserver';
import {
  ClockWaits,
  EventEncoder,
  expired,
  FaultGate,
  plannedFailure,
  type RequestInfo,
  requestInfo,
  requestTarget,
  ResponseStream,
  type WatchEventType,
  WatchFeed,
} from '@kubewright/apiserver/internal';
import type { Connection } from '@kubewright/runtime';
import type { KeyPair } from '../control-plane/authority.js';
import { listenLocally } from '../listen-locally.js';
import { withoutProtobuf } from './without-protobuf.js';

/** Headers of a single connection, which a proxy does not forward. */
const hopByHop: ReadonlySet<string> = new Set(['connection', 'host', 'keep-alive', 'transfer-encoding', 'upgrade']);

/** The options of a fault proxy. */
export interface FaultProxyOptions {
  /** The upstream server. Clients authenticate at the server with a token. */
  readonly upstream: Connection;
  /** The serving certificate, issued by the authority of `upstream`, so that clients trust both servers. */
  readonly certificate: KeyPair;
  readonly faults: FaultPlan;
  /** @default the system clock */
  readonly clock?: Clock;
}

/**
 * A proxy that injects the faults of a plan into requests to a real API server, at the same logical points as the embedded server. The same
 * plan injects the same faults on both servers, except for `stale` and `reverse`, which the proxy ignores.
 */
export class FaultProxy implements AsyncDisposable {
  readonly #upstream: Connection;
  readonly #gate: FaultGate;
  readonly #clock: Clock;
  readonly #listeners = new Set<() => void>();
  readonly #waits = new ClockWaits(() => {
    for (const listener of this.#listeners) listener();
  });
  readonly #agent = new Agent({ keepAlive: true });
  readonly #open = new Set<ClientRequest>();
  /** The connections of clients, including those with an unfinished handshake. */
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;

  private constructor({ upstream, certificate, faults, clock = new SystemClock() }: FaultProxyOptions) {
    this.#upstream = upstream;
    this.#gate = new FaultGate(faults);
    this.#clock = clock;
    this.#server = createServer({ ...certificate }, (request, response) => {
      this.#handle(request, response).catch(() => {
        // The connection to the client or to the server broke. The headers are possibly already sent, so the proxy can only break the
        // response.
        response.destroy();
      });
    });
    this.#server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
  }

  static async open(options: FaultProxyOptions): Promise<FaultProxy> {
    const proxy = new FaultProxy(options);
    await listenLocally(proxy.#server);
    return proxy;
  }

  /** The connection to the upstream server through this proxy. */
  get connection(): Connection {
    const { port } = this.#server.address() as AddressInfo;
    return { ...this.#upstream, server: `https://127.0.0.1:${port}` };
  }

  /** The `Audit-ID` headers of the requests and watches that the proxy delays. */
  get waiting(): ReadonlySet<string> {
    return this.#waits.ids;
  }
  /** Calls the listener when `waiting` changes. Returns a function that removes the listener. */
  onActivity(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Breaks every connection. New connections are accepted. */
  cutConnections(): void {
    for (const socket of this.#sockets) socket.destroy();
    for (const request of this.#open) request.destroy();
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.cutConnections();
    this.#agent.destroy();
    await closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { path, query } = requestTarget(request.url ?? '/');
    const info = requestInfo(request.method ?? 'GET', path, query);
    const fault = info && this.#gate.request(info, { id: idOf(request), query });
    if (fault?.kind === 'status' && fault.after === undefined) return refuse(response, fault);
    if (fault?.kind === 'cut' && fault.after === 'none') return void request.socket.destroy();
    if (fault?.kind === 'delay') {
      const end = this.#waits.begin(idOf(request), { isDelayedRequest: true });
      await new Promise<void>((resolve) => this.#clock.schedule(fault.ms, resolve));
      end();
      if (request.socket.destroyed) return;
    }
    const answer = await this.#forward(request, { isWatch: info?.verb === 'watch' });
    if (fault?.kind === 'status') {
      answer.destroy();
      return refuse(response, fault);
    }
    if (fault?.kind === 'cut') {
      // The write is complete when the response begins.
      answer.destroy();
      return void request.socket.destroy();
    }
    if (info?.verb === 'watch' && answer.statusCode === 200)
      return this.#watch(info, { id: idOf(request), answer, response });
    response.writeHead(answer.statusCode ?? 502, endToEnd(answer.headers));
    await pipeline(answer, response);
  }

  #forward(request: IncomingMessage, { isWatch }: { readonly isWatch: boolean }): Promise<IncomingMessage> {
    const headers = endToEnd(request.headers);
    // The proxy reads and writes the events of a watch as JSON.
    if (isWatch && headers.accept !== undefined) headers.accept = withoutProtobuf(headers.accept);
    return new Promise((resolve, reject) => {
      const { server, ca } = this.#upstream;
      const { method, url: path } = request;
      const onward = httpsRequest(
        new URL(server),
        { method, path, headers, agent: this.#agent, ...(ca && { ca }) },
        (answer) => {
          answer.once('close', () => this.#open.delete(onward));
          resolve(answer);
        },
      );
      this.#open.add(onward);
      onward.once('error', (error) => {
        this.#open.delete(onward);
        reject(error);
      });
      // If the client disconnects, the proxy aborts the forwarded request.
      request.once('close', () => {
        if (!request.complete) onward.destroy();
      });
      request.pipe(onward);
    });
  }

  async #watch(
    info: RequestInfo,
    {
      id,
      answer,
      response,
    }: { readonly id: string | undefined; readonly answer: IncomingMessage; readonly response: ServerResponse },
  ): Promise<void> {
    response.writeHead(200, endToEnd(answer.headers));
    response.flushHeaders();
    const stream = new ResponseStream(response);
    const feed = new WatchFeed(stream, {
      clock: this.#clock,
      encoder: new EventEncoder(),
      fault: this.#gate.watch(info.resource, id),
      expired: () => expired(0, 0),
      onDelay: () => this.#waits.begin(id),
    });
    stream.onClose(() => answer.destroy());
    for await (const line of createInterface({ input: answer })) {
      const { type, object } = parseJson(line) as { readonly type: WatchEventType; readonly object: WatchedObject };
      const version = type === 'BOOKMARK' ? undefined : object.metadata?.resourceVersion;
      feed.send(type, () => object, { planned: type !== 'BOOKMARK' || endsInitialEvents(object), version });
    }
    feed.end();
  }
}

function refuse(response: ServerResponse, fault: Extract<RequestFault, { kind: 'status' }>): void {
  const { body } = plannedFailure(fault);
  const seconds = body.details?.retryAfterSeconds;
  response.writeHead(fault.code, {
    'content-type': 'application/json',
    ...(seconds !== undefined && { 'retry-after': String(seconds) }),
  });
  response.end(JSON.stringify(body));
}

function endToEnd(headers: IncomingMessage['headers']): IncomingMessage['headers'] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !hopByHop.has(name)));
}

function idOf({ headers }: IncomingMessage): string | undefined {
  const id = headers['audit-id'];
  return typeof id === 'string' ? id : undefined;
}

/** An object of a watch event, or a Status. */
interface WatchedObject {
  readonly metadata?: { readonly resourceVersion?: string; readonly annotations?: Readonly<Record<string, string>> };
}

function endsInitialEvents({ metadata }: WatchedObject): boolean {
  return metadata?.annotations?.['k8s.io/initial-events-end'] === 'true';
}
