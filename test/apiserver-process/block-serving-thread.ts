import { existsSync, writeSync } from 'node:fs';
import { Server } from 'node:net';

/*
 * Node.js loads this module before the server (`--import`). When the file that BLOCK_WHEN names exists, the module blocks the event loop of
 * the listening thread forever.
 */
type Listen = (this: Server, ...args: unknown[]) => Server;
const listen = Object.getOwnPropertyDescriptor(Server.prototype, 'listen')?.value as Listen;
const path = process.env['BLOCK_WHEN'] ?? '';

Server.prototype.listen = function (this: Server, ...args: unknown[]): Server {
  const timer = setInterval(() => {
    if (!existsSync(path)) return;
    // In a worker thread, `process.stderr` passes its output to the main thread. `writeSync` writes to the file descriptor directly.
    writeSync(2, 'the event loop is blocked\n');
    for (;;);
  }, 10);
  this.once('close', () => clearInterval(timer));
  return Reflect.apply(listen, this, args);
};
