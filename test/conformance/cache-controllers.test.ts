import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { metadataOnly } from '@kubewright/api';
import { ConfigMap, Secret } from '@kubewright/api/core/v1';
import { Foo } from '@kubewright/example-foo';
import { cacheOf, Manager, Result, watch } from '@kubewright/runtime';
import { FakeClock, type TestEnvironment } from '@kubewright/testing';
import { createConfigMaps, hasCode, RecordingLogger, startTeams } from './cached-cluster.js';

const foo = (name: string): Foo =>
  new Foo({ metadata: { name, namespace: 'team-a' }, spec: { deploymentName: 'web', replicas: 1 } });

/** Counts calls. `reached` resolves when the count reaches the given number. */
class Tally {
  #count = 0;
  #waiting: { readonly count: number; readonly resolve: () => void }[] = [];

  add(): void {
    this.#count++;
    for (const { count, resolve } of this.#waiting) if (this.#count >= count) resolve();
  }
  get count(): number {
    return this.#count;
  }
  reached(count: number): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push({ count, resolve });
      if (this.#count >= count) resolve();
    });
  }
}

describe('cache options of controllers', () => {
  let env: TestEnvironment;
  before(async () => {
    env = await startTeams({ kinds: [Foo] });
  });
  after(() => env[Symbol.asyncDispose]());
  const managed = (options: ConstructorParameters<typeof Manager>[0]): Manager =>
    new Manager({
      connection: env.connection,
      logger: new RecordingLogger(),
      signals: false,
      namespaces: ['team-a'],
      ...options,
    });

  test('cache.resync makes the controller reconcile an object again after each period', async () => {
    const clock = new FakeClock();
    const made = await env.client.create(foo('again'));
    await using manager = managed({ clock, cache: { resync: '10m' } });
    const runs = new Tally();
    manager.control({ for: Foo }, () => {
      runs.add();
      return Promise.resolve(Result.done());
    });
    await manager.start();
    await runs.reached(1);
    await clock.advance('11m');
    await runs.reached(2);
    await clock.advance('11m');
    await runs.reached(3);
    await env.client.delete(made);
  });

  test('the constructor of the manager rejects invalid cache options', () => {
    assert.throws(() => managed({ cache: { resync: '10ms' } }), hasCode('INVALID_CACHE', /cache\.resync/));
    const twice = [cacheOf(Secret), cacheOf(metadataOnly(Secret))];
    assert.throws(() => managed({ cache: { kinds: twice } }), hasCode('INVALID_CACHE', /v1\/Secret is listed twice/));
  });

  test('controllers that watch the metadata of a kind share the informer of controllers that read whole objects', async () => {
    await createConfigMaps(env, { 'team-a/shared': {} });
    await using manager = managed({});
    manager.control({ for: Foo, name: 'first', watches: [watch(metadataOnly(ConfigMap), { map: () => [] })] }, () =>
      Promise.resolve(Result.done()),
    );
    manager.control({ for: Foo, name: 'second', reads: [ConfigMap] }, () => Promise.resolve(Result.done()));
    await manager.start();
    const informers = manager.cache.informers().filter(({ kind }) => kind === 'ConfigMap');
    assert.deepEqual(
      informers.map(({ metadataOnly: bare }) => bare),
      [false],
    );
    assert.equal((await manager.client.get(ConfigMap, { namespace: 'team-a', name: 'shared' })).data?.of, 'shared');
  });

  test('a manager caches only the metadata of a kind that is declared as metadata, and rejects reads of whole objects', async () => {
    await using manager = managed({});
    manager.control({ for: Foo, watches: [watch(metadataOnly(ConfigMap), { map: () => [] })] }, () =>
      Promise.resolve(Result.done()),
    );
    await manager.start();
    const informers = manager.cache.informers().filter(({ kind }) => kind === 'ConfigMap');
    assert.deepEqual(
      informers.map(({ metadataOnly: bare }) => bare),
      [true],
    );
    assert.ok((await manager.client.list(metadataOnly(ConfigMap))).length > 0);
    await assert.rejects(manager.client.list(ConfigMap), hasCode('UNDECLARED_KIND'));
  });

  test('the client of a manager reads the kinds under cache.kinds from the cache, and rejects reads of other undeclared kinds', async () => {
    await using manager = managed({ cache: { kinds: [cacheOf(ConfigMap)] } });
    await manager.start();
    assert.ok((await manager.client.list(ConfigMap)).length > 0);
    assert.deepEqual(
      manager.status().informers.map(({ kind }) => kind),
      ['ConfigMap'],
    );
    await assert.rejects(manager.client.list(Secret), hasCode('UNDECLARED_KIND', /list the kind under 'cache\.kinds'/));
  });

  test('a controller applies, watches, and prunes children of a kind that is cached as metadata', async () => {
    const made = await env.client.create(foo('parent'));
    await using manager = managed({ cache: { kinds: [cacheOf(Secret, { metadataOnly: true })] } });
    const runs = new Tally();
    let names = ['one', 'two'];
    manager.control({ for: Foo, owns: [Secret] }, async (object) => {
      const children = names.map(
        (name) => new Secret({ metadata: { name: `${object.metadata.name}-${name}` }, stringData: { of: name } }),
      );
      await manager.client.applyOwned(object, children);
      runs.add();
      return Result.done();
    });
    await manager.start();
    await runs.reached(1);
    const seen = runs.count;
    const one = { namespace: 'team-a', name: 'parent-one' };
    await env.client.delete(await env.client.get(Secret, one));
    await runs.reached(seen + 1);
    const two = await env.client.get(Secret, { ...one, name: 'parent-two' });
    names = ['one'];
    const before = runs.count;
    await env.client.patch(await env.client.get(Foo, made.metadata), (draft) => {
      draft.spec.replicas = 2;
    });
    await runs.reached(before + 1);
    await env.untilDeleted(two);
    await env.until(Secret, one, () => true);
    await env.client.delete(made);
  });
});
