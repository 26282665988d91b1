import { createHash } from 'node:crypto';
import type { Duplex } from 'node:stream';

/** The suffix of a key that RFC 6455 defines. */
const acceptSuffix = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const mostMessageBytes = 16 * 1024 * 1024;
const opcodes = { text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;
const closeCodes = { normal: 1000, protocolError: 1002, tooBig: 1009 } as const;

/** Returns the headers of the response that accepts a WebSocket. */
export function webSocketHeaders(key: string, protocol: string): Readonly<Record<string, string>> {
  const accept = createHash('sha1').update(`${key}${acceptSuffix}`).digest('base64');
  return {
    upgrade: 'websocket',
    connection: 'Upgrade',
    'sec-websocket-accept': accept,
    'sec-websocket-protocol': protocol,
  };
}

/** A frame of a WebSocket. */
interface Frame {
  readonly isLast: boolean;
  readonly opcode: number;
  readonly data: Buffer;
  /** The number of bytes of the frame. */
  readonly size: number;
}

/** The server's side of a WebSocket (RFC 6455), after the response that accepts it. */
export class WebSocketPeer {
  readonly #socket: Duplex;
  #isClosing = false;

  constructor(socket: Duplex) {
    this.#socket = socket;
  }

  /** Yields the messages of the client until the client closes the connection. */
  async *messages(): AsyncGenerator<Buffer> {
    let pending: Buffer = Buffer.alloc(0);
    let parts: Buffer[] = [];
    for await (const chunk of this.#socket as AsyncIterable<Buffer>) {
      pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
      for (let frame = readFrame(pending); frame !== undefined; frame = readFrame(pending)) {
        if (frame === 'invalid') return this.close(closeCodes.protocolError);
        pending = pending.subarray(frame.size);
        if (frame.opcode === opcodes.close) return this.close();
        if (frame.opcode === opcodes.ping) this.#write(opcodes.pong, frame.data);
        if (frame.opcode >= opcodes.close) continue;
        parts.push(frame.data);
        if (!frame.isLast) continue;
        yield parts.length === 1 ? frame.data : Buffer.concat(parts);
        parts = [];
      }
      const bytes = parts.reduce((sum, { length }) => sum + length, pending.length);
      if (bytes > mostMessageBytes) return this.close(closeCodes.tooBig);
    }
  }

  /** Sends a binary message. Calls `done` when the data is written. */
  send(data: Buffer, done?: (error?: Error | null) => void): void {
    if (this.#isClosing || this.#socket.destroyed) done?.();
    else this.#write(opcodes.binary, data, done);
  }

  /** Closes the connection after the sent messages. */
  close(code: number = closeCodes.normal): void {
    if (this.#isClosing) return;
    this.#isClosing = true;
    const data = Buffer.alloc(2);
    data.writeUInt16BE(code);
    this.#write(opcodes.close, data);
    this.#socket.end();
  }

  #write(opcode: number, data: Buffer, done?: (error?: Error | null) => void): void {
    this.#socket.write(frameHead(opcode, data.length));
    this.#socket.write(data, done);
  }
}

function frameHead(opcode: number, length: number): Buffer {
  const final = 0x80 | opcode;
  if (length < 126) return Buffer.from([final, length]);
  if (length < 65_536) return Buffer.from([final, 126, length >> 8, length & 0xff]);
  const head = Buffer.alloc(10);
  head.writeUInt8(final, 0);
  head.writeUInt8(127, 1);
  head.writeBigUInt64BE(BigInt(length), 2);
  return head;
}

/** Returns the first frame of the bytes, undefined if the frame is not complete, or 'invalid'. */
function readFrame(bytes: Buffer): Frame | 'invalid' | undefined {
  if (bytes.length < 2) return undefined;
  const [first = 0, second = 0] = bytes;
  // Clients must mask their frames. The reserved bits must be 0, because this server negotiates no extensions.
  if ((second & 0x80) === 0 || (first & 0x70) !== 0) return 'invalid';
  let length = second & 0x7f;
  const lengthBytes = length === 126 ? 2 : length === 127 ? 8 : 0;
  const maskAt = 2 + lengthBytes;
  if (bytes.length < maskAt + 4) return undefined;
  if (lengthBytes === 2) length = bytes.readUInt16BE(2);
  else if (lengthBytes === 8) length = Number(bytes.readBigUInt64BE(2));
  if (length > mostMessageBytes) return 'invalid';
  const size = maskAt + 4 + length;
  if (bytes.length < size) return undefined;
  const data = Buffer.from(bytes.subarray(maskAt + 4, size));
  for (let at = 0; at < length; at += 1) data[at] = (data[at] ?? 0) ^ (bytes[maskAt + (at & 3)] ?? 0);
  return { isLast: (first & 0x80) !== 0, opcode: first & 0x0f, data, size };
}
