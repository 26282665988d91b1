import type { Duplex } from 'node:stream';
import { PeerStream } from './peer-stream.js';
import { readFrames } from './read-frames.js';
import { emptyHeaderBlock, SpdyHeaderReader } from './spdy-headers.js';

const headBytes = 8;
const controlBit = 0x80;
const version = 3;
const finFlag = 1;
const types = { synStream: 1, synReply: 2, rstStream: 3, ping: 6, goAway: 7 } as const;
const mostDataBytes = 32 * 1024;
/** The maximum number of open streams of a connection. */
const mostStreams = 4096;
/** The status of a RST_STREAM frame whose sender no longer needs the stream. */
const cancelStatus = 5;

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
  #isClosing = false;

  constructor(socket: Duplex, onStream: (opened: SpdyStream) => void) {
    this.#socket = socket;
    this.#onStream = onStream;
  }

  /** Reads frames until the client closes the connection, and then ends all streams. */
  async run(): Promise<void> {
    try {
      for await (const frame of readFrames(this.#socket, frameSize)) await this.#receive(frame);
    } catch {
      // The connection broke, or the client sent an invalid frame.
    } finally {
      this.#destroyStreams();
      this.#headers.close();
      this.#socket.destroy();
    }
  }

  /** Closes the connection after the sent data. Ignores all data that the client has sent and no stream has read. */
  close(): void {
    const body = Buffer.alloc(8);
    body.writeUInt32BE(this.#lastId, 0);
    this.#control(types.goAway, body);
    this.#isClosing = true;
    this.#socket.end();
    this.#destroyStreams();
  }

  /** Destroys all streams without notifying the client. */
  #destroyStreams(): void {
    const streams = [...this.#streams.values()];
    this.#streams.clear();
    for (const stream of streams) stream.destroy();
  }

  async #receive(frame: Buffer): Promise<void> {
    const [first = 0, , , type = 0, flags = 0] = frame;
    const body = frame.subarray(headBytes);
    if ((first & controlBit) === 0) return this.#data(frame.readUInt32BE(0), flags, body);
    switch (type) {
      case types.synStream:
        return this.#open(body.readUInt32BE(0) & 0x7fffffff, flags, await this.#headers.read(body.subarray(10)));
      case types.rstStream:
        return this.#reset(body.readUInt32BE(0));
      case types.ping:
        return this.#answer(types.ping, body);
      default:
      // The server ignores all other frames, such as SETTINGS, WINDOW_UPDATE and GOAWAY.
    }
  }

  async #open(id: number, flags: number, headers: ReadonlyMap<string, string>): Promise<void> {
    if (this.#isClosing) return;
    if (id <= this.#lastId) throw new RangeError('the IDs of streams must increase');
    if (this.#streams.size >= mostStreams) throw new RangeError('the client has opened too many streams');
    const stream = new PeerStream({
      send: (data, done) => this.#send(id, data, done),
      finish: (done) => this.#socket.write(dataHead(id, 0, finFlag), done),
    });
    this.#streams.set(id, stream);
    this.#lastId = id;
    stream.once('close', () => {
      // Without this frame, the client waits for the end of a stream that the handler has destroyed.
      if (this.#streams.delete(id) && !stream.writableFinished) this.#control(types.rstStream, resetBody(id));
    });
    const reply = Buffer.alloc(4);
    reply.writeUInt32BE(id);
    const replied = this.#answer(types.synReply, Buffer.concat([reply, emptyHeaderBlock(this.#replies === 0)]));
    this.#replies += 1;
    this.#onStream({ id, headers, stream });
    if ((flags & finFlag) !== 0) await stream.receive(null);
    await replied;
  }

  /** Destroys a stream that the client has reset. */
  #reset(id: number): void {
    const stream = this.#streams.get(id);
    this.#streams.delete(id);
    stream?.destroy();
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

  /**
   * Sends the answer to a frame. Resolves when the answer is written. The server then reads the next frame, so that a client that does not
   * read cannot fill the memory.
   */
  #answer(type: number, body: Buffer): Promise<void> {
    return new Promise((resolve) => this.#control(type, body, () => resolve()));
  }

  #control(type: number, body: Buffer, done?: () => void): void {
    if (this.#isClosing || this.#socket.destroyed) return done?.();
    const head = Buffer.from([controlBit, version, 0, type, 0, 0, 0, 0]);
    head.writeUIntBE(body.length, 5, 3);
    this.#socket.write(Buffer.concat([head, body]), done);
  }
}

/** Returns the size of the first frame, or undefined if the bytes do not contain the head of the frame. */
function frameSize(bytes: Buffer): number | undefined {
  return bytes.length < headBytes ? undefined : headBytes + bytes.readUIntBE(5, 3);
}

/** Returns the body of a frame that cancels a stream. */
function resetBody(id: number): Buffer {
  const body = Buffer.alloc(8);
  body.writeUInt32BE(id, 0);
  body.writeUInt32BE(cancelStatus, 4);
  return body;
}

function dataHead(id: number, length: number, flags: number): Buffer {
  const head = Buffer.alloc(headBytes);
  head.writeUInt32BE(id, 0);
  head.writeUInt8(flags, 4);
  head.writeUIntBE(length, 5, 3);
  return head;
}
