import { createServer, type Server } from 'node:net';
import { KubewrightError } from '@kubewright/api/errors';

/**
 * The first port of the range from which ports are reserved. The range is below the ephemeral ports of the system, so that no connection
 * takes the port of a program while the program is down.
 */
const FIRST = 20_000;
/** The end of the range. The port itself is not in the range. */
const END = 32_000;
/** The number of ports in a block: one port with a listener that reserves the block, and the reserved ports. */
const BLOCK_SIZE = 8;

/** Ports of 127.0.0.1 that are reserved until they are released. Only other users of `ReservedPorts` respect the reservation. */
export class ReservedPorts implements AsyncDisposable {
  readonly ports: readonly number[];
  readonly #listener: Server;

  private constructor(ports: readonly number[], listener: Server) {
    this.ports = ports;
    this.#listener = listener;
  }

  /** Reserves up to seven ports. Rejects with NOT_READY if no block is free. */
  static async take(count: number): Promise<ReservedPorts> {
    const blocks = (END - FIRST) / BLOCK_SIZE;
    const start = Math.floor(Math.random() * blocks);
    for (let at = 0; at < blocks; at++) {
      const first = FIRST + ((start + at) % blocks) * BLOCK_SIZE;
      const listener = await listening(first);
      if (listener === undefined) continue;
      const reserved = new ReservedPorts(
        Array.from({ length: count }, (_, place) => first + 1 + place),
        listener,
      );
      if (await areFree(reserved.ports)) return reserved;
      await reserved[Symbol.asyncDispose]();
    }
    throw new KubewrightError(
      'NOT_READY',
      `cannot start a control plane: no ${count} consecutive ports between ${FIRST} and ${END} are free`,
    );
  }

  [Symbol.asyncDispose](): Promise<void> {
    return closed(this.#listener);
  }
}

async function areFree(ports: readonly number[]): Promise<boolean> {
  const servers = await Promise.all(ports.map(listening));
  await Promise.all(servers.map(async (server) => server && closed(server)));
  return !servers.includes(undefined);
}

/** Returns a server that listens on the port, or undefined if the port is in use. The server does not keep the process alive. */
function listening(port: number): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy()).unref();
    server.once('error', () => resolve(undefined));
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}
function closed(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}
