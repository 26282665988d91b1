import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { Agent, request as httpsRequest } from 'node:https';

export type ClientRequest = readonly [method: string, path: string, body?: object];

/** A client of an API server with 16 connections that stay open. The kubeconfig must contain a token. */
export class ApiClient implements Disposable {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 16 });
  /** The connections of requests that run while the other connections are in use. */
  readonly #extra = new Agent({ keepAlive: true });
  readonly #server: string;
  readonly #options: { readonly ca: Buffer; readonly headers: Readonly<Record<string, string>> };

  constructor(kubeconfig: string) {
    const text = readFileSync(kubeconfig, 'utf8');
    const field = (name: string): string => new RegExp(`${name}: "?([^"\\s]+)`).exec(text)?.[1] ?? '';
    this.#server = field('server');
    this.#options = {
      ca: Buffer.from(field('certificate-authority-data'), 'base64'),
      headers: { authorization: `Bearer ${field('token')}`, 'content-type': 'application/json' },
    };
  }
  [Symbol.dispose](): void {
    this.#agent.destroy();
    this.#extra.destroy();
  }

  /** Sends a request, and returns the body of the response. Throws an error if the status is not a success. */
  async text(...request: ClientRequest): Promise<string> {
    const answer = await this.#send(request, this.#agent);
    let text = '';
    for await (const chunk of answer.setEncoding('utf8')) text += String(chunk);
    if ((answer.statusCode ?? 500) >= 300) throw new Error(`unexpected answer: ${text}`);
    return text;
  }

  /** Sends a request, and reads the response without keeping it. Returns the number of bytes. */
  async bytes(...request: ClientRequest): Promise<number> {
    const answer = await this.#send(request, this.#extra);
    let bytes = 0;
    for await (const chunk of answer) bytes += (chunk as Buffer).length;
    return bytes;
  }

  /** Sends the given number of requests. Each connection sends its requests one after the other. */
  async many(count: number, make: (index: number) => ClientRequest): Promise<void> {
    let next = 0;
    const hands = Array.from({ length: 16 }, async () => {
      for (let index = next++; index < count; index = next++) await this.text(...make(index));
    });
    await Promise.all(hands);
  }

  /** Opens a watch. The returned function waits for the given number of events and closes the watch. */
  async watch(path: string): Promise<(count: number) => Promise<void>> {
    const answer = await this.#send(['GET', path], this.#extra);
    return async (count) => {
      let seen = 0;
      for await (const chunk of answer) {
        for (let at = -1; (at = (chunk as Buffer).indexOf(0x0a, at + 1)) !== -1; ) seen += 1;
        if (seen >= count) break;
      }
      answer.destroy();
    };
  }

  #send([method, path, body]: ClientRequest, agent: Agent): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const request = httpsRequest(`${this.#server}${path}`, { ...this.#options, method, agent }, resolve);
      request.on('error', reject);
      request.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }
}
