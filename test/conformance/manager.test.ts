import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ConfigMap, Event, Secret } from '@kubewright/api/core/v1';
import { Client, connect, Logger, Manager, type ManagerOptions, Result } from '@kubewright/runtime';
import type { TestEnvironment } from '@kubewright/testing';
import { RecordedLog } from '../refusals/recorded-log.js';
import { startEnvironment } from '../server/start-environment.js';

let env: TestEnvironment;
before(async () => {
  env = await startEnvironment();
  await env.client.apply(configMap('settled'));
});
after(() => env[Symbol.asyncDispose]());

function configMap(name: string): ConfigMap {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default' } } as ConfigMap;
}
const done = async (): Promise<Result> => Result.done();
function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
}
/** Creates a manager that connects to the cluster in the options instead of the test environment. */
function plain(options: ManagerOptions): Manager {
  return new Manager({ signals: false, settings: false, logger: new RecordedLog(), ...options });
}

test('[MG-02, MG-03] the start of a manager fails with INVALID_SERVER or INVALID_KUBECONFIG if the cluster configuration is invalid', async () => {
  await assert.rejects(plain({ connection: { server: 'not a URL' } }).start(), { code: 'INVALID_SERVER' });
  await assert.rejects(plain({ kubeconfig: '/nowhere/kubeconfig' }).start(), { code: 'INVALID_KUBECONFIG' });
  await assert.rejects(plain({ kubeconfig: { inline: 'clusters: 5' } }).start(), { code: 'INVALID_KUBECONFIG' });
});

test('[MG-04] a manager with invalid cache options fails with INVALID_CACHE', async () => {
  await assert.rejects(async () => env.manager({ cache: { resync: '1ms' } }).start(), { code: 'INVALID_CACHE' });
});

test('[MG-05] the constructor of a manager fails with INVALID_EVENT_OPTIONS if the event options are invalid', () => {
  assert.throws(() => env.manager({ events: { api: 'v7' as never } }), { code: 'INVALID_EVENT_OPTIONS' });
});

test('[RG-16] connect rejects invalid options with the error codes of a manager', async () => {
  await assert.rejects(connect({ kubeconfig: '/nowhere/kubeconfig' }), { code: 'INVALID_KUBECONFIG' });
  await assert.rejects(connect({ connection: { server: 'not a URL' } }), { code: 'INVALID_SERVER' });
  const { connection } = env;
  await assert.rejects(connect({ connection, cache: { resync: '1ms' } }), { code: 'INVALID_CACHE' });
  await assert.rejects(connect({ connection, events: { api: 'v7' as never } }), { code: 'INVALID_EVENT_OPTIONS' });
});

test('[MG-06] the manager and its controllers use the clients that the option client returns', async () => {
  const made: (string | undefined)[] = [];
  let used: unknown;
  const manager = env.manager({
    client: (client, controller) => {
      made.push(controller);
      return client.with({ namespace: 'default' });
    },
  });
  class Reconciling {
    constructor(readonly client: Client) {}
    reconcile = done;
  }
  manager.provide(Logger, { value: new RecordedLog() });
  manager.control({ for: ConfigMap, name: 'configs' }, new Reconciling(manager.client));
  manager.add({
    run: async () => {
      used = await manager.client.live.find(ConfigMap, { name: 'settled' });
    },
  });
  await manager.start();
  await manager.stop();
  assert.deepEqual(made, [undefined, 'configs']);
  assert.ok(used, 'the client adds its namespace');
});

test('[MG-27] a manager rejects reads of kinds that no controller declares, unless implicitInformers is set', async () => {
  const strict = env.manager();
  await strict.start();
  await assert.rejects(strict.client.list(Secret), { code: 'UNDECLARED_KIND' });
  await strict.stop();
  const lenient = env.manager({ implicitInformers: true });
  await lenient.start();
  assert.ok(Array.isArray(await lenient.client.list(Secret)));
  await lenient.stop();
});

test('[MG-31] a manager does not change the given connection', async () => {
  const connection = Object.freeze({ ...env.connection });
  const before = { ...connection };
  const manager = env.manager({ connection });
  await manager.start();
  await manager.stop();
  assert.deepEqual({ ...connection }, before);
});

