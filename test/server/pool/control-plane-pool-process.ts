// Program: control-plane-pool-process.js SOCKET. Runs a pool of control planes, and prints a line when the pool listens on the Unix socket.
// The pool and the control planes end when the standard input closes.
import { ControlPlanePool } from './control-plane-pool.js';
import { PooledControlPlane, type ControlPlaneKind } from './pooled-control-plane.js';
import { PoolServer } from './pool-server.js';

/** The maximum number of idle control planes. Each idle control plane uses memory, and about 2.5% of a core. */
const MAX_IDLE = 3;

const [, , path] = process.argv;
if (path === undefined) throw new Error('usage: control-plane-pool-process.js SOCKET');

const pool = new ControlPlanePool<ControlPlaneKind, PooledControlPlane>({
  start: (kind) => PooledControlPlane.start(kind),
  maxIdle: MAX_IDLE,
});
const server = await PoolServer.open(pool, path);
const ended = new Promise((resolve) => {
  process.stdin.once('end', resolve).once('close', resolve).resume();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, resolve);
});
process.stdout.write('listening\n');
await ended;
await server[Symbol.asyncDispose]();
await pool[Symbol.asyncDispose]();
const { started, leased, discarded } = pool.report;
const reasons = discarded.map((reason) => `\n  discarded: ${reason}`).join('');
process.stderr.write(`control plane pool: ${started} started for ${leased} environments${reasons}\n`);
process.exit();
