import assert from 'node:assert/strict';
import { get } from 'node:http';
import { after, before, test } from 'node:test';
import { SystemClock } from '@kubewright/api/clock';
import { ConfigMap } from '@kubewright/api/core/v1';
import { Event } from '@kubewright/api/events/v1';
import { isNotFound } from '@kubewright/api/errors';
import { type Client, type Manager, Result } from '@kubewright/runtime';
import type { TestEnvironment } from '@kubewright/testing';
import { startEnvironment } from '../server/start-environment.js';
import { Pool, pool } from './reconcile-kinds.js';

/** A system clock that can jump ahead of the timers, as after a blocked event loop. */
class JumpingClock extends SystemClock {
  #aheadMs = 0;
  jump(ms: number): void {
    this.#aheadMs += ms;
  }
  override monotonicMs(): number {
    return super.monotonicMs() + this.#aheadMs;
  }
}
/** With these times, no timer of the election fires during a test, and a leader may write for 50 s after it renewed the Lease. */
const times = { duration: '60s', renewDeadline: '40s', retryPeriod: '30s' } as const;
const BLOCKED_MS = 51_000;

let env: TestEnvironment;
before(async () => {
  env = await startEnvironment({ kinds: [Pool] });
});
after(() => env[Symbol.asyncDispose]());

function contending(name: string): { readonly manager: Manager; readonly clock: JumpingClock } {
  const clock = new JumpingClock();
  const manager = env.manager({
    clock,
    leaderElection: { name, namespace: 'default', ...times },
    metrics: { port: 0, host: '127.0.0.1', secure: false },
  });
  return { manager, clock };
}
/** Returns a call of every write method of the client. */
function writes(client: Client, object: Pool, config: ConfigMap): Readonly<Record<string, () => Promise<unknown>>> {
  const made = (name: string): ConfigMap =>
    new ConfigMap({ metadata: { name, namespace: 'default' }, data: { a: 'b' } });
  return {
    create: () => client.create(made('leaked-create')),
    createOrPatch: () => client.createOrPatch(made('leaked-create-or-patch'), () => undefined),
    apply: () => client.apply(made('leaked-apply')),
    applyOwned: () => client.applyOwned(object, [made('leaked-apply-owned')]),
    patch: () => client.patch(config, (draft) => void (draft.data = { leaked: 'patch' })),
    patchStatus: () => client.patchStatus(object, { phase: 'leaked' }),
    update: () => client.update(new ConfigMap({ ...config, data: { leaked: 'update' } })),
    subresource: () => client.subresource(object, 'status').patch({ merge: { status: { phase: 'leaked' } } }),
    delete: () => client.delete(config),
    deleteAll: () => client.deleteAll(ConfigMap, { namespace: 'default', labels: { test: config.metadata.name } }),
  };
}
/** Returns the writes that did not fail with LEADERSHIP_LOST. */
async function leaks(all: Readonly<Record<string, () => Promise<unknown>>>): Promise<readonly string[]> {
  const names = Object.keys(all);
  const ended = await Promise.allSettled(Object.values(all).map(async (write) => write()));
  return ended.flatMap((each, at) => {
    if (each.status === 'fulfilled') return [`${names[at]} was sent`];
    const { code } = each.reason as { readonly code?: string };
    return code === 'LEADERSHIP_LOST' ? [] : [`${names[at]}: ${String(each.reason)}`];
  });
}
async function subjects(name: string): Promise<{ readonly object: Pool; readonly config: ConfigMap }> {
  const config = new ConfigMap({ metadata: { name, namespace: 'default', labels: { test: name } }, data: {} });
  return { object: await env.client.create(pool(name)), config: await env.client.create(config) };
}
async function untouched({ object, config }: { readonly object: Pool; readonly config: ConfigMap }): Promise<void> {
  const now = [await env.client.live.get(Pool, object.metadata), await env.client.live.get(ConfigMap, config.metadata)];
  assert.deepEqual(
    now.map(({ metadata }) => metadata.resourceVersion),
    [object, config].map(({ metadata }) => metadata.resourceVersion),
  );
}

test('a leader whose event loop was blocked sends no writes of leader-only components, regardless of the client', async () => {
  const about = await subjects('blocked');
  const { object, config } = about;
  const { manager, clock } = contending('blocked');
  const found: Record<string, readonly string[]> = {};
  class Injected {
    constructor(readonly client: Client) {}
    /** A plain function that captures a client. */
    readonly captured = (): Promise<readonly string[]> => leaks(writes(this.client, object, config));
  }
  const plain = new Injected(manager.client);
  const blocked = new Promise<void>((resolve) => {
    manager.add({
      name: 'runnable',
      run: async () => {
        await manager.elected;
        clock.jump(BLOCKED_MS);
        found['manager.client'] = await leaks(writes(manager.client, object, config));
        found['client.with'] = await leaks(writes(manager.client.with({ reads: 'live' }), object, config));
        found['a plain function'] = await plain.captured();
        found['a timer'] = await new Promise<readonly string[]>((resolve) => {
          setTimeout(() => resolve(leaks(writes(manager.client, object, config))), 0);
        });
        manager.events.normal(object, 'LeakedEvent', 'of a leader that was blocked');
        resolve();
      },
    });
  });
  await manager.start();
  await blocked;
  assert.deepEqual(found, { 'manager.client': [], 'client.with': [], 'a plain function': [], 'a timer': [] });
  await manager.stop();
  await untouched(about);
  await assert.rejects(env.client.live.get(ConfigMap, { namespace: 'default', name: 'leaked-create' }), isNotFound);
  const events = await env.client.live.list(Event, { namespace: 'default' });
  assert.deepEqual(
    events.filter(({ reason }) => reason === 'LeakedEvent'),
    [],
  );
});

