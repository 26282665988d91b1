import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ConfigMap } from '@kubewright/api/core/v1';
import { Event } from '@kubewright/api/events/v1';
import { type Client, Result } from '@kubewright/runtime';
import type { TestEnvironment } from '@kubewright/testing';
import { startEnvironment } from '../server/start-environment.js';
import { WarningRecorder, Pool, pool } from './reconcile-kinds.js';

let env: TestEnvironment;
before(async () => {
  env = await startEnvironment({ kinds: [Pool] });
});
after(() => env[Symbol.asyncDispose]());

/** Starts an operator with one controller of the given name. */
async function operator(
  name: string,
  act: (client: Client, object: Pool) => Promise<Result>,
  owns: (typeof ConfigMap)[] = [],
) {
  const logger = new WarningRecorder();
  const manager = env.manager({ logger, metrics: false, health: false });
  manager.control({ for: Pool, name, owns, reconcileCondition: false }, (object) => act(manager.client, object));
  await manager.start();
  return { logger, manager, hotLoops: () => manager.stats().get(name)?.hotLoops };
}

test("if two operators overwrite each other's value of a field, the warning names the field and the other operator", async () => {
  const sizes = (size: number) => async (client: Client, object: Pool) => {
    if (object.spec.size !== size) {
      await client.patch(object, (draft) => {
        draft.spec.size = size;
      });
    }
    return Result.done();
  };
  const left = await operator('left', sizes(2));
  const right = await operator('right', sizes(3));
  const competing = await env.client.create(pool('fought'));
  const seen = await Promise.race([
    left.logger.warning(/ repeatedly: /).then((warning) => ({ ...warning, own: 'left', other: 'right' })),
    right.logger.warning(/ repeatedly: /).then((warning) => ({ ...warning, own: 'right', other: 'left' })),
  ]);
  assert.match(
    seen.message,
    new RegExp(
      `^spec.size of Pool default/fought is written repeatedly: '${seen.other}' and '${seen.own}' both write it`,
    ),
  );
  assert.deepEqual([seen.fields['fields'], seen.fields['others']], [['spec.size'], [seen.other]]);
  await Promise.all([left.manager.stop(), right.manager.stop()]);
  const events = await env.client.live.list(Event, { namespace: 'default' });
  assert.ok(
    events.some(({ reason, regarding }) => reason === 'HotLoop' && regarding?.name === competing.metadata.name),
  );
  await env.client.delete(competing);
});

test("if two polling operators overwrite each other's value of an annotation, a controller delays the reconciles", async () => {
  const writes: Record<string, number> = { left: 0, right: 0 };
  const damped: Promise<void>[] = [];
  const owner = (name: string) => {
    const starts: number[] = [];
    let slow = (): void => undefined;
    damped.push(new Promise((resolve) => (slow = resolve)));
    return async (client: Client, object: Pool) => {
      if (object.metadata.name !== 'annotated') return Result.done();
      // Each run requests the next run after 1 ms. Three consecutive gaps of more than 900 ms show that the controller delays runs.
      if (
        starts.push(performance.now()) > 3 &&
        gaps(starts)
          .slice(-3)
          .every((ms) => ms > 900)
      )
        slow();
      if (object.metadata.annotations?.['owner']?.startsWith(name) !== true) {
        await client.patch(object, (draft) => {
          draft.metadata.annotations['owner'] = `${name} ${starts.length}`;
        });
        writes[name] = (writes[name] ?? 0) + 1;
      }
      return Result.requeueAfter('1ms');
    };
  };
  const [left, right] = [await operator('left', owner('left')), await operator('right', owner('right'))];
  const object = await env.client.create(pool('annotated'));
  // While one operator is delayed, the other operator may write too rarely for a warning.
  const { message } = await Promise.race([left, right].map(({ logger }) => logger.warning(/ repeatedly: /)));
  assert.match(message, /^metadata.annotations.* of Pool default\/annotated is written repeatedly/);
  await Promise.race(damped);
  // Counts only runs with a write. On a slow machine, one operator may poll often while the other operator is delayed.
  for (const [name, count] of Object.entries(writes)) assert.ok(count < 100, `${count} writes of ${name}`);
  await Promise.all([left.manager.stop(), right.manager.stop()]);
  await env.client.delete(object);
});
function gaps(starts: readonly number[]): readonly number[] {
  return starts.map((start, at) => start - (starts[at - 1] ?? start)).slice(1);
}

test('a controller warns if it repeatedly overwrites the defaults of the server', async () => {
  const { logger, manager, hotLoops } = await operator('purist', async (client, object) => {
    if (object.metadata.name !== 'defaulted') return Result.done();
    await client.patch(object, (draft) => {
      delete (draft.spec as { mode?: string }).mode;
    });
    return Result.requeueAfter('1ms');
  });
  const object = await env.client.create(pool('defaulted'));
  assert.equal(object.spec.mode, 'Auto');
  const { message, fields } = await logger.warning(/ repeatedly: /);
  assert.match(message, /^spec.mode of Pool default\/defaulted .* the server does not keep what 'purist' writes/);
  assert.deepEqual(fields['others'], []);
  assert.equal(hotLoops(), 1);
  await manager.stop();
  await env.client.delete(object);
});

test('a controller warns if it deletes and recreates an object in each reconcile', async () => {
  const { logger, manager } = await operator(
    'rebuilder',
    async (client, object) => {
      const [child] = await client.live.list(ConfigMap, { namespace: 'default', labels: { of: object.metadata.name } });
      if (child !== undefined) await client.delete(child);
      const labels = { of: object.metadata.name };
      const desired = new ConfigMap({ metadata: { name: 'rebuilt', namespace: 'default', labels }, data: { a: '1' } });
      await client.create(desired, { owner: object });
      return Result.done();
    },
    [ConfigMap],
  );
  const object = await env.client.create(pool('rebuilding'));
  const { message } = await logger.warning(/ repeatedly: /);
  assert.match(message, /^ConfigMap default\/rebuilt is created repeatedly: 'rebuilder' deletes and recreates it/);
  await manager.stop();
  await env.client.delete(object);
});

test('a controller that reconciles normally reports no hot loop', async () => {
  const { manager, hotLoops } = await operator(
    'calm',
    async (client, object) => {
      const child = new ConfigMap({
        metadata: { name: object.metadata.name },
        data: { size: String(object.spec.size) },
      });
      await client.applyOwned(object, [child]);
      await client.patchStatus(object, { phase: `sized ${object.spec.size}` });
      return Result.done();
    },
    [ConfigMap],
  );
  let object = await env.client.create(pool('sized'));
  for (let size = 2; size < 32; size++) {
    object = await env.client.patch(await env.read(object), (draft) => {
      draft.spec.size = size;
    });
    await env.settled();
  }
  assert.equal((await env.read(object)).status?.phase, 'sized 31');
  assert.equal(hotLoops(), 0);
  await manager.stop();
});
