import { existsSync, writeSync } from 'node:fs';
import { Server } from 'node:net';

/*
 * A module that Node.js loads before the server (`--import`). After the file named by BLOCK_WHEN has been created, the listening thread
 * never returns to its event loop.
 */
type Listen = (this: Server, ...args: unknown[]) => Server;
const listen = Object.getOwnPropertyDescriptor(Server.prototype, 'listen')?.value as Listen;
const path = process.env['BLOCK_WHEN'] ?? '';

Server.prototype.listen = function (this: Server, ...args: unknown[]): Server {
  const timer = setInterval(() => {
    if (!existsSync(path)) return;
    // A worker thread does not have its own file descriptor for the standard error.
    writeSync(2, 'the event loop is blocked\n');
    for (;;);
  }, 10);
  this.once('close', () => clearInterval(timer));
  return Reflect.apply(listen, this, args);
};
