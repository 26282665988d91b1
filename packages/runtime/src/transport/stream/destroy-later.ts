/**
 * Destroys an HTTP/2 stream or session in a later turn of the event loop. The caller may run while Node.js processes received frames.
 * Destroying a stream at that moment corrupts the memory of the process (Node.js issue 64113).
 */
export function destroyLater(target: { destroy(error?: Error): unknown }, error?: Error): void {
  setImmediate(() => target.destroy(error));
}
