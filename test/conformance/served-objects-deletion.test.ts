import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { keyOf, type KubeObject, mutable } from '@kubewright/api';
import { ConfigMap, Secret } from '@kubewright/api/core/v1';
import { type Client, isConflict, isNotFound } from '@kubewright/runtime';
import type { TestEnvironment } from '@kubewright/testing';
import { startEnvironment } from '../server/start-environment.js';
import { configMap, Gadget, gadget, hasCode, kinds, namesOf, namespace } from './client-kinds.js';

const finalizer = 'client.example.com/wait';

function waiting(name: string, labels: Record<string, string> = {}): ConfigMap {
  return new ConfigMap({ metadata: { name, namespace, labels, finalizers: [finalizer] }, data: { a: '1' } });
}

describe('deletions in a test environment', () => {
  let env: TestEnvironment;
  let client: Client;
  before(async () => {
    env = await startEnvironment({ kinds });
    client = env.client;
  });
  after(() => env[Symbol.asyncDispose]());

  test('[FK-18] a deletion applies to any resourceVersion, or only to the given resourceVersion with sameVersion', async () => {
    const made = await client.create(gadget('deleted'));
    const changed = await client.patch(made, (draft) => void (draft.spec.size = 2));
    await assert.rejects(client.delete(made, { sameVersion: true }), isConflict);
    assert.deepEqual(await client.get(Gadget, keyOf(made)), changed);
    await client.delete(changed, { sameVersion: true, mustExist: true });
    assert.equal(await client.find(Gadget, keyOf(made)), undefined);
    const again = await client.create(gadget('deleted'));
    await client.patch(again, (draft) => void (draft.spec.size = 2));
    await client.delete(again, { mustExist: true });
    assert.equal(await client.find(Gadget, keyOf(made)), undefined);
  });

  const endings: Readonly<Record<string, (object: ConfigMap) => Promise<unknown>>> = {
    'an update': (object) => {
      const next = mutable(object);
      next.metadata.finalizers = [];
      return client.update<ConfigMap>(next);
    },
    'a patch': (object) => client.patch(object, (draft) => void (draft.metadata.finalizers = [])),
    'an apply': (object) => client.apply(configMap(object.metadata.name), { fieldManager: 'waiter', force: true }),
  };
  for (const [how, end] of Object.entries(endings)) {
    test(`[FK-19] an object with finalizers remains until the last finalizer is removed by ${how}`, async () => {
      const made = await client.apply(waiting(`waits-${how.replaceAll(' ', '-')}`), { fieldManager: 'waiter' });
      await client.delete(made);
      const marked = await client.get(ConfigMap, keyOf(made));
      assert.ok(marked.metadata.deletionTimestamp);
      assert.deepEqual([marked.data, marked.metadata.finalizers], [{ a: '1' }, [finalizer]]);
      await client.delete(made);
      assert.equal(
        (await client.get(ConfigMap, keyOf(made))).metadata.deletionTimestamp,
        marked.metadata.deletionTimestamp,
      );
      await end(marked);
      await assert.rejects(client.get(ConfigMap, keyOf(made)), isNotFound);
    });
  }

  test('[FK-20] deleteAll sets the deletion timestamp of objects with finalizers, and deletes only the other objects', async () => {
    const labels = { all: 'yes' };
    await client.create(configMap('all-free', {}, labels));
    await client.create(configMap('all-other', {}, { all: 'no' }));
    const kept = await client.create(waiting('all-waiting', labels));
    await client.deleteAll(ConfigMap, { namespace, labels });
    const left = await client.list(ConfigMap, { namespace, labels: 'all' });
    assert.deepEqual(namesOf(left), ['all-other', 'all-waiting']);
    const marked = await client.get(ConfigMap, keyOf(kept));
    assert.ok(marked.metadata.deletionTimestamp);
    await client.patch(marked, (draft) => void (draft.metadata.finalizers = []));
    assert.equal(await client.find(ConfigMap, keyOf(kept)), undefined);
  });

  test('[FK-21] only a deletion sets the deletion timestamp: create, update, and patch do not', async () => {
    const time = '2020-01-01T00:00:00Z';
    const given = configMap('undeleted', { a: '1' });
    const made = await client.create({ ...given, metadata: { ...given.metadata, deletionTimestamp: time } });
    assert.equal(made.metadata.deletionTimestamp, undefined);
    const timeNow = async (): Promise<string | undefined> =>
      (await client.get(ConfigMap, keyOf(made))).metadata.deletionTimestamp;
    const set = (deletionTimestamp: string | null): readonly (() => Promise<unknown>)[] => [
      async () => client.update(withTime(await client.get(ConfigMap, keyOf(made)), deletionTimestamp)),
      () => client.patch(made, { merge: { metadata: { deletionTimestamp } } }),
    ];
    for (const write of set(time)) {
      await Promise.allSettled([write()]);
      assert.equal(await timeNow(), undefined);
    }
    await client.patch(made, (draft) => void draft.metadata.finalizers.push(finalizer));
    await client.delete(made);
    const marked = await timeNow();
    assert.ok(marked);
    for (const write of [...set(time), ...set(null)]) {
      await Promise.allSettled([write()]);
      assert.equal(await timeNow(), marked);
    }
    await client.patch(made, { merge: { metadata: { finalizers: null } } });
    assert.equal(await client.find(ConfigMap, keyOf(made)), undefined);
  });
});

