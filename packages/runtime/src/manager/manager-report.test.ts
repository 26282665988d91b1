import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defineKind, type KubeObject } from '@kubewright/api';
import { Controller } from '../controller/options/controller-decorator.js';
import type { Reconciler } from '../controller/reconciler/reconciler.js';
import { Result } from '../controller/reconciler/result.js';
import { RecordingLogger } from '../test-support/recording-logger.js';
import type { Cluster } from './cluster/cluster.js';
import { Manager } from './manager.js';
import { REPORT } from './manager-report.js';
import type { ManagerOptions } from './settings/manager-options.js';

const Machine = defineKind({ group: 'test.dev', version: 'v1', kind: 'Machine', spec: { type: 'object' } });

@Controller({ for: Machine })
class MachineController implements Reconciler<KubeObject> {
  async reconcile(): Promise<Result> {
    return Result.done();
  }
}
class Settings {}

function newManager(options: ManagerOptions = {}): Manager {
  const connection = { server: 'http://127.0.0.1:1' };
  return new Manager({ connection, signals: false, logger: new RecordingLogger(), ...options });
}

test('copyTo adds the controllers, the services and the hooks of a manager to another manager', async () => {
  const called: unknown[] = [];
  const manager = newManager().add(MachineController);
  manager.control({ for: Machine, name: 'other' }, async () => Result.done());
  manager.provide(Settings, { use: Settings });
  manager.on('beforeStart', ({ manager: caller }) => {
    called.push(caller);
    throw new Error('the test ends here');
  });
  const copy = newManager();
  manager[REPORT].copyTo(copy);
  assert.deepEqual(
    copy.describe().controllers.map(({ name }) => name),
    ['machine', 'other'],
  );
  assert.equal(copy[REPORT].hasServices, true);
  await assert.rejects(copy.start(), { code: 'HOOK_FAILED' });
  assert.deepEqual(called, [copy]);
});

test('readOptions contains the namespaces and the cache options, but not the connection and the leader election', () => {
  const { readOptions } = newManager({ namespaces: ['a'], cache: { resync: '1h' }, leaderElection: 'machines' })[
    REPORT
  ];
  assert.deepEqual(readOptions.namespaces, ['a']);
  assert.deepEqual(readOptions.cache, { resync: '1h' });
  assert.equal(readOptions.connection, undefined);
  assert.equal(readOptions.leaderElection, undefined);
});

test('copyTo throws NOT_SUPPORTED for a manager with another cluster', () => {
  const cluster = { client: {}, cache: {}, [Symbol.asyncDispose]: () => Promise.resolve() } as unknown as Cluster;
  const manager = newManager().add(cluster);
  assert.throws(() => manager[REPORT].copyTo(newManager()), { code: 'NOT_SUPPORTED' });
});
