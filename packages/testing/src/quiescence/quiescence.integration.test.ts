import assert from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { test } from 'node:test';
import { ConfigMap } from '@kubewright/api/core/v1';
import { CustomResource, Field, Kind } from '@kubewright/api';
import { Result } from '@kubewright/runtime';
import { FakeClock } from '../fake-clock.js';
import { listenLocally } from '../listen-locally.js';
import { TestEnvironment } from '../test-environment.js';

class MeterSpec {
  @Field.string() name!: string;
}
class MeterStatus {
  @Field.int32({ optional: true }) level?: number;
}
@Kind({ group: 'example.com', version: 'v1' })
class Meter extends CustomResource(MeterSpec, MeterStatus) {}

const meter = new Meter({ metadata: { name: 'a', namespace: 'default' }, spec: { name: 'x' } });

const child = new ConfigMap({ metadata: { name: 'x', namespace: 'default' } });

test('settled resolves while a reconcile sleeps on the clock, and advance ends the sleep', async () => {
  const clock = new FakeClock();
  let wakes = 0;
  await using env = await TestEnvironment.start({ kinds: [Meter], clock, objects: [meter] });
  const manager = env.manager().control({ for: Meter, name: 'sleeping' }, async () => {
    await clock.sleep('1h');
    wakes++;
    return Result.done();
  });
  await manager.start();
  await env.settled();
  assert.deepEqual([wakes, clock.sleepingReconciles], [0, ['reconcile sleeping default/a']]);
  await clock.advance('1h');
  assert.deepEqual([wakes, clock.sleepingReconciles], [1, []]);
});

test('settled waits for a request of a reconcile to another server, even if other requests wait for the clock', async () => {
  const held: ServerResponse[] = [];
  const other = createServer((_request, response) => held.push(response));
  const port = await listenLocally(other);
  const clock = new FakeClock();
  await using env = await TestEnvironment.start({
    kinds: [Meter],
    clock,
    objects: [meter],
    faults: {
      onRequest: ({ verb, resource }) =>
        verb === 'create' && resource === 'pods' ? { kind: 'delay', ms: 1000 } : undefined,
    },
  });
  const manager = env.manager().control({ for: Meter, name: 'fetching' }, async () => {
    await (await fetch(`http://127.0.0.1:${port}/level`)).text();
    return Result.done();
  });
  await manager.start();
  const requested = once(other, 'request');
  const events: string[] = [];
  const delayed = manager.client
    .create({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'p', namespace: 'default' },
      spec: { containers: [] },
    } as never)
    .catch(() => events.push('the delayed request ended'));
  if (held.length === 0) await requested;
  const settled = env.settled().then(() => events.push('settled'));
  for (let turns = 0; turns < 50; turns++) await new Promise((resolve) => setImmediate(resolve));
  events.push('answered');
  for (const response of held) response.end('1');
  await settled;
  assert.deepEqual(events, ['answered', 'settled']);
  await clock.advance('1s');
  await delayed;
  other.closeAllConnections();
  other.close();
});

test('settled rejects with NOT_SETTLED if a controller reconciles an object again and again, and hot loops are not damped', async () => {
  const clock = new FakeClock();
  await using env = await TestEnvironment.start({ kinds: [Meter], clock, objects: [meter] });
  let isLooping = true;
  let isCreated = false;
  const manager = env.manager().control({ for: Meter, name: 'looping', hotLoops: false }, async ({ metadata }) => {
    if (!isLooping) return Result.done();
    if (isCreated) await manager.client.delete(child);
    else await manager.client.create(child);
    isCreated = !isCreated;
    manager.controller('looping').enqueue(metadata);
    return Result.done();
  });
  await manager.start();
  await assert.rejects(env.settled(), {
    code: 'NOT_SETTLED',
    message:
      /^the test environment does not stop working: controller 'looping' reconciled Meter default\/a \d+ times; writes of these reconciles: (?:create|delete) ConfigMap default\/x \(\d+ times\), /,
  });
  isLooping = false;
  await env.settled();
});
