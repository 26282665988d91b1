import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Encodes frames of a watch of Pods in JSON, one frame per line, as protobuf frames. */
export type Encoder = (frames: readonly Buffer[]) => Promise<readonly Buffer[]>;

/** Returns an encoder that uses the Go program of the peers, because only Go has the protobuf definitions of Kubernetes. */
export function encoderOf(program: string): Encoder {
  return async (frames) => {
    const child = spawn(program, ['{"mode":"encode"}'], { stdio: ['pipe', 'pipe', 'inherit'] });
    const ended = once(child, 'exit');
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    const read = once(child.stdout, 'end');
    for (const frame of frames) if (!child.stdin.write(frame)) await once(child.stdin, 'drain');
    child.stdin.end();
    await read;
    const [code] = (await ended) as [number | null];
    if (code !== 0) throw new Error(`${program} could not encode Pods as protobuf`);
    return split(Buffer.concat(chunks));
  };
}

/** Splits a stream of frames, which begin with their length in 4 bytes. The frames include the length. */
function split(stream: Buffer): readonly Buffer[] {
  const frames: Buffer[] = [];
  for (let at = 0; at < stream.length; ) {
    const end = at + 4 + stream.readUInt32BE(at);
    frames.push(stream.subarray(at, end));
    at = end;
  }
  return frames;
}
