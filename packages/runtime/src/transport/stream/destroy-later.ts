/**
 * Destroys an HTTP/2 stream or session in a later turn of the event loop. If a stream is destroyed while Node.js processes received frames,
 * the memory of the process is corrupted (Node.js issue 64113).
 */
export function destroyLater(target: { destroy(error?: Error): unknown }, error?: Error): void {
  setImmediate(() => target.destroy(error));
}
