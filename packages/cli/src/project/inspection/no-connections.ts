import { Socket } from 'node:net';

/** Makes every attempt to connect in this process fail with a sentence, whatever library makes it. */
export function refuseConnections(): void {
  Socket.prototype.connect = function refuse(this: Socket): Socket {
    const error = new Error(
      'the program connects to something before it calls manager.start(), and is only being inspected; do that in a hook or a runnable of the manager',
    );
    return this.destroy(error);
  };
}
