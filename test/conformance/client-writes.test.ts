import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { isMetadataOnly, keyOf, type KubeObject, metadataOnly, mutable } from '@kubewright/api';
import { ConfigMap } from '@kubewright/api/core/v1';
import { IngressClass } from '@kubewright/api/networking/v1';
import { type Client, isAlreadyExists, isConflict, isExpired, isInvalid, isNotFound } from '@kubewright/runtime';
import type { TestEnvironment } from '@kubewright/testing';
import { startEnvironment } from '../server/start-environment.js';
import {
  clusterScoped,
  configMap,
  Counter,
  Gadget,
  gadget,
  hasCode,
  ingressClass,
  kinds,
  namesOf,
  namespace,
  namespaceCalled,
  namespaced,
  Phantom,
} from './client-kinds.js';

const serials = { big: 9_007_199_254_740_993n, next: 9_007_199_254_740_995n };

describe('writes of a client', () => {
  let env: TestEnvironment;
  let client: Client;
  before(async () => {
    env = await startEnvironment({ kinds });
    client = env.client;
  });
  after(() => env[Symbol.asyncDispose]());

  for (const { how, kind, object } of [...namespaced, ...clusterScoped]) {
    const name = (what: string): string => `${what}-${how.replaceAll(' ', '-')}`;

    test(`[CL-11, CL-12, CL-13, CL-18, CL-19, CL-20, CL-43] the client creates an object of ${how} (${kind.name}) once, reads it, and replaces it, and the responses contain apiVersion and kind`, async () => {
      const given = object(name('write'));
      const made = await client.create(given);
      assert.ok(made.metadata.uid && made.metadata.resourceVersion && made.metadata.creationTimestamp);
      assert.deepEqual([made.apiVersion, made.kind], [given.apiVersion, given.kind]);
      await assert.rejects(client.create(given), isAlreadyExists);
      assert.deepEqual(await client.get(kind, keyOf(made)), made);
      const next = mutable(made);
      next.metadata.annotations.color = 'blue';
      const updated: KubeObject = await client.update<KubeObject>(next);
      assert.equal(updated.metadata.annotations?.color, 'blue');
      assert.deepEqual([updated.apiVersion, updated.kind], [given.apiVersion, given.kind]);
      await assert.rejects(client.update(made), isConflict);
    });

    test(`[CL-21, CL-40, CL-41, CL-44] reads and updates of an absent object of ${how} (${kind.name}) fail with NotFound; a delete fails only with mustExist`, async () => {
      const made = await client.create(object(name('gone')));
      await client.delete(made, { mustExist: true });
      await assert.rejects(client.get(kind, keyOf(made)), isNotFound);
      assert.equal(await client.find(kind, keyOf(made)), undefined);
      const { uid: _uid, resourceVersion: _version, ...metadata } = made.metadata;
      await assert.rejects(client.update({ ...made, metadata } as KubeObject), isNotFound);
      await client.delete(made);
      await assert.rejects(client.delete(made, { mustExist: true }), isNotFound);
    });
  }

  test('[CL-14] a create of an invalid object fails with the validation errors of the server', async () => {
    await assert.rejects(client.create(gadget('invalid', { size: -1 })), isInvalid);
    await assert.rejects(client.create(configMap('Not A Name')), isInvalid);
  });

  test('[CL-15] create rejects an object without a kind, and an object of a kind that is not served', async () => {
    await assert.rejects(
      client.create(new Phantom({ metadata: { name: 'a', namespace } })),
      hasCode('KIND_NOT_SERVED'),
    );
    const nameless = { metadata: { name: 'a', namespace }, apiVersion: 'v1', kind: '' } as unknown as ConfigMap;
    await assert.rejects(client.create(nameless), hasCode('INVALID_KIND'));
  });

  test('[CL-16] a create with dryRun, or by a dry-run client, creates nothing; the option dryRun: false does not override a dry-run client', async () => {
    const trial = client.with({ dryRun: true });
    const answer = await client.create(gadget('trial'), { dryRun: true });
    assert.equal(answer.spec.size, 1);
    await trial.create(gadget('trial'));
    await trial.create(gadget('trial'), { dryRun: false });
    assert.equal(await client.find(Gadget, { namespace, name: 'trial' }), undefined);
  });

  test('[CL-17, CL-22, CL-23, CL-39] an object that was read as metadata can be patched, but not created, updated, or applied', async () => {
    const made = await client.create(gadget('bare', { color: 'red' }));
    const bare = await client.get(metadataOnly(Gadget), keyOf(made));
    assert.deepEqual(Object.keys(bare), ['apiVersion', 'kind', 'metadata']);
    assert.deepEqual([bare.apiVersion, bare.kind], ['client.example.com/v1', 'Gadget']);
    assert.ok(isMetadataOnly(bare));
    const untyped: KubeObject = bare;
    await assert.rejects(client.create(untyped), hasCode('METADATA_ONLY'));
    await assert.rejects(client.update(untyped), hasCode('METADATA_ONLY'));
    await assert.rejects(client.update(mutable(untyped) as KubeObject), hasCode('METADATA_ONLY'));
    await assert.rejects(client.apply(untyped), hasCode('METADATA_ONLY'));
    await assert.rejects(client.subresource(untyped, 'status').update(untyped), hasCode('METADATA_ONLY'));
    const patched = await client.patch(bare, (draft) => void (draft.metadata.labels.seen = 'yes'), {
      fieldManager: 'somebody',
    });
    assert.equal(patched.metadata.labels?.seen, 'yes');
    assert.ok(isMetadataOnly(patched));
    await client.patch(patched, { merge: { metadata: { labels: { more: 'yes' } } } }, { optimistic: true });
    await assert.rejects(
      client.patch(bare, { merge: { metadata: { labels: { more: 'no' } } } }, { optimistic: true }),
      isConflict,
    );
    await client.subresource(untyped, 'status').patch({ merge: { status: { phase: 'Seen' } } as object });
    const whole = await client.get(Gadget, keyOf(made));
    assert.deepEqual(whole.metadata.labels, { more: 'yes', seen: 'yes' });
    assert.deepEqual([whole.spec.color, whole.status?.phase], ['red', 'Seen']);
  });

  test('[CL-40] the client deletes objects that were read as metadata, one by one and as a collection', async () => {
    for (const name of ['x', 'y', 'z']) await client.create(configMap(`bare-${name}`, {}, { bare: 'yes' }));
    const made = await client.create(ingressClass('bare-class'));
    const bare = await client.get(metadataOnly(ConfigMap), { namespace, name: 'bare-x' });
    await client.delete(bare, { mustExist: true });
    await client.delete(await client.get(metadataOnly(IngressClass), keyOf(made)), { mustExist: true });
    assert.equal(await client.find(IngressClass, keyOf(made)), undefined);
    await client.deleteAll(metadataOnly(ConfigMap), { namespace, labels: { bare: 'yes' } });
    assert.deepEqual(await client.list(ConfigMap, { namespace, labels: { bare: 'yes' } }), []);
  });

  test('[CL-42] the client deletes a collection in one namespace, in all namespaces, or of a cluster-scoped kind', async () => {
    await client.create(namespaceCalled('delete-all'));
    const make = async (): Promise<void> => {
      for (const name of ['a', 'b', 'c']) await client.create(configMap(`all-${name}`, {}, { 'delete-all': name }));
      const elsewhere = { name: 'all-a', namespace: 'delete-all', labels: { 'delete-all': 'a' } };
      await client.create(new ConfigMap({ metadata: elsewhere }));
    };
    const left = async (): Promise<string[]> =>
      (await client.list(ConfigMap, { labels: 'delete-all' }))
        .map(({ metadata: m }) => `${m.namespace}/${m.name}`)
        .toSorted();
    await make();
    await client.deleteAll(ConfigMap, { namespace, labels: 'delete-all in (a, b)' });
    assert.deepEqual(await left(), ['default/all-c', 'delete-all/all-a']);
    await client.deleteAll(ConfigMap, { namespace, labels: 'delete-all', fields: { 'metadata.name': 'other' } });
    assert.deepEqual(await left(), ['default/all-c', 'delete-all/all-a']);
    await client.deleteAll(ConfigMap, { labels: 'delete-all' });
    assert.deepEqual(await left(), []);
    for (const name of ['r1', 'r2']) {
      await client.create(ingressClass(name, { 'delete-all': 'yes' }));
    }
    await client.deleteAll(IngressClass, { labels: { 'delete-all': 'yes' } });
    assert.deepEqual(namesOf(await client.list(IngressClass, { labels: { 'delete-all': 'yes' } })), []);
  });

  test('deleteAll rejects a limit, because it would delete more objects than the limit', async () => {
    const selection = { namespace, labels: 'delete-all', limit: 1 };
    await assert.rejects(client.deleteAll(ConfigMap, selection), hasCode('INVALID_OPTION'));
  });

  test('a cached read after deleteAll does not return the deleted objects', async () => {
    const cached = env.cluster.client;
    for (const name of ['one', 'two']) await cached.create(configMap(`seen-${name}`, {}, { seen: 'yes' }));
    assert.equal((await cached.list(ConfigMap, { namespace, labels: { seen: 'yes' } })).length, 2);
    await cached.deleteAll(ConfigMap, { namespace, labels: { seen: 'yes' } });
    assert.deepEqual(await cached.list(ConfigMap, { namespace, labels: { seen: 'yes' } }), []);
  });

  test('a delete with sameVersion fails with a conflict if the object was changed after it was read', async () => {
    const made = await client.create(configMap('versioned'));
    await client.patch(made, (draft) => void (draft.data = { changed: 'yes' }));
    await assert.rejects(client.delete(made, { sameVersion: true }), isConflict);
    const now = await client.get(ConfigMap, keyOf(made));
    await client.delete(now, { sameVersion: true });
    assert.equal(await client.find(ConfigMap, keyOf(made)), undefined);
    await assert.rejects(client.delete(configMap('unread'), { sameVersion: true }), hasCode('VERSION_REQUIRED'));
  });

  test('[CO-13] a patch can change a 64-bit integer to another integer with the same floating-point value', async () => {
    const spec = { serial: serials.big };
    const made = await client.create(new Counter({ metadata: { name: 'serial', namespace }, spec }));
    assert.equal(made.spec.serial, serials.big);
    const patched = await client.patch(made, (draft) => void (draft.spec.serial = serials.next));
    assert.equal(patched.spec.serial, serials.next);
    assert.equal(await client.patch(patched, (draft) => void (draft.spec.serial = serials.next)), patched);
    const recolored = await client.patch(patched, { merge: { spec: { color: 'blue' } } });
    assert.deepEqual([recolored.spec.serial, recolored.spec.color], [serials.next, 'blue']);
  });

  test('a JSON patch of a stale version fails with a conflict if optimistic is true, and is applied otherwise', async () => {
    const made = await client.create(configMap('json', { a: '1' }));
    const patched = await client.patch(made, { json: [{ op: 'replace', path: '/data/a', value: '2' }] });
    assert.equal(patched.data?.a, '2');
    const stale = client.patch(made, { json: [{ op: 'remove', path: '/data/a' }] }, { optimistic: true });
    await assert.rejects(stale, isConflict);
    const fresh = await client.patch(patched, { json: [{ op: 'remove', path: '/data/a' }] }, { optimistic: true });
    assert.equal(fresh.data?.a, undefined);
    assert.ok(!isExpired(undefined));
  });
});
