import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { controllerOf } from '@kubewright/api';
import { ConfigMap } from '@kubewright/api/core/v1';
import { type Manager, Result } from '@kubewright/runtime';
import { TestEnvironment } from '@kubewright/testing';
import { chosenServer } from '../server/chosen-server.js';
import { Pool, pool } from './reconcile-kinds.js';

let env: TestEnvironment;
before(async () => {
  env = await TestEnvironment.start({ server: chosenServer(), kinds: [Pool] });
});
after(() => env[Symbol.asyncDispose]());

function parent(): Manager {
  const manager = env.manager();
  manager.control(
    { for: Pool, name: 'parent', owns: [ConfigMap], backoff: { initial: '1h', max: '1h' }, errorCondition: false },
    async (object) => {
      const child = new ConfigMap({ metadata: { name: object.metadata.name }, data: { of: 'the parent' } });
      await manager.client.applyOwned(object, [child]);
      return Result.done();
    },
  );
  return manager;
}
function failures(manager: Manager, count: number): Promise<void> {
  return new Promise((resolve) => {
    const check = (): void => {
      if ((manager.stats().get('parent')?.error ?? 0) < count) return;
      end();
      resolve();
    };
    const end = manager.onActivity(check);
    check();
  });
}

test('a parent whose child has a taken name is reconciled when the foreign object is deleted', async () => {
  const foreign = (): ConfigMap => new ConfigMap({ metadata: { name: 'taken', namespace: 'default' }, data: {} });
  const first = await env.client.create(foreign());
  const manager = parent();
  await manager.start();
  await env.client.create(pool('taken'));
  await failures(manager, 1);
  await env.client.patch(first, (draft) => {
    draft.data = { changed: 'and still foreign' };
  });
  await env.client.delete(first);
  const child = await env.until(ConfigMap, first.metadata, (object) => controllerOf(object)?.name === 'taken');
  assert.deepEqual(child.data, { of: 'the parent' });
  assert.equal(manager.stats().get('parent')?.error, 1);
  await manager.stop();
});