test('a reconcile of the leader, and a listener for the signal of that reconcile, send nothing after the event loop was blocked', async () => {
  const about = await subjects('reconciled');
  const { manager, clock } = contending('reconciled');
  const found: Record<string, readonly string[]> = {};
  let reconciled = (): void => undefined;
  const done = new Promise<void>((resolve) => (reconciled = resolve));
  let aborted: Promise<readonly string[]> = Promise.resolve([]);
  manager.control({ for: Pool, name: 'reconciled', owns: [ConfigMap] }, async (object, { signal }) => {
    if (object.metadata.name !== 'reconciled') return Result.done();
    clock.jump(BLOCKED_MS);
    found['reconcile'] = await leaks(writes(manager.client, about.object, about.config));
    const create = writes(manager.client, about.object, about.config)['create'] ?? assert.fail;
    aborted = new Promise((resolve) => {
      signal.addEventListener('abort', () => resolve(leaks({ create })));
    });
    reconciled();
    await aborted;
    return Result.done();
  });
  await manager.start();
  await done;
  await manager.stop();
  assert.deepEqual({ ...found, abort: await aborted }, { reconcile: [], abort: [] });
  await untouched(about);
});

test('a finalizer of the leader sends nothing and stays on the object after the event loop was blocked', async () => {
  const finalizer = 'reconcile.example.com/blocked';
  const { config } = await subjects('finalized-config');
  const created = new Pool({
    metadata: { name: 'finalized', namespace: 'default', finalizers: [finalizer] },
    spec: {},
  });
  await env.client.create(created);
  await env.client.delete(created);
  const object = await env.client.live.get(Pool, created.metadata);
  const { manager, clock } = contending('finalized');
  let found: readonly string[] | undefined;
  let finalized = (): void => undefined;
  const done = new Promise<void>((resolve) => (finalized = resolve));
  const options = { for: Pool, name: 'finalized', finalizer, owns: [ConfigMap] } as const;
  manager.control(options, {
    reconcile: () => Promise.resolve(Result.done()),
    finalize: async ({ metadata }) => {
      if (metadata.name === object.metadata.name) {
        clock.jump(BLOCKED_MS);
        found = await leaks(writes(manager.client, object, config));
        finalized();
      }
      // The runtime then tries to remove the finalizer, which is also a write.
      return Result.done();
    },
  });
  await manager.start();
  await done;
  await manager.stop();
  assert.deepEqual(found, []);
  await untouched({ object, config });
  await env.client.patch(object, { merge: { metadata: { finalizers: null } } });
});

test('the elected hook of a leader sends nothing after the event loop was blocked', async () => {
  const about = await subjects('hooked');
  const { manager, clock } = contending('hooked');
  let found: readonly string[] | undefined;
  const called = new Promise<void>((resolve) => {
    manager.on('elected', async () => {
      clock.jump(BLOCKED_MS);
      found = await leaks(writes(manager.client, about.object, about.config));
      resolve();
    });
  });
  await manager.start();
  await called;
  assert.deepEqual(found, []);
  await manager.stop();
  await untouched(about);
});

test('runnables and controllers with leaderOnly: false, HTTP handlers, and program code write while another replica is the leader', async () => {
  const leader = contending('everywhere-writes');
  await leader.manager.start();
  await leader.manager.elected;
  const { manager } = contending('everywhere-writes');
  const write = (name: string): Promise<ConfigMap> =>
    manager.client.create(new ConfigMap({ metadata: { name: `everywhere-${name}`, namespace: 'default' }, data: {} }));
  const object = await env.client.create(pool('everywhere'));
  let ran = (): void => undefined;
  let reconciled = (): void => undefined;
  const all = [new Promise<void>((resolve) => (ran = resolve)), new Promise<void>((resolve) => (reconciled = resolve))];
  manager.add({
    leaderOnly: false,
    run: async () => {
      await write('runnable');
      ran();
    },
  });
  manager.control({ for: Pool, name: 'everywhere', leaderOnly: false }, async (each) => {
    if (each.metadata.name === object.metadata.name) {
      await write('reconcile');
      manager.events.normal(each, 'WrittenEverywhere', 'by every replica');
      reconciled();
    }
    return Result.done();
  });
  manager.metricsServer.handle('/write', async (_request, response) => {
    await write('handler');
    response.end('written');
  });
  await manager.start();
  await Promise.all(all);
  assert.equal(manager.isLeader, false);
  const answer = await new Promise<string>((resolve, reject) => {
    get(`http://127.0.0.1:${manager.metricsServer.address?.port}/write`, (response) => {
      response.setEncoding('utf8').once('data', resolve);
    }).once('error', reject);
  });
  assert.equal(answer, 'written');
  await write('program');
  await manager.stop();
  for (const name of ['runnable', 'reconcile', 'handler', 'program']) {
    await env.client.live.get(ConfigMap, { namespace: 'default', name: `everywhere-${name}` });
  }
  const events = await env.client.live.list(Event, { namespace: 'default' });
  assert.ok(events.some(({ reason }) => reason === 'WrittenEverywhere'));
  await leader.manager.stop();
});
