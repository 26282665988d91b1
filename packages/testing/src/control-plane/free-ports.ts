import { createServer } from 'node:net';
import { listenLocally } from '../listen-locally.js';

/** Ports of 127.0.0.1 that were free a moment ago, each another. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  const ports = await Promise.all(servers.map(listenLocally));
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