test('[MG-32] stop ends a running manager, and the start of a starting manager', async () => {
  const running = env.manager();
  await running.start();
  await running.stop();
  await running.stopped;
  const starting = env.manager();
  starting.add({ run: aborted, ready: aborted });
  const started = starting.start();
  await starting.stop();
  await assert.rejects(started, { code: 'STOPPED' });
  await starting.stopped;
});

test('[MG-33] the start of a manager fails if a kind does not sync in time, and the error names the controller', async () => {
  const { dynamicKind } = await import('@kubewright/api');
  const manager = env.manager({ syncTimeout: '20ms' });
  manager.control({ for: dynamicKind('nowhere.example.com/v1', 'Missing'), name: 'missing' }, done);
  await assert.rejects(manager.start(), { code: 'NOT_SYNCED', message: /controller 'missing'/ });
});

test('[MG-34, MG-35] a manager runs its runnables only after the kinds of its controllers and its other clusters have synced', async () => {
  const other = await connect({ connection: env.connection });
  const manager = env.manager();
  let seen: readonly unknown[] = [];
  manager.add({
    leaderOnly: false,
    run: async () => {
      const synced = manager.status().informers.map((informer) => informer.synced);
      const own = await manager.client.find(ConfigMap, { name: 'settled', namespace: 'default' });
      const theirs = await other.client.find(ConfigMap, { name: 'settled', namespace: 'default' });
      seen = [synced, own?.metadata.name, theirs?.metadata.name];
    },
  });
  manager.control({ for: ConfigMap, name: 'configs' }, done);
  manager.add(other);
  await manager.start();
  await manager.stop();
  assert.deepEqual(seen, [[true], 'settled', 'settled']);
  await assert.rejects(other.client.live.get(ConfigMap, { name: 'settled', namespace: 'default' }), {
    code: 'TRANSPORT_CLOSED',
  });
});

test('[MG-42] controllers log with the logger of their manager', async () => {
  const logger = new RecordedLog();
  const manager = env.manager({ logger });
  let reconciled = (): void => undefined;
  const once = new Promise<void>((resolve) => {
    reconciled = resolve;
  });
  manager.control({ for: ConfigMap, name: 'configs' }, async (_, { log }) => {
    log.info('by the controller');
    reconciled();
    return Result.done();
  });
  await manager.start();
  await once;
  await manager.stop();
  assert.ok(logger.lines.includes('info by the controller'));
});

test('[MG-59] a controller that is added to a running manager runs immediately', async () => {
  const manager = env.manager();
  await manager.start();
  const reconciled = new Promise<string>((resolve) => {
    manager.control({ for: ConfigMap, name: 'late' }, async ({ metadata }) => {
      resolve(metadata.name);
      return Result.done();
    });
  });
  assert.equal(typeof (await reconciled), 'string');
  assert.equal(manager.status().queues.find(({ controller }) => controller === 'late')?.working, true);
  assert.throws(() => manager.control({ for: ConfigMap, name: 'late' }, done), { code: 'DUPLICATE_CONTROLLER' });
  await manager.stop();
  assert.throws(() => manager.control({ for: ConfigMap, name: 'later' }, done), { code: 'STOPPED' });
});

test('[MG-65] the manager exposes its client, events, cache, metrics, status, and settings', async () => {
  const manager = env.manager();
  await manager.start();
  const { metadata } = await manager.client.live.get(ConfigMap, { name: 'settled', namespace: 'default' });
  assert.equal(metadata.name, 'settled');
  manager.events.normal(await env.read(configMap('settled')), 'Seen', 'it is there');
  await using informer = await manager.cache.informer(ConfigMap);
  assert.equal(informer.get({ name: 'settled', namespace: 'default' })?.metadata.uid, metadata.uid);
  assert.match(await manager.metrics.text(), /^rest_client_requests_total/m);
  assert.equal(manager.status().informers.length, 1);
  assert.ok(manager.settings().length > 20);
  await manager.stop();
});

test('a manager that has stopped has sent the events that its components recorded while they ended', async () => {
  const manager = env.manager();
  const settled = await env.client.live.get(ConfigMap, { name: 'settled', namespace: 'default' });
  manager.add({
    run: async (signal) => {
      await aborted(signal);
      manager.events.normal(settled, 'Ending', 'a component ends');
    },
  });
  await manager.start();
  await manager.stop();
  const events = await env.client.live.list(Event, { namespace: 'default' });
  assert.ok(events.some(({ reason }) => reason === 'Ending'));
});
