// A minimal DNS provider: zones in memory, served over HTTP.
import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { Zone, ZoneRecord } from './dns-api.js';

interface StoredZone extends Zone {
  state: Zone['state'];
  records: readonly ZoneRecord[];
}

/**
 * Serves GET, POST and DELETE for zones, and PUT for the records of a zone. A new zone is pending in the response to its first GET. The
 * zone is live after this response. The domain taken.org belongs to another account. PUT /failures makes the given number of following
 * requests fail.
 */
export class DnsServer implements AsyncDisposable {
  readonly zones = new Map<string, StoredZone>();
  /** Emits 'records' after a client has set the records of a zone. */
  readonly changes = new EventEmitter();
  readonly #server: Server;
  #failures = 0;

  private constructor() {
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }
  static async start(port = 0): Promise<DnsServer> {
    const dns = new DnsServer();
    dns.#server.listen(port, '127.0.0.1');
    await once(dns.#server, 'listening');
    return dns;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, collection, id = '', part] = (request.url ?? '').split('/');
    const body = request.method === 'PUT' || request.method === 'POST' ? await json(request) : undefined;
    const [status, answer] =
      collection === 'failures' ? this.#fail(Number(body)) : this.#zone(request.method, { id, part, body });
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  }
  #fail(count: number): [number, unknown] {
    this.#failures = count;
    return [200, {}];
  }
  #zone(method = '', { id, part, body }: { id: string; part: string | undefined; body: unknown }): [number, unknown] {
    if (this.#failures > 0) {
      this.#failures--;
      return [503, {}];
    }
    if (method === 'POST') return this.#create((body as { domain: string }).domain);
    const zone = this.zones.get(id);
    if (zone === undefined) return [404, {}];
    if (method === 'DELETE') this.zones.delete(id);
    if (method === 'PUT' && part === 'records') {
      zone.records = body as ZoneRecord[];
      this.changes.emit('records');
    }
    const answer = { ...zone };
    zone.state = 'live';
    return [200, answer];
  }
  #create(domain: string): [number, unknown] {
    if (domain === 'taken.org' || this.zones.has(domain)) return [409, {}];
    const zone: StoredZone = { id: domain, state: 'pending', records: [] };
    this.zones.set(domain, zone);
    return [201, zone];
  }
}
