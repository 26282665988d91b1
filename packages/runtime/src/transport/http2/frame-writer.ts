import { type Http2Code, numberOf } from './http2-error.js';
import { FLAG, FRAME, FRAME_HEAD } from './frames.js';

/** The minimum size, in bytes, of the memory into which consecutive frames are written. */
const ARENA_BYTES = 65_536;
const PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';

/** The numbers of the settings of a connection. See RFC 9113, section 6.5.2. */
export const SETTING = { ENABLE_PUSH: 2, MAX_STREAMS: 3, WINDOW: 4, MAX_PAYLOAD: 5, MAX_HEADER_BYTES: 6 } as const;

/** The indexes of the names of request headers among the predefined headers. */
const NAMES: ReadonlyMap<string, number> = new Map([
  [':authority', 1],
  [':method', 2],
  [':path', 4],
  ['accept', 19],
  ['authorization', 23],
  ['content-length', 28],
  ['content-type', 31],
  ['host', 38],
  ['user-agent', 58],
]);
const [GET, POST, HTTPS] = [0x82, 0x83, 0x87];
/** Sets the size of the table of sent headers to 0. The client never refers to earlier headers, so the server needs no table. */
const NO_TABLE = 0x20;
/** The first bits of a header that no proxy may store in a table. */
const NEVER_STORED = 0x10;

