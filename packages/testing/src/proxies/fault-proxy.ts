import { Agent, createServer, request as httpsRequest, type Server } from 'node:https';
import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import { type Clock, SystemClock } from '@kubewright/api/clock';
import { parseJson } from '@kubewright/api/json';
import type { FaultPlan, RequestFault } from '@kubewright/apiserver';
import {
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

/** Headers that are about one connection, and not about the request. */
const hopByHop: ReadonlySet<string> = new Set(['connection', 'host', 'keep-alive', 'transfer-encoding', 'upgrade']);

/** What a fault proxy stands in front of, and with what. */
export interface FaultProxyOptions {
  /** The server behind it; its credentials are those of the clients, by token. */
  readonly upstream: Connection;
  /** What it serves with; of the authority of `upstream`, so that clients trust both alike. */
  readonly certificate: KeyPair;
  readonly faults: FaultPlan;
  /** @default the real one */
  readonly clock?: Clock;
}

/**
 * Stands in front of a real API server and makes requests and watches fail as a plan says, at the same logical points as
 * the embedded server does: the same plan is the same run on both.
 */
export class FaultProxy implements AsyncDisposable {
  readonly #upstream: Connection;
  readonly #gate: FaultGate;
  readonly #clock: Clock;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #open = new Set<ClientRequest>();
  /** Those of clients, also while their handshakes are not over. */
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;

  private constructor({ upstream, certificate, faults, clock = new SystemClock() }: FaultProxyOptions) {
    this.#upstream = upstream;
    this.#gate = new FaultGate(faults);
    this.#clock = clock;
    this.#server = createServer({ ...certificate }, (request, response) => {
      this.#handle(request, response).catch(() => {
        // Either side has gone in the middle of the answer, which has begun: all that can be told is the end.
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

  /** The connection of the server behind, through this proxy. */
  get connection(): Connection {
    const { port } = this.#server.address() as AddressInfo;
    return { ...this.#upstream, server: `https://127.0.0.1:${port}` };
  }

  /** Breaks every connection and goes on. */
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
    const fault = info && this.#gate.request(info);
    if (fault?.kind === 'status' && fault.after === undefined) return refuse(response, fault);
    if (fault?.kind === 'cut' && fault.after === 'none') return void request.socket.destroy();
    if (fault?.kind === 'delay') {
      await new Promise<void>((resolve) => this.#clock.schedule(fault.ms, resolve));
      if (request.socket.destroyed) return;
    }
    const answer = await this.#forward(request);
    if (fault?.kind === 'status') {
      answer.destroy();
      return refuse(response, fault);
    }
    if (fault?.kind === 'cut') {
      // The write is done when its answer has begun.
      answer.destroy();
      return void request.socket.destroy();
    }
    if (info?.verb === 'watch' && answer.statusCode === 200) return this.#watch(info, { answer, response });
    response.writeHead(answer.statusCode ?? 502, endToEnd(answer.headers));
    await pipeline(answer, response);
  }

  #forward(request: IncomingMessage): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const { server, ca } = this.#upstream;
      const { method, url: path } = request;
      const onward = httpsRequest(
        new URL(server),
        { method, path, headers: endToEnd(request.headers), agent: this.#agent, ...(ca && { ca }) },
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
      // A client that goes takes its request with it.
      request.once('close', () => {
        if (!request.complete) onward.destroy();
      });
      request.pipe(onward);
    });
  }

  async #watch(
    info: RequestInfo,
    { answer, response }: { readonly answer: IncomingMessage; readonly response: ServerResponse },
  ): Promise<void> {
    response.writeHead(200, endToEnd(answer.headers));
    response.flushHeaders();
    const stream = new ResponseStream(response);
    const feed = new WatchFeed(stream, {
      clock: this.#clock,
      encoder: new EventEncoder(),
      fault: this.#gate.watch(info.resource),
      expired: () => expired(0, 0),
    });
    stream.onClose(() => answer.destroy());
    for await (const line of createInterface({ input: answer })) {
      const { type, object } = parseJson(line) as { readonly type: WatchEventType; readonly object: object };
      feed.send(type, () => object, { planned: type !== 'BOOKMARK' || endsInitialEvents(object) });
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

function endsInitialEvents(object: object): boolean {
  const { metadata } = object as { readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> } };
  return metadata?.annotations?.['k8s.io/initial-events-end'] === 'true';
}
