import { createServer, type Server, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import type { ControlPlanePool } from './control-plane-pool.js';
import type { ControlPlaneKind, PooledControlPlane } from './pooled-control-plane.js';

/** The response of the pool: a leased control plane, or the reason why there is none. */
export type PoolAnswer = PooledControlPlane['loan'] | { readonly problem: string };

/** The line with which a client returns a control plane. The pool discards the control plane if the connection closes without this line. */
export const RETURNED = 'returned';

/** Leases the control planes of a pool to clients of this machine. Each connection leases one control plane until the connection closes. */
export class PoolServer implements AsyncDisposable {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(server: Server) {
    this.#server = server;
  }

  /** Listens on a Unix socket. Every user with access to the folder of the socket has access to the control planes. */
  static open(pool: ControlPlanePool<ControlPlaneKind, PooledControlPlane>, path: string): Promise<PoolServer> {
    const server = createServer();
    const opened = new PoolServer(server);
    server.on('connection', (socket) => {
      opened.#sockets.add(socket);
      socket.on('error', () => socket.destroy()).once('close', () => opened.#sockets.delete(socket));
      void serve(socket, pool);
    });
    return new Promise((resolve, reject) => {
      server.once('error', reject).listen(path, () => resolve(opened));
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** Reads the kind, responds with a control plane, and ends the lease when the client returns the control plane or disconnects. */
async function serve(socket: Socket, pool: ControlPlanePool<ControlPlaneKind, PooledControlPlane>): Promise<void> {
  const lines = createInterface({ input: socket })[Symbol.asyncIterator]();
  const kind = await lines.next();
  if (kind.done === true) return;
  try {
    const lease = await pool.lease(kind.value as ControlPlaneKind);
    answer(socket, lease.server.loan);
    const last = await lines.next();
    socket.end();
    await lease.end({ restore: last.done !== true && last.value === RETURNED });
  } catch (error) {
    answer(socket, { problem: error instanceof Error ? error.message : String(error) });
    socket.end();
  }
}

function answer(socket: Socket, response: PoolAnswer): void {
  socket.write(`${JSON.stringify(response)}\n`);
}