/** The headers of a caller that are not sent: HTTP/2 does not allow the header, or the client sets the header itself. */
const OMITTED: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'host',
  'keep-alive',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'upgrade',
]);
const VALID_NAME = /^[!#$%&'*+\-.^_`|~0-9a-z]+$/;
const INVALID_VALUE = /[^\t\x20-\x7e\x80-\xff]/;
const INVALID_PATH = /[^\x21-\xff]/;

/** The head of a request. */
export interface RequestHead {
  readonly method: string;
  readonly path: string;
  readonly authority: string;
  readonly headers: Readonly<Record<string, string | string[]>>;
  /** The size of the body in bytes. Undefined for a request without a body. */
  readonly contentLength: number | undefined;
}

/** The maximum encoded size, in bytes, of each of these fields: the method, the content length, and the path without its text. */
const LONGEST_FIELD = 32;

/** The headers of the last request with a method, and their encoded form. The next request usually has the same headers. */
interface EncodedHeaders {
  readonly authority: string;
  readonly names: readonly string[];
  readonly values: readonly (string | string[])[];
  readonly bytes: Buffer;
}

/** Collects the frames that a client sends, so that the frames of several requests are sent with one write. */
export class FrameWriter {
  /** The encoded headers of the last request with each method. Most requests differ only in their path and the size of their body. */
  readonly #encoded = new Map<string, EncodedHeaders>();
  #arena = Buffer.allocUnsafeSlow(ARENA_BYTES);
  /** The part of the arena that contains frames which are not taken yet. */
  #from = 0;
  #to = 0;

  /** Returns the frames since the last call. Returns undefined if there are none. */
  take(): Buffer | undefined {
    if (this.#from === this.#to) return undefined;
    const bytes = this.#arena.subarray(this.#from, this.#to);
    this.#from = this.#to;
    return bytes;
  }

  /** Writes the start of a connection: the preface, the settings of the client, and the additional receive window of the connection. */
  start(settings: readonly (readonly [setting: number, value: number])[], windowIncrement: number): void {
    this.#reserve(PREFACE.length);
    this.#to += this.#arena.write(PREFACE, this.#to, 'latin1');
    this.#head(FRAME.SETTINGS, { size: settings.length * 6, flags: 0, stream: 0 });
    for (const [setting, value] of settings) {
      this.#to = this.#arena.writeUInt16BE(setting, this.#to);
      this.#number(value);
    }
    this.windowUpdate(0, windowIncrement);
  }

  /** Writes the headers of a request. Throws an error, and writes nothing, if the path or a header is invalid. */
  request(stream: number, head: RequestHead, maxPayload: number): void {
    const { path } = head;
    if (INVALID_PATH.test(path)) throw new Error('the path of the request contains an invalid character');
    const headers = this.#headersOf(head);
    this.#reserve(FRAME_HEAD + 3 * LONGEST_FIELD + path.length + headers.length);
    const start = this.#to;
    this.#to += FRAME_HEAD;
    this.#block(head, headers);
    const end = this.#to;
    const size = end - start - FRAME_HEAD;
    const ending = head.contentLength === undefined ? FLAG.END_STREAM : 0;
    this.#to = start;
    if (size <= maxPayload) {
      this.#head(FRAME.HEADERS, { size, flags: FLAG.END_HEADERS | ending, stream });
      this.#to = end;
      return;
    }
    const block = Buffer.from(this.#arena.subarray(start + FRAME_HEAD, end));
    for (let at = 0; at < block.length; at += maxPayload) {
      const payload = block.subarray(at, at + maxPayload);
      const isLast = at + payload.length === block.length;
      const flags = (isLast ? FLAG.END_HEADERS : 0) | (at === 0 ? ending : 0);
      this.#frame(at === 0 ? FRAME.HEADERS : FRAME.CONTINUATION, { flags, stream, payload });
    }
  }

  /** Writes a part of the body of a request. */
  data(stream: number, payload: Uint8Array, isEnd: boolean): void {
    this.#frame(FRAME.DATA, { flags: isEnd ? FLAG.END_STREAM : 0, stream, payload });
  }
  settingsAck(): void {
    this.#head(FRAME.SETTINGS, { size: 0, flags: FLAG.ACK, stream: 0 });
  }
  ping(payload: Uint8Array, isAck: boolean): void {
    this.#frame(FRAME.PING, { flags: isAck ? FLAG.ACK : 0, stream: 0, payload });
  }
  windowUpdate(stream: number, increment: number): void {
    this.#head(FRAME.WINDOW_UPDATE, { size: 4, flags: 0, stream });
    this.#number(increment);
  }
  reset(stream: number, code: Http2Code): void {
    this.#head(FRAME.RST_STREAM, { size: 4, flags: 0, stream });
    this.#number(numberOf(code));
  }
  goaway(code: Http2Code): void {
    this.#head(FRAME.GOAWAY, { size: 8, flags: 0, stream: 0 });
    this.#number(0);
    this.#number(numberOf(code));
  }

  #frame(type: number, { flags, stream, payload }: { flags: number; stream: number; payload: Uint8Array }): void {
    this.#head(type, { size: payload.length, flags, stream });
    this.#arena.set(payload, this.#to);
    this.#to += payload.length;
  }

  /** Writes the head of a frame, and reserves memory for its payload. */
  #head(type: number, { size, flags, stream }: { size: number; flags: number; stream: number }): void {
    this.#reserve(FRAME_HEAD + size);
    const [arena, at] = [this.#arena, this.#to];
    arena[at] = size >>> 16;
    arena[at + 1] = size >>> 8;
    arena[at + 2] = size;
    arena[at + 3] = type;
    arena[at + 4] = flags;
    arena.writeUInt32BE(stream, at + 5);
    this.#to = at + FRAME_HEAD;
  }

  #number(value: number): void {
    this.#to = this.#arena.writeUInt32BE(value, this.#to);
  }

  /**
   * Ensures that the arena has space for further bytes. If the space is not sufficient, uses a new arena, and copies the frames that were
   * not taken. The old arena is not reused, because the socket may still be sending its bytes.
   */
  #reserve(bytes: number): void {
    if (this.#to + bytes <= this.#arena.length) return;
    const kept = this.#arena.subarray(this.#from, this.#to);
    const arena = Buffer.allocUnsafeSlow(Math.max(ARENA_BYTES, 2 * (kept.length + bytes)));
    arena.set(kept);
    this.#arena = arena;
    this.#from = 0;
    this.#to = kept.length;
  }

  #block({ method, path, contentLength }: RequestHead, headers: Buffer): void {
    const arena = this.#arena;
    arena[this.#to++] = NO_TABLE;
    if (method === 'GET') arena[this.#to++] = GET;
    else if (method === 'POST') arena[this.#to++] = POST;
    else this.#literal(':method', method);
    arena[this.#to++] = HTTPS;
    this.#literal(':path', path);
    arena.set(headers, this.#to);
    this.#to += headers.length;
    if (contentLength !== undefined) this.#literal('content-length', String(contentLength));
  }

  /** Returns the encoded headers of a request, without the method, the path and the size of the body. */
  #headersOf(head: RequestHead): Buffer {
    const known = this.#encoded.get(head.method);
    if (known !== undefined && hasHeaders(head, known)) return known.bytes;
    const { method, authority, headers } = head;
    const fields = fieldsOf(head);
    this.#reserve(longestBlock(fields));
    const start = this.#to;
    for (let at = 0; at < fields.length; at += 2) this.#literal(fields[at]!, fields[at + 1]!);
    const bytes = Buffer.from(this.#arena.subarray(start, this.#to));
    this.#to = start;
    this.#encoded.set(method, { authority, names: Object.keys(headers), values: Object.values(headers), bytes });
    return bytes;
  }

  #literal(name: string, value: string): void {
    const index = NAMES.get(name) ?? 0;
    this.#prefixed(name === 'authorization' ? NEVER_STORED : 0, 4, index);
    if (index === 0) this.#text(name);
    this.#text(value);
  }

  #text(text: string): void {
    this.#prefixed(0, 7, text.length);
    this.#to += this.#arena.write(text, this.#to, 'latin1');
  }

  #prefixed(first: number, prefixBits: number, value: number): void {
    const arena = this.#arena;
    const most = 2 ** prefixBits - 1;
    if (value < most) {
      arena[this.#to++] = first | value;
      return;
    }
    arena[this.#to++] = first | most;
    let rest = value - most;
    for (; rest >= 0x80; rest >>>= 7) arena[this.#to++] = (rest & 0x7f) | 0x80;
    arena[this.#to++] = rest;
  }
}

/** Whether a request has the same headers in the same order. A list of values counts as different, because a caller can change it. */
function hasHeaders({ authority, headers }: RequestHead, { authority: known, names, values }: EncodedHeaders): boolean {
  if (authority !== known) return false;
  let count = 0;
  for (const name in headers) {
    const value = headers[name];
    if (typeof value !== 'string' || name !== names[count] || value !== values[count]) return false;
    count++;
  }
  return count === names.length;
}

/**
 * Returns the names and values of the headers, alternating, starting with `:authority` and `host`. Omits the headers in `OMITTED`. Throws
 * an error if a name or a value is invalid.
 */
export function fieldsOf({ authority, headers }: Pick<RequestHead, 'authority' | 'headers'>): readonly string[] {
  // Programs that only know HTTP/1.1 read the header `host`.
  const fields = [':authority', authority, 'host', authority];
  for (const given of Object.keys(headers)) {
    const name = given.toLowerCase();
    if (!VALID_NAME.test(name)) throw new Error(`'${given}' is not a valid name of a header`);
    if (OMITTED.has(name)) continue;
    const value = headers[given]!;
    if (typeof value === 'string') fields.push(name, validated(name, value));
    else for (const one of value) fields.push(name, validated(name, one));
  }
  return fields;
}

function validated(name: string, value: string): string {
  if (INVALID_VALUE.test(value)) throw new Error(`the header ${name} contains an invalid character`);
  return value;
}

/** Returns the maximum size of encoded headers in bytes. */
function longestBlock(fields: readonly string[]): number {
  // For each header, a prefix of two bytes and two lengths of five bytes.
  let bytes = 0;
  for (const text of fields) bytes += text.length + 6;
  return bytes;
}
