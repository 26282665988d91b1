import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KubewrightError } from '@kubewright/api/errors';
import { ManualClock } from '../../test-support/manual-clock.js';
import { ScriptedServer } from '../../test-support/scripted-server.js';
import { RequestLimit } from './request-limit.js';
import { Transport } from '../sending/transport.js';
import { bothFences, currentFence, withFence } from './write-fence.js';

const write = { method: 'POST', path: '/api/v1/namespaces/default/configmaps', body: {} } as const;
const read = { method: 'GET', path: '/api/v1/namespaces/default/configmaps' } as const;
const code = 'LEADERSHIP_LOST';

/** A fence that allows writes until it is closed. */
class Gate {
  isOpen = true;
  readonly fence = (): void => {
    if (!this.isOpen) throw new KubewrightError(code, 'the fence is closed');
  };
  readonly within = <R>(work: () => R): R => withFence(this.fence, work);
}

test('a closed fence rejects the writes that it checks, but neither reads nor other writes', async () => {
  await using server = await ScriptedServer.start();
  await using transport = new Transport({ server: server.url });
  const gate = new Gate();
  gate.isOpen = false;
  await assert.rejects(
    gate.within(() => transport.request(write)),
    { code },
  );
  await assert.rejects(transport.request({ ...write, fence: gate.fence }), { code });
  for (const work of [() => gate.within(() => transport.request(read)), () => transport.request(write)]) {
    const answered = work();
    (await server.next()).json(200, {});
    await answered;
  }
  assert.equal(server.requests, 2);
});

test('a write that waits for a connection is checked by its fence when a connection is available', async () => {
  await using server = await ScriptedServer.start();
  await using transport = new Transport({ server: server.url }, { maxConnections: 1 });
  const gate = new Gate();
  const first = transport.request(write);
  const holding = await server.next();
  const queued = gate.within(() => Promise.allSettled([transport.request(write), transport.request(write)]));
  await new Promise((resolve) => setImmediate(resolve));
  gate.isOpen = false;
  holding.json(201, {});
  await first;
  const reasons = (await queued).map((each) => each.status === 'rejected' && (each.reason as { code?: string }).code);
  assert.deepEqual(reasons, [code, code]);
  const next = transport.request(write);
  (await server.next()).json(201, {});
  await next;
  assert.equal(server.requests, 2);
});

test('a write that waits for the request limit is checked by its fence after the wait', async () => {
  await using server = await ScriptedServer.start();
  const clock = new ManualClock();
  const requestLimit = new RequestLimit({ perSecond: 1, burst: 1, clock });
  await using transport = new Transport({ server: server.url }, { clock, requestLimit });
  const gate = new Gate();
  await requestLimit.take();
  const waiting = assert.rejects(
    gate.within(() => transport.request(write)),
    { code },
  );
  await clock.scheduled(1000);
  gate.isOpen = false;
  clock.advance(1000);
  await waiting;
  assert.equal(server.requests, 0);
});

test('a retry of a write is checked by its fence again', async () => {
  await using server = await ScriptedServer.start();
  const clock = new ManualClock();
  await using transport = new Transport({ server: server.url }, { clock });
  const gate = new Gate();
  const waiting = assert.rejects(
    gate.within(() => transport.request(write)),
    { code },
  );
  (await server.next()).status(429, 'TooManyRequests', {}, { 'retry-after': '1' });
  await clock.scheduled(1000);
  gate.isOpen = false;
  clock.advance(1000);
  await waiting;
  assert.equal(server.requests, 1);
});

test('a fence also applies in timers and promises, but not in a nested call of withFence without a fence', async () => {
  const gate = new Gate();
  const seen: unknown[] = [];
  await gate.within(async () => {
    await new Promise<void>((resolve) =>
      setTimeout(() => {
        seen.push(currentFence());
        resolve();
      }, 0),
    );
    seen.push(currentFence());
    withFence(undefined, () => seen.push(currentFence()));
  });
  assert.deepEqual(seen, [gate.fence, gate.fence, undefined]);
  assert.equal(currentFence(), undefined);
});

test('bothFences allows a write only if both fences allow it', () => {
  const [a, b] = [new Gate(), new Gate()];
  const both = bothFences(a.fence, b.fence);
  both?.();
  for (const closed of [a, b]) {
    closed.isOpen = false;
    assert.throws(() => both?.(), { code });
    closed.isOpen = true;
  }
  assert.equal(bothFences(undefined, a.fence), a.fence);
  assert.equal(bothFences(undefined, undefined), undefined);
});
