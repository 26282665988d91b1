import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { controllerOf } from '@kubewright/api';
import { ConfigMap } from '@kubewright/api/core/v1';
import { isNotOwned, type Manager, Result } from '@kubewright/runtime';
import type { TestEnvironment } from '@kubewright/testing';
import { startEnvironment } from '../server/start-environment.js';
import { Pool, pool } from './reconcile-kinds.js';

let env: TestEnvironment;
before(async () => {
  env = await startEnvironment({ kinds: [Pool] });
});
after(() => env[Symbol.asyncDispose]());

/**
 * Returns a manager whose controller applies a ConfigMap with the same name for each Pool. `made` contains the names of Pools that have
 * their ConfigMap. If `caught` is defined, the reconcile catches NOT_OWNED and calls `caught` with the name of the Pool. Otherwise the
 * reconcile fails.
 */
function parent(caught?: (name: string) => void): { readonly manager: Manager; readonly made: ReadonlySet<string> } {
  const manager = env.manager();
  const made = new Set<string>();
  manager.control(
    {
      for: Pool,
      name: 'parent',
      owns: [ConfigMap],
      concurrency: 10,
      backoff: { initial: '1h', max: '1h' },
      reconcileCondition: false,
    },
    async (object) => {
      const { name } = object.metadata;
      try {
        await manager.client.applyOwned(object, [new ConfigMap({ metadata: { name }, data: { of: 'the parent' } })]);
        made.add(name);
      } catch (error) {
        if (caught === undefined || !isNotOwned(error)) throw error;
        caught(name);
      }
      return Result.done();
    },
  );
  return { manager, made };
}
function until(manager: Manager, isReached: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const check = (): void => {
      if (!isReached()) return;
      end();
      resolve();
    };
    const end = manager.onActivity(check);
    check();
  });
}
function failures(manager: Manager): number {
  return manager.stats().get('parent')?.error ?? 0;
}
function foreign(name: string): Promise<ConfigMap> {
  return env.client.create(new ConfigMap({ metadata: { name, namespace: 'default' }, data: {} }));
}
function childOf(name: string): Promise<ConfigMap> {
  return env.until(ConfigMap, { name, namespace: 'default' }, (object) => controllerOf(object)?.name === name);
}

test('a controller reconciles a parent when a foreign object with the name of a child is deleted', async () => {
  const first = await foreign('taken');
  const { manager } = parent();
  await manager.start();
  await env.client.create(pool('taken'));
  await until(manager, () => failures(manager) === 1);
  await env.client.patch(first, (draft) => {
    draft.data = { changed: 'and still foreign' };
  });
  await env.client.delete(first);
  assert.deepEqual((await childOf('taken')).data, { of: 'the parent' });
  assert.equal(failures(manager), 1);
  await manager.stop();
});

test('a controller reconciles a parent when a foreign object with the name of a child is deleted, even if the reconciler caught NOT_OWNED', async () => {
  const first = await foreign('caught');
  const caught: string[] = [];
  const { manager } = parent((name) => void caught.push(name));
  await manager.start();
  await env.client.create(pool('caught'));
  await until(manager, () => caught.length > 0);
  await env.client.delete(first);
  assert.deepEqual((await childOf('caught')).data, { of: 'the parent' });
  assert.deepEqual(caught, ['caught']);
  await manager.stop();
});

test('a controller reconciles each of 110 parents when the foreign object with the name of its child is deleted', async () => {
  const names = Array.from({ length: 110 }, (_, at) => `many-${at}`);
  const objects = await Promise.all(names.map(foreign));
  const { manager, made } = parent();
  await manager.start();
  await Promise.all(names.map((name) => env.client.create(pool(name))));
  await until(manager, () => failures(manager) === names.length);
  await Promise.all(objects.map((object) => env.client.delete(object)));
  await until(manager, () => names.every((name) => made.has(name)));
  assert.equal(failures(manager), names.length);
  await manager.stop();
});
