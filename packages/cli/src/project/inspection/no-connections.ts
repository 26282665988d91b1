import { Socket } from 'node:net';
import { KubewrightError } from '@kubewright/api/errors';

/** Replaces `Socket.connect` in this process, so that all connections fail with EARLY_CONNECTION, regardless of the client library. */
export function refuseConnections(): void {
  Socket.prototype.connect = function refuse(this: Socket): Socket {
    const error = new KubewrightError(
      'EARLY_CONNECTION',
      'the program opens a connection before it calls manager.start(), which is not allowed during an inspection; open the connection in a hook or a runnable of the manager',
    );
    return this.destroy(error);
  };
}
