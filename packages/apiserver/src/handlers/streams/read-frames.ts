import type { Duplex } from 'node:stream';

/**
 * Yields the frames that a connection receives, until the connection ends. `sizeOf` returns the size of the first frame in the bytes, or
 * undefined if it needs more bytes to determine the size. Takes linear time, even if a frame arrives in many small pieces.
 */
export async function* readFrames(
  socket: Duplex,
  sizeOf: (bytes: Buffer) => number | undefined,
): AsyncGenerator<Buffer, undefined> {
  let memory: Buffer = Buffer.alloc(0);
  let [start, end] = [0, 0];
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    if (end + chunk.length > memory.length) {
      // The yielded frames use the earlier memory, so the bytes in that memory must not change.
      const larger = Buffer.allocUnsafeSlow(2 * (end - start) + chunk.length);
      memory.copy(larger, 0, start, end);
      [memory, start, end] = [larger, 0, end - start];
    }
    end += chunk.copy(memory, end);
    for (let size = sizeOf(memory.subarray(start, end)); size !== undefined && start + size <= end; ) {
      yield memory.subarray(start, start + size);
      start += size;
      size = sizeOf(memory.subarray(start, end));
    }
  }
  return undefined;
}
