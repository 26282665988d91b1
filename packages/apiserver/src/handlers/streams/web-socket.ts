import { createHash } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { readFrames } from './read-frames.js';

/** The suffix of a key that RFC 6455 defines. */
const acceptSuffix = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const mostMessageBytes = 16 * 1024 * 1024;
/** The maximum number of fragments of a message. Fragments can be empty, so the length does not limit their number. */
const mostFragments = 4096;
const opcodes = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;
const knownOpcodes: ReadonlySet<number> = new Set(Object.values(opcodes));
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
    let parts: Buffer[] = [];
    let length = 0;
    for await (const bytes of readFrames(this.#socket, frameSize)) {
      const frame = readFrame(bytes);
      if (frame === undefined) return this.close(closeCodes.protocolError);
      if (frame.opcode === opcodes.close) return this.close();
      // The server reads the next frame after it has sent the answer, so that a client that does not read cannot fill the memory.
      if (frame.opcode === opcodes.ping)
        await new Promise<void>((sent) => this.#write(opcodes.pong, frame.data, () => sent()));
      if (frame.opcode >= opcodes.close) continue;
      parts.push(frame.data);
      length += frame.data.length;
      if (length > mostMessageBytes || parts.length > mostFragments) return this.close(closeCodes.tooBig);
      if (!frame.isLast) continue;
      yield parts.length === 1 ? frame.data : Buffer.concat(parts);
      [parts, length] = [[], 0];
    }
  }

  /** Sends a binary message. Calls `done` when the data is written. */
  send(data: Buffer, done?: (error?: Error | null) => void): void {
    this.#write(opcodes.binary, data, done);
  }

  /** Closes the connection after the sent messages. */
  close(code: number = closeCodes.normal): void {
    if (this.#isClosing) return;
    const data = Buffer.alloc(2);
    data.writeUInt16BE(code);
    this.#write(opcodes.close, data);
    this.#isClosing = true;
    this.#socket.end();
  }

  #write(opcode: number, data: Buffer, done?: (error?: Error | null) => void): void {
    if (this.#isClosing || this.#socket.destroyed) return done?.();
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

/** The fields before the data of a frame. */
interface FrameHead {
  readonly isLast: boolean;
  readonly opcode: number;
  /** The position of the mask. The data follows the mask. */
  readonly maskAt: number;
  /** The length of the data. */
  readonly length: number;
}

/** Returns the size of the first frame. Returns the size of the available bytes for a frame that is not valid. */
function frameSize(bytes: Buffer): number | undefined {
  const head = readHead(bytes);
  if (head === 'invalid') return bytes.length;
  return head === undefined ? undefined : head.maskAt + 4 + head.length;
}

/** Returns a frame, or undefined if the frame is not valid. */
function readFrame(bytes: Buffer): Frame | undefined {
  const head = readHead(bytes);
  if (head === 'invalid' || head === undefined) return undefined;
  const { isLast, opcode, maskAt, length } = head;
  const data = Buffer.from(bytes.subarray(maskAt + 4));
  for (let at = 0; at < length; at += 1) data[at] = (data[at] ?? 0) ^ (bytes[maskAt + (at & 3)] ?? 0);
  return { isLast, opcode, data };
}

/** Returns the head of the first frame. Returns undefined if the head is not complete, and 'invalid' for a frame that is not valid. */
function readHead(bytes: Buffer): FrameHead | 'invalid' | undefined {
  if (bytes.length < 2) return undefined;
  const [first = 0, second = 0] = bytes;
  const [isLast, opcode] = [(first & 0x80) !== 0, first & 0x0f];
  let length = second & 0x7f;
  // Clients must mask their frames. The reserved bits must be 0, because this server negotiates no extensions.
  if ((second & 0x80) === 0 || (first & 0x70) !== 0 || !knownOpcodes.has(opcode)) return 'invalid';
  // A control frame has at most 125 bytes of data and is not fragmented.
  if (opcode >= opcodes.close && (length > 125 || !isLast)) return 'invalid';
  const lengthBytes = length === 126 ? 2 : length === 127 ? 8 : 0;
  const maskAt = 2 + lengthBytes;
  if (bytes.length < maskAt + 4) return undefined;
  if (lengthBytes === 2) length = bytes.readUInt16BE(2);
  else if (lengthBytes === 8) length = Number(bytes.readBigUInt64BE(2));
  return length > mostMessageBytes ? 'invalid' : { isLast, opcode, maskAt, length };
}
