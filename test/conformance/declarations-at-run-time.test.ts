import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@kubewright/api';
import type { FaultPlan } from '@kubewright/apiserver';
import { ConfigMap } from '@kubewright/api/core/v1';
import { Client, Controller, type Manager, owned, type Reconciler, Result, watch } from '@kubewright/runtime';
import { TestEnvironment } from '@kubewright/testing';
import { kinds, namespace, Rack, rack, Reported } from './watched-kinds.js';

/** Counts the watches of ConfigMaps. */
class CountedWatches implements FaultPlan {
  watches = 0;
  onRequest({ verb, resource }: Parameters<NonNullable<FaultPlan['onRequest']>>[0]): undefined {
    if (verb === 'watch' && resource === 'configmaps') this.watches++;
  }
}

const events = new Reported();
const noted =
  (by: string) =>
  ({ type, object }: { readonly type: string; readonly object: KubeObject }): boolean => {
    const { name, namespace: where } = object.metadata;
    if (where === namespace && name !== 'kube-root-ca.crt') events.add(`${by} ${type} ${name}`);
    return true;
  };

@Controller({ for: Rack, name: 'left', owns: [owned(ConfigMap, { when: noted('left') })] })
class LeftController implements Reconciler<Rack> {
  constructor(private readonly client: Client) {}
  async reconcile(object: Rack): Promise<Result> {
    await this.client.applyOwned(object, [new ConfigMap({ metadata: { namespace, name: 'left' } })]);
    return Result.done();
  }
}
@Controller({ for: Rack, name: 'right', owns: [owned(ConfigMap, { when: noted('right') })] })
class RightController implements Reconciler<Rack> {
  constructor(private readonly client: Client) {}
  async reconcile(object: Rack): Promise<Result> {
    await this.client.applyOwned(object, [new ConfigMap({ metadata: { namespace, name: 'right' } })]);
    return Result.done();
  }
}

const informersOf = (manager: Manager) => manager.cache.informers().filter(({ kind }) => kind === 'ConfigMap');
const namesOf = async ({ client }: TestEnvironment) =>
  (await client.list(ConfigMap, { namespace })).map(({ metadata }) => metadata.name).toSorted();

test('two controllers that own children of one kind share one watch', async () => {
  events.clear();
  const requests = new CountedWatches();
  await using env = await TestEnvironment.start({ kinds, faults: requests });
  await using manager = env.manager().add(LeftController).add(RightController);
  await env.client.create(rack('one'));
  const before = requests.watches;
  await manager.start();
  await env.settled();
  assert.equal(requests.watches - before, 1);
  const [informer, ...more] = informersOf(manager);
  assert.deepEqual(
    [informer?.labels, informer?.size, more.length],
    ['kubewright.dev/controller in (left,right)', 2, 0],
  );
  const right = await env.client.get(ConfigMap, { namespace, name: 'right' });
  events.clear();
  await env.client.delete(right);
  await env.settled();
  assert.deepEqual([...new Set(events.all)], ['right deleted right', 'right added right']);
  assert.deepEqual((await namesOf(env)).slice(-2), ['left', 'right']);
});

test('controllers and watches that are added and removed at run time receive the events of their own objects', async () => {
  events.clear();
  await using env = await TestEnvironment.start({ kinds });
  await using manager = env.manager().add(LeftController);
  await env.client.create(rack('one'));
  await manager.start();
  await env.settled();
  const owner = 'kubewright.dev/controller';
  const selectors = () => informersOf(manager).map(({ labels }) => labels);
  assert.deepEqual(selectors(), [`${owner}=left`]);

  manager.add(RightController);
  await events.until('right added right');
  await env.settled();
  assert.deepEqual(selectors(), [`${owner}=left or ${owner}=right`]);
  assert.equal(informersOf(manager)[0]?.size, 2);

  const left = manager.controller(LeftController);
  events.clear();
  const widened = await left.watch(watch(ConfigMap, { map: () => [], when: noted('all') }));
  await env.client.create(new ConfigMap({ metadata: { namespace, name: 'plain' } }));
  await events.until('all added plain');
  assert.deepEqual(selectors(), [undefined]);
  assert.equal(informersOf(manager)[0]?.size, (await env.client.list(ConfigMap)).length);
  assert.deepEqual(events.all.toSorted(), ['all added left', 'all added plain', 'all added right']);

  await manager.controller(RightController).stop();
  events.clear();
  await env.client.delete(await env.client.get(ConfigMap, { namespace, name: 'right' }));
  await events.until('all deleted right');
  assert.deepEqual(events.all, ['all deleted right'], 'a stopped controller gets no events');

  await widened[Symbol.asyncDispose]();
  events.clear();
  while (selectors()[0] !== `${owner}=left`) {
    const child = await env.client.get(ConfigMap, { namespace, name: 'left' });
    await env.client.patch(child, { merge: { metadata: { annotations: { at: child.metadata.resourceVersion } } } });
    await env.settled();
  }
  assert.deepEqual(selectors(), [`${owner}=left`]);
  assert.equal(informersOf(manager)[0]?.size, 1);
  assert.ok(
    events.all.every((event) => event === 'left modified left'),
    events.all.join(', '),
  );
  await left.stop();
  assert.deepEqual(informersOf(manager), []);
});
