import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { keyOf, type KubeObject, mutable } from '@kubewright/api';
import { Deployment } from '@kubewright/api/apps/v1';
import { ConfigMap } from '@kubewright/api/core/v1';
import { type Client, isConflict, isInvalid, isNotFound } from '@kubewright/runtime';
import type { TestEnvironment } from '@kubewright/testing';
import { startEnvironment } from '../server/start-environment.js';
import { configMap, Gadget, gadget, hasCode, kinds, NamedGadget, namespace, Phantom, Site } from './client-kinds.js';

describe('apply and status writes of a client', () => {
  let env: TestEnvironment;
  let client: Client;
  before(async () => {
    env = await startEnvironment({ kinds });
    client = env.client;
  });
  after(() => env[Symbol.asyncDispose]());

  const desired = {
    'a kind known by name': (size: number): KubeObject =>
      new NamedGadget({ metadata: { name: 'applied-by-name', namespace }, spec: { size } }),
    'a class': (size: number): KubeObject => gadget('applied-class', { size }),
    'a built-in kind': (size: number): KubeObject => configMap('applied-built-in', { size: String(size) }),
  };
  for (const [how, object] of Object.entries(desired)) {
    test(`[CL-24, CL-25] apply creates an object of ${how} and then updates it`, async () => {
      const made = await client.apply(object(1));
      assert.ok(made.metadata.uid);
      const changed = await client.apply(object(2));
      assert.equal(changed.metadata.uid, made.metadata.uid);
      assert.notEqual(changed.metadata.resourceVersion, made.metadata.resourceVersion);
      const { spec, data } = changed as KubeObject & { readonly spec?: unknown; readonly data?: unknown };
      const expected = object(2) as KubeObject & { readonly spec?: unknown; readonly data?: unknown };
      assert.deepEqual([spec, data], [expected.spec, expected.data]);
    });
  }

  test('[CL-26] an apply of a field of another field manager fails with a conflict unless force is set', async () => {
    await client.create(gadget('made', { size: 1, color: 'red' }), { fieldManager: 'author' });
    const theirs = client.apply(gadget('made', { size: 2 }));
    await assert.rejects(theirs, isConflict);
    const taken = await client.apply(gadget('made', { size: 2 }), { force: true });
    assert.deepEqual([taken.spec.size, taken.spec.color], [2, 'red']);
    const again = await client.apply(gadget('made', { size: 3 }));
    assert.equal(again.spec.size, 3);
  });

  test('[CL-27] apply rejects an invalid object with the error of the server, and a kind that is not served', async () => {
    await assert.rejects(client.apply(gadget('refused', { size: -1 })), isInvalid);
    const unknown = { ...gadget('refused'), spec: { size: 1, sise: 2 } } as Gadget;
    await assert.rejects(client.apply(unknown), /sise/);
    await assert.rejects(client.apply(new Phantom({ metadata: { name: 'a', namespace } })), hasCode('KIND_NOT_SERVED'));
  });

  test('[CL-34, CL-35, CL-37, CL-38] the client replaces and patches the status without changing the spec, and the responses contain apiVersion and kind', async () => {
    const made = await client.create(gadget('status', { size: 1 }));
    const next = { ...made, spec: { size: 9 }, status: { size: 1, phase: 'New' } };
    const updated = await client.subresource(made, 'status').update(next);
    assert.deepEqual([updated.spec.size, updated.status], [1, { size: 1, phase: 'New' }]);
    const merged = await client
      .subresource(updated, 'status')
      .patch({ merge: { status: { phase: null }, spec: { size: 7 } } });
    assert.deepEqual([merged.spec.size, merged.status], [1, { size: 1 }]);
    const patched = await client.patchStatus(merged, { phase: 'Ready' });
    for (const answer of [updated, merged, patched]) {
      assert.deepEqual([answer.apiVersion, answer.kind], ['client.example.com/v1', 'Gadget']);
    }
    assert.deepEqual((await client.subresource(patched, 'status').get()).status, { size: 1, phase: 'Ready' });
    await assert.rejects(client.subresource(made, 'status').update(next), isConflict);
    await assert.rejects(client.patchStatus(made, { phase: 'Old' }, { optimistic: true }), isConflict);
    const update = client.update({ ...patched, status: { phase: 'Ignored' } });
    assert.equal((await update).status?.phase, 'Ready');
  });

  test('[CL-38] the client writes the status of cluster-scoped kinds, and fails for an absent object and for a kind that is not served', async () => {
    const site = await client.create(new Site({ metadata: { name: 'status-site' }, spec: {} }));
    assert.equal((await client.patchStatus(site, { phase: 'Open' })).status?.phase, 'Open');
    const updated = await client.subresource(site, 'status').patch({ merge: { status: { phase: 'Shut' } } });
    assert.equal(updated.status?.phase, 'Shut');
    await client.delete(site);
    await assert.rejects(client.patchStatus(site, { phase: 'Gone' }), isNotFound);
    await assert.rejects(client.subresource(site, 'status').update({ ...site, status: { phase: 'x' } }), isNotFound);
    await assert.rejects(client.subresource(site, 'status').get(), isNotFound);
    const phantom = new Phantom({ metadata: { name: 'a', namespace } });
    await assert.rejects(client.subresource(phantom, 'status').patch({ merge: {} }), hasCode('KIND_NOT_SERVED'));
  });

  test('[CL-36] the client applies a status under a field manager, and removes fields that the field manager no longer applies', async () => {
    const made = await client.create(gadget('status-applied'));
    const status = client.subresource(made, 'status');
    const first = await status.apply({ status: { phase: 'New', size: 4 } }, { fieldManager: 'one' });
    assert.deepEqual(first.status, { phase: 'New', size: 4 });
    const second = await status.apply({ status: { size: 5 } }, { fieldManager: 'one' });
    assert.deepEqual(second.status, { size: 5 });
    await assert.rejects(status.apply({ status: { size: 6 } }, { fieldManager: 'two' }), isConflict);
    const taken = await status.apply({ status: { size: 6 } }, { fieldManager: 'two', force: true });
    assert.deepEqual(taken.status, { size: 6 });
  });

  test('[CO-12] a strategic merge patch of a built-in kind merges lists by key, with and without a version precondition', async () => {
    const labels = { app: 'strategic' };
    const made = await client.create(
      new Deployment({
        metadata: { name: 'strategic', namespace },
        spec: {
          replicas: 0,
          selector: { matchLabels: labels },
          template: {
            metadata: { labels },
            spec: {
              containers: [
                { name: 'a', image: 'a:1' },
                { name: 'b', image: 'b:1' },
              ],
            },
          },
        },
      }),
    );
    const strategicMerge = { spec: { template: { spec: { containers: [{ name: 'b', image: 'b:2' }] } } } };
    const patched = await client.patch(made, { strategicMerge });
    const images = (of: Deployment): unknown =>
      of.spec.template.spec?.containers.map(({ name, image }) => `${name} ${image}`);
    assert.deepEqual(images(patched), ['a a:1', 'b b:2']);
    await assert.rejects(client.patch(made, { strategicMerge }, { optimistic: true }), isConflict);
    const now = await client.get(Deployment, keyOf(made));
    const locked = { spec: { template: { spec: { containers: [{ name: 'a', image: 'a:2' }] } } } };
    assert.deepEqual(images(await client.patch(now, { strategicMerge: locked }, { optimistic: true })), [
      'a a:2',
      'b b:2',
    ]);
  });

  test('[CO-10, CO-11] an edited draft becomes a patch of the edited fields only, with a version precondition on request', async () => {
    const made = await client.create(configMap('draft', { kept: '1', edited: '1' }));
    const other = mutable(made);
    other.data = { kept: '2', edited: '1' };
    await client.update<ConfigMap>(other);
    const patched = await client.patch(made, (draft) => void (draft.data = { kept: '1', edited: '2' }));
    assert.deepEqual(patched.data, { kept: '2', edited: '2' });
    const stale = client.patch(made, (draft) => void (draft.data = { kept: '1', edited: '3' }), { optimistic: true });
    await assert.rejects(stale, isConflict);
    await assert.rejects(
      client.patch(configMap('draft'), (draft) => void (draft.data = { edited: '3' }), { optimistic: true }),
      hasCode('VERSION_REQUIRED'),
    );
  });
});
