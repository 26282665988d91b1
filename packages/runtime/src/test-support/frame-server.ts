import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type Server, type TLSSocket } from 'node:tls';
import { selfSignedCertificate } from '../serving/self-signed-certificate.js';
import { FLAG, FRAME, type Frame, FrameReader } from '../transport/http2/frames.js';

const PREFACE_BYTES = 24;

/** The stream and the payload of a frame. @default the connection, and an empty payload */
export interface FrameParts {
  readonly stream?: number;
  readonly payload?: Buffer;
}

/** Returns the bytes of a frame. */
export function frameOf(
  type: number,
  flags: number,
  { stream = 0, payload = Buffer.alloc(0) }: FrameParts = {},
): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** Returns numbers of four bytes each. */
export function numbers(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, index * 4);
  return bytes;
}

/** Returns the payload of a SETTINGS frame. */
export function settingsOf(settings: Readonly<Record<number, number>>): Buffer {
  return Buffer.concat(
    Object.entries(settings).map(([setting, value]) =>
      Buffer.concat([Buffer.from([0, Number(setting)]), numbers(value)]),
    ),
  );
}

/** An HTTP/2 connection whose frames a test receives and sends. */
export class FrameConnection {
  readonly socket: TLSSocket;
  /** The number of chunks of bytes that have arrived. */
  chunks = 0;
  /** Resolves when the client has closed the connection. */
  readonly closed: Promise<unknown>;
  readonly #arrived: Frame[] = [];
  readonly #waiting: (() => void)[] = [];

  constructor(socket: TLSSocket) {
    this.socket = socket;
    this.closed = once(socket, 'close');
    socket.on('error', () => undefined);
    const reader = new FrameReader();
    let preface = PREFACE_BYTES;
    socket.on('data', (chunk: Buffer) => {
      this.chunks++;
      this.#arrived.push(...reader.read(chunk.subarray(preface)));
      preface = Math.max(0, preface - chunk.length);
      for (const wake of this.#waiting.splice(0)) wake();
    });
  }

  /** Resolves with the next frame of the type, and ignores earlier frames of other types. */
  async next(type: number): Promise<Frame> {
    for (;;) {
      for (let frame = this.#arrived.shift(); frame !== undefined; frame = this.#arrived.shift())
        if (frame.type === type) return frame;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  send(type: number, flags = 0, parts: FrameParts = {}): this {
    this.socket.write(frameOf(type, flags, parts));
    return this;
  }
  settings(settings: Readonly<Record<number, number>> = {}): this {
    return this.send(FRAME.SETTINGS, 0, { payload: settingsOf(settings) });
  }
  /** Responds to the request of a stream with status 200 and a body. */
  answer(stream: number, body = '{}'): this {
    this.send(FRAME.HEADERS, FLAG.END_HEADERS, { stream, payload: Buffer.from([0x88]) });
    return this.send(FRAME.DATA, FLAG.END_STREAM, { stream, payload: Buffer.from(body) });
  }
}

/** A TLS server that selects HTTP/2, whose frames a test writes. */
export class FrameServer implements AsyncDisposable {
  readonly ca: string;
  readonly #server: Server;
  readonly #accepted: FrameConnection[] = [];
  readonly #waiting: ((connection: FrameConnection) => void)[] = [];
  readonly #sockets = new Set<TLSSocket>();

  private constructor() {
    const pair = selfSignedCertificate(['127.0.0.1']);
    this.ca = pair.cert;
    this.#server = createServer({ ...pair, ALPNProtocols: ['h2'] }, (socket) => {
      this.#sockets.add(socket);
      const connection = new FrameConnection(socket);
      const waiting = this.#waiting.shift();
      if (waiting === undefined) this.#accepted.push(connection);
      else waiting(connection);
    });
  }

  static async start(): Promise<FrameServer> {
    const server = new FrameServer();
    await once(server.#server.listen(0, '127.0.0.1'), 'listening');
    return server;
  }

  get url(): string {
    return `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Resolves with the next connection. */
  next(): Promise<FrameConnection> {
    const accepted = this.#accepted.shift();
    if (accepted !== undefined) return Promise.resolve(accepted);
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }
}
