import type { Header } from '../http2/static-headers.js';
import type { Answer } from './dispatch.js';
import type { PendingRequest } from './pending-request.js';

/** One request on an HTTP/2 connection, with the part of its response that has arrived. */
export class RequestStream {
  readonly id: number;
  readonly pending: PendingRequest;
  readonly sentMs: number;
  /** The time at which the last byte of the response arrived, or at which the last part of the request was sent. */
  activeMs: number;
  /** The number of bytes of the body that the server allows the client to send. */
  sendWindow: number;
  /** The part of the body that is not sent yet. Undefined if the body is sent completely. */
  unsent: Buffer | undefined;
  /** The number of received bytes that the client has not acknowledged. */
  unacknowledged = 0;
  #code = 0;
  #headers: Answer['headers'] = {};
  #chunks: Buffer[] = [];
  #size = 0;

  constructor(id: number, pending: PendingRequest, start: { readonly sendWindow: number; readonly nowMs: number }) {
    this.id = id;
    this.pending = pending;
    this.sendWindow = start.sendWindow;
    this.sentMs = start.nowMs;
    this.activeMs = start.nowMs;
  }

  /** Whether the headers of the final response have arrived. */
  get hasHead(): boolean {
    return this.#code !== 0;
  }
  /** Whether the headers have arrived and the body has the size in `content-length`. A response without this header can have any size. */
  get isComplete(): boolean {
    const length = this.#headers['content-length'];
    // A 304 names the size of the body that it omits.
    return this.hasHead && (length === undefined || Number(length) === this.#size || this.#code === 304);
  }

  /** Processes the headers of a response. Ignores an informational response. Returns a description of the defect if there is one. */
  head(fields: readonly Header[], isEnd: boolean): string | undefined {
    let code: string | undefined;
    let isRegular = false;
    const headers = Object.create(null) as Record<string, string | string[]>;
    for (const [name, value] of fields) {
      if (name.startsWith(':')) {
        if (name !== ':status' || code !== undefined || isRegular) return 'invalid pseudo-headers';
        code = value;
        continue;
      }
      isRegular = true;
      if (name === '' || name !== name.toLowerCase()) return 'an invalid name of a header';
      const present = headers[name];
      if (present === undefined) headers[name] = decoded(value);
      else headers[name] = [present, decoded(value)].flat();
    }
    if (code === undefined || !/^[1-9]\d\d$/.test(code)) return 'a response without a status';
    if (code.startsWith('1')) return isEnd || code === '101' ? 'an invalid informational response' : undefined;
    this.#code = Number(code);
    this.#headers = headers;
    return undefined;
  }

  /** Processes the headers after a body. Returns a description of the defect if there is one. */
  trailers(isEnd: boolean): string | undefined {
    return isEnd ? undefined : 'headers in the middle of a response';
  }

  received(bytes: Buffer): void {
    this.#size += bytes.length;
    if (bytes.length > 0) this.#chunks.push(bytes);
  }

  answer(): Answer {
    const [first] = this.#chunks;
    const body = this.#chunks.length === 1 && first !== undefined ? first : Buffer.concat(this.#chunks);
    return { code: this.#code, headers: this.#headers, body };
  }
}

/** Returns the value of a header as text. The value has one character for each byte of UTF-8. */
export function decoded(value: string): string {
  return /[\x80-\xff]/.test(value) ? Buffer.from(value, 'latin1').toString('utf8') : value;
}
