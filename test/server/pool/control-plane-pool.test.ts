import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ControlPlanePool, type PooledServer } from './control-plane-pool.js';

/** A server whose restore ends when the test decides. */
class ControlledServer implements PooledServer {
  readonly name: string;
  readonly events: string[];
  readonly #restored: Promise<void>;
  restored: () => void = () => undefined;
  failed: (error: Error) => void = () => undefined;

  constructor(name: string, events: string[]) {
    this.name = name;
    this.events = events;
    this.#restored = new Promise((resolve, reject) => {
      this.restored = resolve;
      this.failed = reject;
    });
  }
  restore(): Promise<void> {
    this.events.push(`restore ${this.name}`);
    return this.#restored;
  }
  async stop(): Promise<void> {
    this.events.push(`stop ${this.name}`);
  }
}

function poolOf({ maxIdle = 2 } = {}) {
  const events: string[] = [];
  let started = 0;
  const start = async (kind: 'a' | 'b'): Promise<ControlledServer> =>
    new ControlledServer(`${kind}${++started}`, events);
  return { events, pool: new ControlPlanePool({ start, maxIdle }) };
}

describe('ControlPlanePool', () => {
  test('leases a restored server again, and only to users that request its kind', async () => {
    const { pool, events } = poolOf();
    const first = await pool.lease('a');
    first.server.restored();
    await first.end({ restore: true });
    assert.equal((await pool.lease('b')).server.name, 'b2');
    assert.equal((await pool.lease('a')).server, first.server);
    assert.deepEqual(events, ['restore a1']);
    assert.deepEqual(pool.report, { started: 2, leased: 3, discarded: [] });
  });

  test('starts a server if all servers are leased', async () => {
    const { pool } = poolOf();
    const [first, second] = await Promise.all([pool.lease('a'), pool.lease('a')]);
    assert.notEqual(first.server, second.server);
  });

  test('waits for a server that is being restored, and starts servers for additional users', async () => {
    const { pool } = poolOf();
    const first = await pool.lease('a');
    const ended = first.end({ restore: true });
    const waiting = pool.lease('a');
    assert.equal((await pool.lease('a')).server.name, 'a2');
    first.server.restored();
    await ended;
    assert.equal((await waiting).server, first.server);
  });

  test('discards a server that cannot be restored, and starts a server for the waiting user', async () => {
    const { pool, events } = poolOf();
    const first = await pool.lease('a');
    const ended = first.end({ restore: true });
    const waiting = pool.lease('a');
    first.server.failed(new Error('an object remains'));
    await ended;
    assert.equal((await waiting).server.name, 'a2');
    assert.deepEqual(events, ['restore a1', 'stop a1']);
    assert.deepEqual(pool.report.discarded, ['an object remains']);
  });

  test('discards a server if its user does not request a restore', async () => {
    const { pool, events } = poolOf();
    await (await pool.lease('a')).end({ restore: false });
    assert.equal((await pool.lease('a')).server.name, 'a2');
    assert.deepEqual(events, ['stop a1']);
  });

  test('ignores the second end of a lease', async () => {
    const { pool, events } = poolOf();
    const lease = await pool.lease('a');
    lease.server.restored();
    await lease.end({ restore: true });
    await lease.end({ restore: false });
    assert.deepEqual(events, ['restore a1']);
  });

  test('stops the server that has been idle for the longest time if too many servers are idle', async () => {
    const { pool, events } = poolOf({ maxIdle: 1 });
    const leases = [await pool.lease('a'), await pool.lease('b')];
    for (const lease of leases) {
      lease.server.restored();
      await lease.end({ restore: true });
    }
    assert.deepEqual(events, ['restore a1', 'restore b2', 'stop a1']);
  });

  test('stops all servers when the pool is closed, including a leased server and a server that is being restored', async () => {
    const { pool, events } = poolOf();
    const [first] = [await pool.lease('a'), await pool.lease('b')];
    const ended = first.end({ restore: true });
    const closed = pool[Symbol.asyncDispose]();
    await assert.rejects(pool.lease('a'), /the pool is closed/);
    first.server.restored();
    await Promise.all([ended, closed]);
    assert.deepEqual(events.toSorted(), ['restore a1', 'stop a1', 'stop b2']);
  });
});