function withTime(object: ConfigMap, deletionTimestamp: string | null): ConfigMap {
  return { ...object, metadata: { ...object.metadata, deletionTimestamp } } as unknown as ConfigMap;
}

describe('the initial objects of a test environment', () => {
  test('[FK-22] a test environment rejects an initial object with a deletion timestamp but without a finalizer', async () => {
    const gone = withTime(configMap('gone'), '2026-01-01T00:00:00Z');
    await assert.rejects(
      startEnvironment({ objects: [gone] }),
      (error) => hasCode('INVALID_OPTION')(error) && /ConfigMap gone/.test(String(error)),
    );
  });

  test('[FK-22] a test environment creates the initial objects with their status, their owners, and their deletion timestamp', async () => {
    const meta = { namespace, resourceVersion: '999', creationTimestamp: '2020-01-01T00:00:00Z' };
    const owner = new Gadget({
      metadata: { ...meta, name: 'owner', uid: 'of-another-cluster' },
      spec: { size: 2 },
      status: { phase: 'Old', size: 2 },
    });
    const ownerReferences = [
      { apiVersion: owner.apiVersion, kind: owner.kind, name: 'owner', uid: 'of-another-cluster' },
    ];
    const objects: readonly KubeObject[] = [
      owner,
      new Secret({ metadata: { ...meta, name: 'owned', uid: 'u2', ownerReferences }, stringData: { key: 'value' } }),
      withTime(waiting('leaving'), '2026-01-01T00:00:00Z'),
    ];
    await using env = await startEnvironment({ kinds, objects });
    const { client } = env;
    const made = await client.get(Gadget, { namespace, name: 'owner' });
    assert.deepEqual([made.spec, made.status], [owner.spec, owner.status]);
    assert.notEqual(made.metadata.uid, 'of-another-cluster');
    const owned = await client.get(Secret, { namespace, name: 'owned' });
    assert.equal(owned.metadata.ownerReferences?.[0]?.uid, made.metadata.uid);
    assert.ok((await client.get(ConfigMap, { namespace, name: 'leaving' })).metadata.deletionTimestamp);
    await assert.rejects(client.update(owner), isConflict);
  });

  test('the start of a test environment fails with the error of the server if the server rejects an initial object', async () => {
    const start = startEnvironment({ kinds, objects: [gadget('wrong', { size: -1 })] });
    await assert.rejects(start, /spec\.size/);
  });
});
