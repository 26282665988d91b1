import { request as httpsRequest } from 'node:https';
import type { IncomingMessage } from 'node:http';
import type { ApiServer } from './api-server.js';

/** A response without any conversion. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** The body as JSON. Reading this property throws if the body is not JSON. */
  readonly body: Json;
}

/** JSON with the fields that the tests read. Nothing checks that the response has these fields. */
export type Json = Readonly<Record<string, unknown>> & {
  readonly metadata: Readonly<Record<string, unknown>> & { readonly resourceVersion: string; readonly name: string };
  readonly items: readonly Json[];
  readonly rows: readonly { readonly cells: readonly unknown[]; readonly object: Json }[];
  readonly details: { readonly causes: readonly Readonly<Record<string, string>>[] } & Readonly<
    Record<string, unknown>
  >;
  readonly data: Readonly<Record<string, string>>;
};

/** The parts of a request in addition to its method and its path. */
export interface RawRequest {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Disconnects the client. @default the client waits for the answer */
  readonly signal?: AbortSignal;
}

/** An event of a watch. */
export interface RawEvent {
  readonly type: string;
  readonly object: Json;
}

/** Sends requests over HTTP/1.1 and TLS without a client library. */
export class RawClient {
  readonly #server: ApiServer;
  readonly #token: string | undefined;

  constructor(server: ApiServer, options: { readonly token?: string | undefined } = { token: server.token }) {
    this.#server = server;
    this.#token = options.token;
  }

  async send(method: string, path: string, options: RawRequest = {}): Promise<RawAnswer> {
    const answer = await this.#open(method, path, options);
    const chunks: Buffer[] = [];
    for await (const chunk of answer) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    return {
      status: answer.statusCode ?? 0,
      headers: answer.headers,
      text,
      get body() {
        return JSON.parse(text) as Json;
      },
    };
  }

  async get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<RawAnswer> {
    return this.send('GET', path, { headers });
  }

  async post(path: string, body: unknown): Promise<RawAnswer> {
    return this.send('POST', path, { body });
  }

  /** Starts a watch and yields its events. Leaving the loop ends the watch. */
  async *watch(path: string, headers: Readonly<Record<string, string>> = {}): AsyncGenerator<RawEvent> {
    const answer = await this.#open('GET', path, { headers });
    let rest = '';
    try {
      for await (const chunk of answer) {
        const lines = (rest + String(chunk)).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) yield JSON.parse(line) as RawEvent;
      }
    } finally {
      answer.destroy();
    }
  }

  /** Returns the first events of a watch, up to the event for which `last` returns true. */
  async eventsUntil(path: string, last: (event: RawEvent, index: number) => boolean): Promise<readonly RawEvent[]> {
    const events: RawEvent[] = [];
    for await (const event of this.watch(path)) {
      events.push(event);
      if (last(event, events.length - 1)) break;
    }
    return events;
  }

  #open(method: string, path: string, { body, headers = {}, signal }: RawRequest): Promise<IncomingMessage> {
    const raw = typeof body === 'string' || body instanceof Uint8Array;
    const payload = body === undefined || raw ? body : JSON.stringify(body);
    const authorization = this.#token === undefined ? {} : { authorization: `Bearer ${this.#token}` };
    return new Promise((resolve, reject) => {
      const request = httpsRequest(
        `${this.#server.url}${path}`,
        {
          method,
          ca: this.#server.certificateAuthority,
          agent: false,
          ...(signal === undefined ? {} : { signal }),
          headers: { 'content-type': 'application/json', ...authorization, ...headers },
        },
        resolve,
      );
      request.on('error', reject);
      request.end(payload);
    });
  }
}

/** Returns a ConfigMap for a request. */
export function configMap(name: string, data: Readonly<Record<string, string>> = {}, labels?: object): object {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...(labels === undefined ? {} : { labels }) }, data };
}
