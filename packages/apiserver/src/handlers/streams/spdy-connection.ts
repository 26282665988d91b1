import type { Duplex } from 'node:stream';
import { PeerStream } from './peer-stream.js';
import { emptyHeaderBlock, SpdyHeaderReader } from './spdy-headers.js';

const headBytes = 8;
const controlBit = 0x80;
const version = 3;
const finFlag = 1;
const types = { synStream: 1, synReply: 2, rstStream: 3, ping: 6, goAway: 7 } as const;
const mostDataBytes = 32 * 1024;
const mostFrameBytes = 16 * 1024 * 1024;

/** A stream that the client has opened, with the headers of the stream. */
export interface SpdyStream {
  readonly id: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly stream: PeerStream;
}

/** The server's side of a SPDY/3.1 connection, which `kubectl` uses for `exec`, `attach` and `port-forward`. */
export class SpdyConnection {
  readonly #socket: Duplex;
  readonly #onStream: (opened: SpdyStream) => void;
  readonly #streams = new Map<number, PeerStream>();
  readonly #headers = new SpdyHeaderReader();
  #replies = 0;
  #lastId = 0;

  constructor(socket: Duplex, onStream: (opened: SpdyStream) => void) {
    this.#socket = socket;
    this.#onStream = onStream;
  }

  /** Reads frames until the client closes the connection, and then ends all streams. */
  async run(): Promise<void> {
    try {
      let pending: Buffer = Buffer.alloc(0);
      for await (const chunk of this.#socket as AsyncIterable<Buffer>) {
        pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
        while (pending.length >= headBytes) {
          const size = headBytes + pending.readUIntBE(5, 3);
          if (size > mostFrameBytes) return;
          if (pending.length < size) break;
          await this.#receive(pending.subarray(0, size));
          pending = pending.subarray(size);
        }
      }
    } catch {
      // The connection broke, or the client sent an invalid frame.
    } finally {
      for (const stream of this.#streams.values()) stream.destroy();
      this.#headers.close();
      this.#socket.destroy();
    }
  }

  /** Closes the connection after the sent data. */
  close(): void {
    const body = Buffer.alloc(8);
    body.writeUInt32BE(this.#lastId, 0);
    this.#control(types.goAway, body);
    this.#socket.end();
  }

  async #receive(frame: Buffer): Promise<void> {
    const [first = 0, , , type = 0, flags = 0] = frame;
    const body = frame.subarray(headBytes);
    if ((first & controlBit) === 0) return this.#data(frame.readUInt32BE(0), flags, body);
    switch (type) {
      case types.synStream:
        return this.#open(body.readUInt32BE(0) & 0x7fffffff, flags, await this.#headers.read(body.subarray(10)));
      case types.rstStream:
        this.#streams.get(body.readUInt32BE(0))?.destroy();
        return;
      case types.ping:
        return this.#control(types.ping, body);
      default:
      // The server ignores all other frames, such as SETTINGS, WINDOW_UPDATE and GOAWAY.
    }
  }

  async #open(id: number, flags: number, headers: ReadonlyMap<string, string>): Promise<void> {
    const stream = new PeerStream({
      send: (data, done) => this.#send(id, data, done),
      finish: (done) => this.#socket.write(dataHead(id, 0, finFlag), done),
    });
    this.#streams.set(id, stream);
    this.#lastId = id;
    stream.once('close', () => this.#streams.delete(id));
    const reply = Buffer.alloc(4);
    reply.writeUInt32BE(id);
    this.#control(types.synReply, Buffer.concat([reply, emptyHeaderBlock(this.#replies === 0)]));
    this.#replies += 1;
    this.#onStream({ id, headers, stream });
    if ((flags & finFlag) !== 0) await stream.receive(null);
  }

  async #data(id: number, flags: number, data: Buffer): Promise<void> {
    const stream = this.#streams.get(id);
    if (data.length > 0) await stream?.receive(Buffer.from(data));
    if ((flags & finFlag) !== 0) await stream?.receive(null);
  }

  #send(id: number, data: Buffer, done: (error?: Error | null) => void): void {
    for (let at = 0; at < data.length; at += mostDataBytes) {
      const part = data.subarray(at, at + mostDataBytes);
      this.#socket.write(dataHead(id, part.length, 0));
      this.#socket.write(part, at + mostDataBytes >= data.length ? done : undefined);
    }
    if (data.length === 0) done();
  }

  #control(type: number, body: Buffer): void {
    const head = Buffer.from([controlBit, version, 0, type, 0, 0, 0, 0]);
    head.writeUIntBE(body.length, 5, 3);
    this.#socket.write(Buffer.concat([head, body]));
  }
}

function dataHead(id: number, length: number, flags: number): Buffer {
  const head = Buffer.alloc(headBytes);
  head.writeUInt32BE(id, 0);
  head.writeUInt8(flags, 4);
  head.writeUIntBE(length, 5, 3);
  return head;
}
