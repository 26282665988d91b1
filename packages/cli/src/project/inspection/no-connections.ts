import { Socket } from 'node:net';

/** Makes every connection attempt in this process fail with an explanation, regardless of the library. */
export function refuseConnections(): void {
  Socket.prototype.connect = function refuse(this: Socket): Socket {
    const error = new Error(
      'the program connects to something before it calls manager.start(), and is only being inspected; do that in a hook or a runnable of the manager',
    );
    return this.destroy(error);
  };
}
