import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { defineKind, keyOf, type KubeObject, mutable } from '@kubewright/api';
import { kindRefOf } from '@kubewright/api/metadata';
import { Lease } from '@kubewright/api/coordination/v1';
import { ConfigMap } from '@kubewright/api/core/v1';
import { type Client, isAlreadyExists, isConflict, isInvalid, isNotFound } from '@kubewright/runtime';
import type { TestEnvironment } from '@kubewright/testing';
import { selectedServer } from '../server/selected-server.js';
import { startEnvironment } from '../server/start-environment.js';
import { configMap, Gadget, gadget, hasCode, NamedGadget, namespace } from './client-kinds.js';

/** A kind without declared fields. */
const Anything = defineKind<Readonly<Record<string, unknown>>>({
  group: 'served.example.com',
  version: 'v1',
  kind: 'Anything',
  plural: 'anythings',
  spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
});

function withoutVersion<T extends KubeObject>({ metadata, ...rest }: T): T {
  const { resourceVersion: _, ...others } = metadata;
  return { ...rest, metadata: others } as unknown as T;
}

describe('writes in a test environment', () => {
  let env: TestEnvironment;
  let client: Client;
  before(async () => {
    env = await startEnvironment({ kinds: [Gadget, Anything] });
    client = env.client;
  });
  after(() => env[Symbol.asyncDispose]());

  test('[FK-07, FK-09] create creates an object once, and does not modify the given object on success or failure', async () => {
    const given = mutable(configMap('created', { a: '1' }));
    const before = structuredClone(given);
    const made = await client.create<ConfigMap>(given as ConfigMap);
    assert.ok(made.metadata.uid && made.metadata.resourceVersion);
    assert.deepEqual(given, before);
    await assert.rejects(client.create<ConfigMap>(given as ConfigMap), isAlreadyExists);
    assert.deepEqual(given, before);
    assert.deepEqual(await client.get(ConfigMap, keyOf(made)), made);
  });

  test('[FK-08] the server rejects the creation of an object with a resourceVersion', async () => {
    for (const object of [configMap('versioned'), gadget('versioned')]) {
      const made = { ...object, metadata: { ...object.metadata, resourceVersion: '7' } };
      await assert.rejects(client.create(made), /resourceVersion should not be set on objects to be created/);
      assert.equal(await client.find(kindRefOf(object), object.metadata), undefined);
    }
  });

  test('[FK-10] writes of an object without a name are rejected', async () => {
    const nameless = { ...configMap(''), metadata: { namespace } } as unknown as ConfigMap;
    await assert.rejects(client.create(nameless), isInvalid);
    await assert.rejects(client.create(configMap('')), hasCode('INVALID_NAME'));
    await assert.rejects(client.update(nameless), hasCode('NAME_REQUIRED'));
    await assert.rejects(client.patch(nameless, { merge: { data: {} } }), hasCode('NAME_REQUIRED'));
    await assert.rejects(client.apply(nameless), hasCode('NAME_REQUIRED'));
    await assert.rejects(client.delete(nameless), hasCode('NAME_REQUIRED'));
    const edit = (): void => assert.fail('the edit was called');
    await assert.rejects(client.createOrPatch(nameless, edit), hasCode('NAME_REQUIRED'));
    const empty = configMap('');
    await assert.rejects(client.update(empty), hasCode('INVALID_NAME'));
    await assert.rejects(client.patchStatus(gadget(''), { phase: 'x' }), hasCode('INVALID_NAME'));
    await assert.rejects(client.apply(empty), hasCode('INVALID_NAME'));
    await assert.rejects(client.createOrPatch(empty, edit), hasCode('INVALID_NAME'));
  });

  test('[FK-11] the server generates unique names from generateName, and uses an explicit name unchanged', async () => {
    const generated = new ConfigMap({ metadata: { generateName: 'generated-', namespace } });
    const names = await Promise.all([1, 2, 3].map(async () => (await client.create(generated)).metadata.name));
    assert.equal(new Set(names).size, 3);
    for (const name of names) assert.match(name, /^generated-[a-z0-9]{5}$/);
    const both = new ConfigMap({ metadata: { name: 'explicit', generateName: 'generated-', namespace } });
    assert.equal((await client.create(both)).metadata.name, 'explicit');
    await assert.rejects(client.create(both), isAlreadyExists);
  });

  test('[FK-11] the server generates another name if the first generated name exists', {
    skip: selectedServer() !== 'embedded' && 'the test can mock random numbers only in this process',
  }, async (context) => {
    const generated = new ConfigMap({ metadata: { generateName: 'collides-', namespace } });
    const answers = [0, 0, 0, 0, 0];
    context.mock.method(Math, 'random', () => answers.shift() ?? 0.5);
    const first = await client.create(generated);
    answers.push(0, 0, 0, 0, 0);
    const second = await client.create(generated);
    context.mock.restoreAll();
    assert.deepEqual([first.metadata.name, answers], ['collides-bbbbb', []]);
    assert.match(second.metadata.name, /^collides-/);
    assert.notEqual(second.metadata.name, first.metadata.name);
  });

  test('[FK-12, FK-13] an update creates a new version, and an update of a stale version fails with a conflict', async () => {
    const made = await client.create(gadget('updated'));
    const first = await client.update({ ...made, spec: { size: 2 } });
    assert.notEqual(first.metadata.resourceVersion, made.metadata.resourceVersion);
    assert.deepEqual([first.metadata.generation, first.spec.size], [2, 2]);
    await assert.rejects(client.update({ ...made, spec: { size: 3 } }), isConflict);
    assert.deepEqual(await client.get(Gadget, keyOf(made)), first);
  });

  test('[FK-14] an update without a resourceVersion replaces a ConfigMap, and the server rejects such an update of a custom object', async () => {
    const map = await client.create(configMap('unversioned', { a: '1' }));
    const replaced = await client.update(withoutVersion({ ...map, data: { b: '2' } }));
    assert.deepEqual(replaced.data, { b: '2' });
    const made = await client.create(gadget('unversioned'));
    await assert.rejects(client.update(withoutVersion(made)), /resourceVersion.*must be specified for an update/);
  });

  test('[FK-15] a patch with resourceVersion null applies to any version of kinds that allow unconditional updates', async () => {
    const made = await client.create(configMap('any-version', { a: '1' }));
    await client.patch(made, (draft) => void (draft.data = { a: '2' }));
    const patch = { merge: { metadata: { resourceVersion: null } } };
    const patched = await client.patch(made, { merge: { ...patch.merge, data: { b: '1' } } });
    assert.deepEqual(patched.data, { a: '2', b: '1' });
    assert.ok(patched.metadata.resourceVersion);
    await assert.rejects(client.patch(await client.create(gadget('any-version')), patch), /must be specified for an/);
  });

  test('[FK-16] an update of an absent Lease creates the Lease, and the server rejects updates of absent ConfigMaps and custom objects', async () => {
    const lease = new Lease({ metadata: { name: 'made-by-update', namespace }, spec: { holderIdentity: 'me' } });
    const made = await client.update(lease);
    assert.ok(made.metadata.uid);
    assert.equal((await client.get(Lease, keyOf(made))).spec?.holderIdentity, 'me');
    await assert.rejects(client.update(configMap('not-made-by-update')), isNotFound);
    await assert.rejects(client.update(gadget('not-made-by-update')), (error) => isNotFound(error) || isInvalid(error));
    assert.equal(await client.find(Gadget, { namespace, name: 'not-made-by-update' }), undefined);
  });

  test('[FK-24] a dry run of each verb returns the result and changes nothing', async () => {
    const trial = client.with({ dryRun: true });
    const made = await client.create(gadget('trial', { size: 1 }));
    assert.equal((await trial.create(gadget('trial-new'))).spec.size, 1);
    assert.equal((await trial.update({ ...made, spec: { size: 2 } })).spec.size, 2);
    assert.equal((await trial.patch(made, (draft) => void (draft.spec.size = 3))).spec.size, 3);
    assert.equal((await trial.patchStatus(made, { phase: 'x' })).status?.phase, 'x');
    assert.equal((await trial.apply(gadget('trial-applied', { size: 4 }))).spec.size, 4);
    await trial.delete(made);
    await trial.deleteAll(Gadget, { namespace });
    assert.deepEqual(await client.get(Gadget, keyOf(made)), made);
    for (const name of ['trial-new', 'trial-applied'])
      assert.equal(await client.find(Gadget, { namespace, name }), undefined);
  });

  test('[FK-43] responses of all verbs contain the same apiVersion and kind', async () => {
    const reported: unknown[] = [];
    const note = ({ apiVersion, kind }: KubeObject): void => void reported.push(`${apiVersion} ${kind}`);
    const cached = env.cluster.client;
    for (const [at, kind] of [Gadget, NamedGadget].entries()) {
      const made = await client.create(
        new kind({ metadata: { name: `reported-${at}`, namespace }, spec: { size: 1 } }),
      );
      note(made);
      note(await client.update({ ...made, spec: { size: 2 } }));
      note(await client.patch(made, { merge: { spec: { size: 3 } } }));
      note(await client.patchStatus(made, { phase: 'x' }));
      for (const reader of [client, cached]) {
        note(await reader.get(kind, keyOf(made)));
        for (const object of await reader.list(kind, { namespace })) note(object);
      }
    }
    assert.ok(reported.length > 16);
    assert.deepEqual([...new Set(reported)], ['client.example.com/v1 Gadget']);
  });

  test('[FK-44] the server and the client preserve integers and floats in undeclared fields', async () => {
    const spec = {
      zero: 0,
      small: -7,
      exact: 9_007_199_254_740_991,
      large: 9_007_199_254_740_993n,
      half: 0.5,
      tiny: 1e-9,
      list: [1, 2.25, { deep: 3 }],
      text: '1',
      none: null,
    };
    const made = await client.create(new Anything({ metadata: { name: 'numbers', namespace }, spec }));
    assert.deepEqual(made.spec, spec);
    assert.deepEqual((await client.get(Anything, keyOf(made))).spec, spec);
    assert.deepEqual((await env.cluster.client.get(Anything, keyOf(made))).spec, spec);
    const patched = await client.patch(made, { merge: { spec: { half: 1.5 } } });
    assert.deepEqual(patched.spec, { ...spec, half: 1.5 });
    const updated = await client.update({ ...patched, spec: { ...patched.spec, small: -8 } });
    assert.deepEqual(updated.spec, { ...spec, half: 1.5, small: -8 });
  });

  test('[FK-45] all concurrent patches without a resourceVersion succeed, and only one of several concurrent patches with a resourceVersion succeeds', async () => {
    const made = await client.create(configMap('patched-at-once'));
    const keys = ['a', 'b', 'c', 'd'];
    await Promise.all(keys.map((key) => client.patch(made, { merge: { data: { [key]: '1' } } })));
    const now = await client.get(ConfigMap, keyOf(made));
    assert.deepEqual(Object.keys(now.data ?? {}).toSorted(), keys);
    const settled = await Promise.allSettled(
      keys.map((key) => client.patch(now, { merge: { data: { [key]: '2' } } }, { optimistic: true })),
    );
    const failures = settled.filter((one) => one.status === 'rejected');
    assert.equal(failures.length, keys.length - 1);
    for (const { reason } of failures) assert.ok(isConflict(reason), String(reason));
    const after = await client.get(ConfigMap, keyOf(made));
    assert.equal(Object.values(after.data ?? {}).filter((value) => value === '2').length, 1);
  });

  test('[FK-46] concurrent writes have the same result as the same writes one after the other', async () => {
    const refused = (results: readonly PromiseSettledResult<unknown>[]): readonly unknown[] =>
      results.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
    for (let round = 0; round < 5; round++) {
      const map = configMap(`raced-${round}`, { by: 'create' });
      const [created, updated] = await Promise.allSettled([
        client.create(map),
        client.update({ ...map, data: { by: 'update' } }),
      ]);
      assert.equal(created.status, 'fulfilled');
      for (const error of refused([updated])) assert.ok(isNotFound(error), String(error));
      const now = await client.get(ConfigMap, map.metadata);
      assert.equal(now.data?.by, updated.status === 'fulfilled' ? 'update' : 'create');

      const [deleted, late] = await Promise.allSettled([
        client.delete(now, { mustExist: true }),
        client.update({ ...now, data: { by: 'late' } }),
      ]);
      assert.equal(deleted.status, 'fulfilled');
      for (const error of refused([late])) assert.ok(isNotFound(error) || isConflict(error), String(error));
      assert.equal(await client.find(ConfigMap, map.metadata), undefined);

      const made = await client.create(configMap(`raced-${round}`, {}, { raced: 'yes' }));
      const both = await Promise.allSettled([
        client.deleteAll(ConfigMap, { namespace, labels: { raced: 'yes' } }),
        client.delete(made, { mustExist: true }),
      ]);
      for (const error of refused(both)) assert.ok(isNotFound(error) || isConflict(error), String(error));
      assert.equal(await client.find(ConfigMap, map.metadata), undefined);
    }
  });

  test('[FK-46] concurrent writes of the spec and of the scale do not revert each other', async () => {
    const made = await client.create(gadget('raced-scale', { size: 1 }));
    const [updated, scaled] = await Promise.allSettled([
      client.update({ ...made, spec: { ...made.spec, color: 'red' } }),
      client.subresource(made, 'scale').patch({ merge: { spec: { replicas: 4 } } }),
    ]);
    assert.equal(scaled.status, 'fulfilled');
    const { spec } = await client.get(Gadget, keyOf(made));
    if (updated.status === 'rejected') assert.ok(isConflict(updated.reason));
    assert.deepEqual(spec, updated.status === 'fulfilled' ? { size: 4, color: 'red' } : { size: 4 });
  });

  test('[FK-47] a write returns the stored object', async () => {
    let now = await client.create(gadget('answered'));
    const same = async (answer: Gadget): Promise<void> => {
      assert.notEqual(answer.metadata.resourceVersion, now.metadata.resourceVersion);
      assert.deepEqual(answer, await client.get(Gadget, keyOf(now)));
      now = answer;
    };
    assert.deepEqual(now, await client.get(Gadget, keyOf(now)));
    await same(await client.update({ ...now, spec: { size: 2 } }));
    await same(await client.patch(now, (draft) => void (draft.spec.size = 3)));
    await same(await client.patch(now, { json: [{ op: 'replace', path: '/spec/size', value: 4 }] }));
    await same(await client.apply(gadget('answered', { color: 'red', size: 4 }), { force: true }));
    await same(await client.patchStatus(now, { phase: 'x' }));
    await same(await client.subresource(now, 'status').update({ ...now, status: { phase: 'y' } }));
    await same(await client.subresource(now, 'status').apply({ status: { size: 1 } }));
    assert.deepEqual(
      [now.spec, now.status],
      [
        { size: 4, color: 'red' },
        { phase: 'y', size: 1 },
      ],
    );
  });
});
