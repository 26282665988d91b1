import { PeerStream } from './peer-stream.js';
import type { WebSocketPeer } from './web-socket.js';

/** The channel whose messages close another channel. Only v5.channel.k8s.io has this channel. */
const closingChannel = 255;

/** The protocol in which a client can close a channel. */
export const closingProtocol = 'v5.channel.k8s.io';
/** The protocols for `exec` and `attach` over a WebSocket. */
export const channelProtocols = [closingProtocol, 'v4.channel.k8s.io'] as const;

/** The streams of a WebSocket whose messages start with the number of their channel. */
export class ChannelStreams {
  readonly #peer: WebSocketPeer;
  readonly #streams: readonly PeerStream[];

  constructor(peer: WebSocketPeer, count: number) {
    this.#peer = peer;
    this.#streams = Array.from({ length: count }, (_, channel) => this.#open(channel));
  }

  /** Returns the stream of a channel, whose number must be less than the number of channels. */
  channel(number: number): PeerStream {
    return this.#streams[number] as PeerStream;
  }

  /** Delivers the messages of the client to the streams, until the client closes the connection. */
  async run(): Promise<void> {
    try {
      for await (const message of this.#peer.messages()) {
        const [channel = 0, closed = 0] = message;
        if (channel === closingChannel) await this.#streams[closed]?.receive(null);
        else if (message.length > 1) await this.#streams[channel]?.receive(message.subarray(1));
      }
    } catch {
      // The connection broke.
    }
    for (const stream of this.#streams) {
      await stream.receive(null);
      // No client reads the data, so the end of the received data closes the stream.
      stream.end();
    }
  }

  /** Closes the connection after the sent messages. Ignores all data that the client has sent and no stream has read. */
  close(): void {
    this.#peer.close();
    for (const stream of this.#streams) stream.destroy();
  }

  #open(channel: number): PeerStream {
    return new PeerStream({
      send: (data, done) => this.#peer.send(Buffer.concat([Buffer.from([channel]), data]), done),
      finish: (done) => done(),
    });
  }
}
