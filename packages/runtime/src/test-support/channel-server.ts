import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

const MAGIC = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const BINARY = 0x82;
const CLOSE = 0x88;

/** A WebSocket connection of a client. Each message starts with the number of a channel, as for exec, attach and port-forward. */
export interface ChannelSocket {
  /** Sends a message of at most 125 bytes. */
  send(channel: number, data: string | Uint8Array): void;
  close(): void;
}

/** An HTTP server that responds to each request with a text, and accepts WebSockets. Messages have at most 125 bytes. */
export class ChannelServer implements AsyncDisposable {
  /** The Authorization header and the path of each request. */
  readonly requests: string[] = [];
  readonly url: string;
  readonly #server: Server;
  #onSocket: (socket: ChannelSocket) => void = () => undefined;
  #onMessage: (message: { readonly channel: number; readonly text: string }, socket: ChannelSocket) => void = () =>
    undefined;

  private constructor(server: Server) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('request', (request: IncomingMessage, response) => {
      this.#note(request);
      response.end('a line of a log\n');
    });
    server.on('upgrade', (request: IncomingMessage, socket: Socket) => this.#accept(request, socket));
  }
  static async start(): Promise<ChannelServer> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new ChannelServer(server);
  }

  /** Sets the functions that are called for each new WebSocket, and for each message of a client. */
  on(
    onSocket: (socket: ChannelSocket) => void,
    onMessage: (message: { readonly channel: number; readonly text: string }, socket: ChannelSocket) => void = () =>
      undefined,
  ): void {
    this.#onSocket = onSocket;
    this.#onMessage = onMessage;
  }
  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  #note({ url, headers }: IncomingMessage): void {
    this.requests.push(`${headers.authorization} ${url}`);
  }
  #accept(request: IncomingMessage, socket: Socket): void {
    this.#note(request);
    const accept = createHash('sha1').update(`${request.headers['sec-websocket-key']}${MAGIC}`).digest('base64');
    const protocol = String(request.headers['sec-websocket-protocol']).split(',')[0];
    const head = ['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade'];
    const fields = [`Sec-WebSocket-Accept: ${accept}`, `Sec-WebSocket-Protocol: ${protocol}`];
    socket.write(`${[...head, ...fields].join('\r\n')}\r\n\r\n`);
    const channels: ChannelSocket = {
      send: (channel, data) => {
        const bytes = Buffer.from(data);
        socket.write(Buffer.concat([Buffer.from([BINARY, bytes.length + 1, channel]), bytes]));
      },
      close: () => {
        if (!socket.writableEnded) socket.end(Buffer.from([CLOSE, 0]));
      },
    };
    let received: Buffer = Buffer.alloc(0);
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      for (let message = nextMessage(received); message !== undefined; message = nextMessage(received)) {
        received = received.subarray(message.size);
        const { opcode, data } = message;
        if (opcode === CLOSE) channels.close();
        else this.#onMessage({ channel: data[0] ?? -1, text: data.subarray(1).toString() }, channels);
      }
    });
    this.#onSocket(channels);
  }
}

/** Returns the first message in the bytes of a client, without its mask. Returns undefined if the message is not complete. */
function nextMessage(
  bytes: Buffer,
): { readonly opcode: number; readonly data: Buffer; readonly size: number } | undefined {
  const length = (bytes[1] ?? 0) & 0x7f;
  const size = 6 + length;
  if (bytes.length < size) return undefined;
  const mask = bytes.subarray(2, 6);
  const data = Buffer.from(bytes.subarray(6, size).map((byte, at) => byte ^ (mask[at % 4] ?? 0)));
  return { opcode: bytes[0] ?? 0, data, size };
}
