import type { Duplex } from 'node:stream';
import { finished } from 'node:stream/promises';
import { messageOf } from '@kubewright/api/errors';
import type { PortForwardHandler } from '../../controllers/simulation/pod-sessions.js';
import type { ApiObject } from '../../registry/objects/api-object.js';
import { badRequest } from '../../registry/requests/status-errors.js';
import type { Answer } from '../answers/answer.js';
import type { ApiRequest } from '../api-request.js';
import { portsOf } from '../pods/connect-options.js';
import { ChannelStreams } from './channel-streams.js';
import { PeerStream } from './peer-stream.js';
import { SpdyConnection, type SpdyStream } from './spdy-connection.js';
import { upgradeOf } from './upgrade.js';
import { WebSocketPeer } from './web-socket.js';

const spdyProtocol = 'portforward.k8s.io';
/** A WebSocket whose messages are the bytes of a SPDY connection. */
const tunnel = `SPDY/3.1+${spdyProtocol}`;
const channelProtocol = 'v4.channel.k8s.io';
/** The maximum number of ports of a WebSocket: each port has two channels, and the number of a channel is a byte. */
const mostPorts = 128;

/** A pair of streams: the bytes of a connection to a port, and the error of the connection. */
interface Pair {
  readonly port: number;
  readonly data: PeerStream;
  readonly error: PeerStream;
}

/** Returns the answer to `portforward`: each pair of streams of the client is a connection to a port. Throws 400 for an invalid request. */
export function portForwardAnswer(request: ApiRequest, handler: PortForwardHandler, pod: ApiObject): Answer {
  const { kind, protocol, headers } = upgradeOf(request, {
    spdy: [spdyProtocol],
    websocket: [tunnel, channelProtocol],
  });
  const connect = (pair: Pair): Promise<void> => connected(pair, handler, pod);
  if (kind === 'spdy') return { kind: 'upgrade', headers, run: (socket) => overSpdy(socket, connect) };
  if (protocol === tunnel) return { kind: 'upgrade', headers, run: (socket) => overSpdy(tunnelOf(socket), connect) };
  const ports = portsOf(request.query);
  if (ports.length === 0) throw badRequest('query parameter "ports" is required');
  if (!ports.every(isPort)) throw badRequest('query parameter "ports" must contain numbers from 1 to 65535');
  if (ports.length > mostPorts) throw badRequest(`query parameter "ports" must contain at most ${mostPorts} numbers`);
  return { kind: 'upgrade', headers, run: (socket) => overChannels(socket, ports, connect) };
}

async function overSpdy(socket: Duplex, connect: (pair: Pair) => Promise<void>): Promise<void> {
  const waiting = new Map<string, SpdyStream>();
  const connection = new SpdyConnection(socket, (opened) => {
    const { headers, stream } = opened;
    const type = headers.get('streamtype') ?? '';
    const id = headers.get('requestid') ?? headers.get('port') ?? '';
    const other = waiting.get(id);
    const isRefused = other?.headers.get('streamtype') === type || !isPort(Number(headers.get('port')));
    if (isRefused || !['data', 'error'].includes(type)) return void stream.destroy();
    if (other === undefined) {
      waiting.set(id, opened);
      stream.once('close', () => {
        if (waiting.get(id) === opened) waiting.delete(id);
      });
      return;
    }
    waiting.delete(id);
    const [data, error] = type === 'data' ? [opened, other] : [other, opened];
    void connect({ port: Number(data.headers.get('port')), data: data.stream, error: error.stream });
  });
  await connection.run();
}

async function overChannels(
  socket: Duplex,
  ports: readonly number[],
  connect: (pair: Pair) => Promise<void>,
): Promise<void> {
  const peer = new WebSocketPeer(socket);
  const streams = new ChannelStreams(peer, ports.length * 2);
  const received = streams.run();
  const connections = ports.map(async (port, at) => {
    const [data, error] = [streams.channel(at * 2), streams.channel(at * 2 + 1)];
    // The protocol identifies the port of both streams by their first two bytes.
    const bytes = Buffer.from([port & 0xff, port >> 8]);
    for (const stream of [data, error]) stream.write(bytes);
    await connect({ port, data, error });
  });
  await Promise.all(connections);
  streams.close();
  await received;
}

/** Runs the handler, and reports its error to the client. Resolves when the connection is closed. */
async function connected({ port, data, error }: Pair, handler: PortForwardHandler, pod: ApiObject): Promise<void> {
  // The client sends only the end of the stream for errors. A stream is closed after its end is read.
  error.resume();
  try {
    await handler({ pod, port, stream: data });
    // A connection that breaks is closed, too.
    await finished(data).catch(() => undefined);
  } catch (cause) {
    error.write(`error forwarding port ${port} to pod ${pod.metadata.name}: ${messageOf(cause)}`);
    data.end();
  }
  error.end();
}

/** Returns the bytes that the messages of a WebSocket contain. */
function tunnelOf(socket: Duplex): Duplex {
  const peer = new WebSocketPeer(socket);
  const bytes = new PeerStream({
    send: (data, done) => peer.send(data, done),
    finish: (done) => {
      peer.close();
      done();
    },
  });
  bytes.once('close', () => peer.close());
  void forward(peer, bytes);
  return bytes;
}

async function forward(peer: WebSocketPeer, bytes: PeerStream): Promise<void> {
  try {
    for await (const message of peer.messages()) await bytes.receive(message);
  } catch {
    // The connection broke.
  }
  await bytes.receive(null);
}

function isPort(port: number): boolean {
  return Number.isInteger(port) && port >= 1 && port <= 65_535;
}
