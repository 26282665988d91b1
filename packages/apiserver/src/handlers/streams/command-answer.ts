import type { Duplex } from 'node:stream';
import type { ExecHandler, ExecSession } from '../../controllers/simulation/pod-sessions.js';
import { badRequest } from '../../registry/requests/status-errors.js';
import type { Answer } from '../answers/answer.js';
import type { ApiRequest } from '../api-request.js';
import { isTrue } from '../request-info.js';
import { channelProtocols, ChannelStreams } from './channel-streams.js';
import type { PeerStream } from './peer-stream.js';
import { type CommandStreams, runCommand } from './remote-command.js';
import { SpdyConnection } from './spdy-connection.js';
import { upgradeOf } from './upgrade.js';
import { WebSocketPeer } from './web-socket.js';

/** The numbers of the channels of a WebSocket. */
const channels = { stdin: 0, stdout: 1, stderr: 2, error: 3, resize: 4 } as const;

type Session = Omit<Parameters<typeof runCommand>[1], 'signal'>;
type Requested = Readonly<Record<keyof CommandStreams, boolean>>;

/**
 * Returns the answer to `exec` or `attach`. The answer changes the connection to a protocol with several streams, and runs the handler on
 * these streams. Throws 400 for an invalid request.
 */
export function commandAnswer(
  request: ApiRequest,
  handler: ExecHandler,
  { pod, container }: Pick<ExecSession, 'pod' | 'container'>,
): Answer {
  const { query } = request;
  const tty = isTrue(query.get('tty'));
  const [stdin, stdout] = [isTrue(query.get('stdin')), isTrue(query.get('stdout'))];
  const stderr = !tty && isTrue(query.get('stderr'));
  if (!stdin && !stdout && !stderr) throw badRequest('you must specify at least 1 of stdin, stdout, stderr');
  const { kind, headers } = upgradeOf(request, { spdy: ['v4.channel.k8s.io'], websocket: channelProtocols });
  const session = { pod, container, tty, command: query.getAll('command') };
  const requested = { stdin, stdout, stderr, error: true, resize: tty };
  const serve = kind === 'spdy' ? overSpdy : overWebSocket;
  return { kind: 'upgrade', headers, run: (socket) => serve(socket, { handler, session, requested }) };
}

interface Served {
  readonly handler: ExecHandler;
  readonly session: Session;
  readonly requested: Requested;
}

async function overWebSocket(socket: Duplex, { handler, session, requested }: Served): Promise<void> {
  const peer = new WebSocketPeer(socket);
  const streams = new ChannelStreams(peer, Object.keys(channels).length);
  const signal = signalOf(socket);
  // After the first message, the client knows that the connection is established.
  const first = requested.stdout ? channels.stdout : requested.stderr ? channels.stderr : channels.error;
  peer.send(Buffer.from([first]));
  const received = streams.run();
  await runCommand(
    handler,
    { ...session, signal },
    chosen(requested, (name) => streams.channel(channels[name])),
  );
  streams.close();
  await received;
}

async function overSpdy(socket: Duplex, { handler, session, requested }: Served): Promise<void> {
  const opened = new Map<string, PeerStream>();
  const signal = signalOf(socket);
  const missing = (): boolean =>
    Object.entries(requested).some(([name, isRequested]) => isRequested && !opened.has(name));
  const connection = new SpdyConnection(socket, ({ headers, stream }) => {
    const type = headers.get('streamtype') ?? '';
    if (!missing() || !Object.hasOwn(requested, type)) return void stream.destroy();
    opened.set(type, stream);
    if (missing()) return;
    const streams = chosen(requested, (name) => opened.get(name) as PeerStream);
    void runCommand(handler, { ...session, signal }, streams).then(() => connection.close());
  });
  await connection.run();
}

function chosen(requested: Requested, streamOf: (name: keyof Requested) => PeerStream): CommandStreams {
  const of = (name: keyof Requested): PeerStream | undefined => (requested[name] ? streamOf(name) : undefined);
  return {
    stdin: of('stdin'),
    stdout: of('stdout'),
    stderr: of('stderr'),
    resize: of('resize'),
    error: streamOf('error'),
  };
}

function signalOf(socket: Duplex): AbortSignal {
  const controller = new AbortController();
  socket.once('close', () => controller.abort());
  return controller.signal;
}
