import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { constants, createDeflate } from 'node:zlib';
import type { Answer } from '../answers/answer.js';
import type { ApiRequest } from '../api-request.js';
import type { ApiObject } from '../../registry/objects/api-object.js';
import { spdyDictionary } from './spdy-headers.js';

/** A Pod for the handlers of sessions. */
export const pod = { metadata: { name: 'web', namespace: 'default' } } as unknown as ApiObject;

/** Returns a request that changes the protocol of its connection. */
export function upgradeRequest(query: string, headers: Readonly<Record<string, string>>): ApiRequest {
  const request: Partial<ApiRequest> = { query: new URLSearchParams(query), headers, canUpgrade: true };
  return request as ApiRequest;
}

/** Returns the headers of a request for a WebSocket. */
export function webSocketRequest(query: string, protocol: string): ApiRequest {
  const headers = { upgrade: 'websocket', 'sec-websocket-key': 'a', 'sec-websocket-protocol': protocol };
  return upgradeRequest(query, headers);
}

/** A connection between a client and an answer that has changed the protocol. */
export interface Connected {
  readonly client: Socket;
  /** The server's side of the connection. */
  readonly socket: Socket;
  /** The result of the answer. */
  readonly served: Promise<void>;
}

/** Connects a client with a function that serves the connection. */
export async function connected(serve: (socket: Socket) => Promise<void>): Promise<Connected> {
  const server = createServer({ allowHalfOpen: false });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.on('error', () => undefined);
  const [socket] = await accepted;
  server.close();
  return { client, socket, served: serve(socket) };
}

/** Connects a client with an answer that changes the protocol. */
export function connectedTo(answer: Answer): Promise<Connected> {
  if (answer.kind !== 'upgrade') throw new Error(`the answer has the kind ${answer.kind}`);
  return connected(answer.run);
}

/** Returns a frame of a WebSocket client. */
export function webSocketFrame(data: string | Buffer, { opcode = 2, isLast = true, isMasked = true } = {}): Buffer {
  const bytes = Buffer.from(data);
  const head = Buffer.alloc(bytes.length < 126 ? 2 : 10);
  head.writeUInt8(opcode | (isLast ? 0x80 : 0), 0);
  head.writeUInt8((bytes.length < 126 ? bytes.length : 127) | (isMasked ? 0x80 : 0), 1);
  if (head.length === 10) head.writeBigUInt64BE(BigInt(bytes.length), 2);
  // A mask of zeros leaves the data unchanged.
  return Buffer.concat([head, isMasked ? Buffer.alloc(4) : Buffer.alloc(0), bytes]);
}

/** Returns a control frame of SPDY. */
export function spdyControl(type: number, body: Buffer): Buffer {
  const head = Buffer.from([0x80, 3, 0, type, 0, 0, 0, 0]);
  head.writeUIntBE(body.length, 5, 3);
  return Buffer.concat([head, body]);
}

/** Returns a data frame of SPDY. */
export function spdyData(id: number, data: Buffer | string, flags = 0): Buffer {
  const bytes = Buffer.from(data);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(id, 0);
  head.writeUInt8(flags, 4);
  head.writeUIntBE(bytes.length, 5, 3);
  return Buffer.concat([head, bytes]);
}

/** Creates the frames with which a client opens streams. */
export class SpdyOpener {
  readonly #deflate = createDeflate({ dictionary: spdyDictionary });

  /** Returns the frame that opens a stream with the given headers. */
  open(id: number, headers: Readonly<Record<string, string>>): Promise<Buffer> {
    const texts = Object.entries(headers).flatMap(([name, value]) => [
      lengthOf(name),
      Buffer.from(name),
      lengthOf(value),
      Buffer.from(value),
    ]);
    const count = Buffer.alloc(4);
    count.writeUInt32BE(Object.keys(headers).length);
    return this.openRaw(id, Buffer.concat([count, ...texts]));
  }

  /** Returns the frame that opens a stream with the given bytes as the uncompressed headers. */
  async openRaw(id: number, headers: Buffer): Promise<Buffer> {
    const pieces: Buffer[] = [];
    this.#deflate.on('data', (piece: Buffer) => pieces.push(piece));
    this.#deflate.write(headers);
    await new Promise<void>((resolve) => this.#deflate.flush(constants.Z_SYNC_FLUSH, resolve));
    this.#deflate.removeAllListeners('data');
    const ids = Buffer.alloc(10);
    ids.writeUInt32BE(id, 0);
    return spdyControl(1, Buffer.concat([ids, ...pieces]));
  }
}

function lengthOf(text: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(Buffer.byteLength(text));
  return length;
}

/** A frame that the server has sent. */
export interface ReceivedFrame {
  /** The type of a control frame, or undefined for a data frame. */
  readonly type: number | undefined;
  /** The ID of the stream. */
  readonly id: number;
  readonly flags: number;
  readonly data: Buffer;
}

/** Yields the SPDY frames that the server sends. */
export async function* spdyFrames(client: Socket): AsyncGenerator<ReceivedFrame> {
  let pending = Buffer.alloc(0);
  for await (const chunk of client as AsyncIterable<Buffer>) {
    pending = Buffer.concat([pending, chunk]);
    while (pending.length >= 8 && pending.length >= 8 + pending.readUIntBE(5, 3)) {
      const end = 8 + pending.readUIntBE(5, 3);
      const isControl = (pending.readUInt8(0) & 0x80) !== 0;
      const data = pending.subarray(8, end);
      const id = isControl ? (data.length >= 4 ? data.readUInt32BE(0) : 0) : pending.readUInt32BE(0);
      yield { type: isControl ? pending.readUInt8(3) : undefined, id, flags: pending.readUInt8(4), data };
      pending = pending.subarray(end);
    }
  }
}
