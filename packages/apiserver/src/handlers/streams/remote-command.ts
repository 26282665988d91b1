import { once } from 'node:events';
import { Readable, Writable } from 'node:stream';
import { messageOf } from '@kubewright/api/errors';
import type { ExecHandler, ExecResult, ExecSession, TerminalSize } from '../../controllers/simulation/pod-sessions.js';
import type { PeerStream } from './peer-stream.js';

/** The streams of a command that the client has requested. */
export interface CommandStreams {
  readonly stdin?: PeerStream | undefined;
  readonly stdout?: PeerStream | undefined;
  readonly stderr?: PeerStream | undefined;
  readonly resize?: PeerStream | undefined;
  /** Carries the result of the command. */
  readonly error: PeerStream;
}

/** Runs the handler of a command, and sends the output and the result to the client. Never rejects. */
export async function runCommand(
  handler: ExecHandler,
  session: Pick<ExecSession, 'pod' | 'container' | 'command' | 'tty' | 'signal'>,
  streams: CommandStreams,
): Promise<void> {
  const { stdout = discarded(), stderr = discarded() } = streams;
  const status = await statusOf(async () => {
    const result = await handler({
      ...session,
      stdin: streams.stdin ?? Readable.from([]),
      stdout,
      stderr,
      onResize: (listener) => followSizes(streams.resize, listener),
    });
    if (typeof result === 'string') stdout.write(result);
    return result;
  });
  await Promise.all([ended(stdout), ended(stderr)]);
  streams.error.write(JSON.stringify(status));
  await ended(streams.error);
}

/** Returns the Status that reports the result of a command to the client. */
async function statusOf(run: () => Promise<ExecResult>): Promise<object> {
  try {
    const result = await run();
    if (typeof result !== 'number' || result === 0) return { metadata: {}, status: 'Success' };
    return {
      metadata: {},
      status: 'Failure',
      message: `command terminated with non-zero exit code: exit status ${result}`,
      reason: 'NonZeroExitCode',
      details: { causes: [{ reason: 'ExitCode', message: String(result) }] },
    };
  } catch (error) {
    const message = `error executing command in container: ${messageOf(error)}`;
    return { metadata: {}, status: 'Failure', message, reason: 'InternalError', code: 500 };
  }
}

/** Ends a stream, and waits until the data is sent or the stream is closed. */
async function ended(stream: Writable): Promise<void> {
  if (stream.destroyed || stream.writableFinished) return;
  const closed = new AbortController();
  stream.once('close', () => closed.abort());
  stream.end();
  await once(stream, 'finish', { signal: closed.signal }).catch(() => undefined);
}

function discarded(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() });
}

/** Calls the listener for each line of JSON with the size of a terminal. */
function followSizes(stream: PeerStream | undefined, listener: (size: TerminalSize) => void): void {
  let text = '';
  stream?.on('data', (chunk: Buffer) => {
    const lines = (text + chunk.toString()).split('\n');
    text = lines.pop() ?? '';
    for (const line of lines) {
      const { Width: width, Height: height } = JSON.parse(line) as { readonly Width: number; readonly Height: number };
      listener({ width, height });
    }
  });
}
