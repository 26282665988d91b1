import { once } from 'node:events';
import { Readable, type Writable } from 'node:stream';
import { messageOf } from '@kubewright/api/errors';
import type { ExecHandler, ExecResult, ExecSession, TerminalSize } from '../../controllers/simulation/pod-sessions.js';
import { PeerStream } from './peer-stream.js';

/** The maximum length of the JSON of a terminal size, in UTF-16 code units. */
const mostSizeLength = 1024;

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

/** Returns a stream that discards its data. Like the streams of the client, the stream ignores data after its end. */
function discarded(): Writable {
  return new PeerStream({ send: (_data, done) => done(), finish: (done) => done() });
}

/**
 * Calls the listener for each size of a terminal, which the client sends as a JSON object. Like the kubelet, ignores all data after an
 * invalid size.
 */
function followSizes(stream: PeerStream | undefined, listener: (size: TerminalSize) => void): void {
  let pending = '';
  const stop = (): void => void stream?.off('data', read).resume();
  const read = (chunk: Buffer): void => {
    // The object of a size contains no other objects, so each size ends at the first brace.
    const texts = (pending + chunk.toString()).split(/(?<=\})/);
    pending = texts.at(-1)?.endsWith('}') === true ? '' : (texts.pop() ?? '');
    for (const text of texts) {
      const size = sizeIn(text);
      if (size === undefined) return stop();
      listener(size);
    }
    if (pending.length > mostSizeLength) stop();
  };
  stream?.on('data', read);
}

/** Returns the size in a JSON object, or undefined if the text is not valid. */
function sizeIn(text: string): TerminalSize | undefined {
  try {
    const { Width: width = 0, Height: height = 0 } = JSON.parse(text) as Readonly<Record<string, unknown>>;
    return isLength(width) && isLength(height) ? { width, height } : undefined;
  } catch {
    // The text is not JSON.
    return undefined;
  }
}

/** Returns whether a value is an unsigned integer of 16 bits. */
function isLength(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 0xffff;
}
