import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { keyOf, type KubeObject } from '@kubewright/api';
import { kindRefOf } from '@kubewright/api/metadata';
import { Deployment } from '@kubewright/api/apps/v1';
import { Pod, ServiceAccount } from '@kubewright/api/core/v1';
import { ApiError, type Client, isConflict, isInvalid, isNotFound } from '@kubewright/runtime';
import type { TestEnvironment } from '@kubewright/testing';
import { startEnvironment } from '../server/start-environment.js';
import { configMap, Counter, Gadget, gadget, hasCode, kinds, NamedGadget, namespace } from './client-kinds.js';

function deployment(name: string): Deployment {
  const labels = { app: name };
  const spec = { containers: [{ name: 'c', image: 'nginx' }] };
  return new Deployment({
    metadata: { name, namespace },
    spec: { replicas: 0, selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
  });
}
function pod(name: string): Pod {
  return new Pod({ metadata: { name, namespace }, spec: { containers: [{ name: 'c', image: 'nginx' }] } });
}
function isBadRequest(error: unknown): boolean {
  return error instanceof ApiError && error.status === 400;
}

describe('status and other subresources in a test environment', () => {
  let env: TestEnvironment;
  let client: Client;
  before(async () => {
    env = await startEnvironment({ kinds });
    client = env.client;
  });
  after(() => env[Symbol.asyncDispose]());

  for (const [how, kind] of Object.entries({ class: Gadget, name: NamedGadget })) {
    const made = async (name: string): Promise<Gadget> => {
      const object = await client.create(
        new kind({ metadata: { name: `${name}-${how}`, namespace }, spec: { size: 1 } }),
      );
      return client.patchStatus(object, { phase: 'Old' });
    };

    test(`[FK-32, FK-36] update and patch do not change the status of a kind known by ${how}`, async () => {
      const object = await made('kept-status');
      const updated = await client.update({ ...object, spec: { size: 2 }, status: { phase: 'New' } });
      assert.deepEqual([updated.spec, updated.status], [{ size: 2 }, { phase: 'Old' }]);
      const { status: _, ...bare } = updated;
      assert.deepEqual((await client.update(bare as Gadget)).status, { phase: 'Old' });
      const merge = { spec: { size: 3 }, status: { phase: 'New' } };
      const patched = await client.patch(object, { merge });
      assert.deepEqual([patched.spec, patched.status], [{ size: 3 }, { phase: 'Old' }]);
      const edited = await client.patch(patched, (draft) => {
        draft.spec.size = 4;
        draft.status = { phase: 'New' };
      });
      assert.deepEqual([edited.spec, edited.status], [{ size: 4 }, { phase: 'Old' }]);
    });

    test(`[FK-33, FK-36] update and patch of the status change only the status of a kind known by ${how}`, async () => {
      const object = await made('only-status');
      const status = client.subresource(object, 'status');
      const updated = await status.update({ ...object, spec: { size: 9 }, status: { phase: 'New', size: 1 } });
      assert.deepEqual([updated.spec, updated.status], [{ size: 1 }, { phase: 'New', size: 1 }]);
      const patched = await status.patch({ merge: { spec: { size: 9 }, status: { size: null } } });
      assert.deepEqual([patched.spec, patched.status], [{ size: 1 }, { phase: 'New' }]);
      assert.deepEqual([patched.metadata.generation, object.metadata.generation], [1, 1]);
      assert.deepEqual(await client.get(kind, keyOf(object)), patched);
    });

    test(`[FK-34, FK-35] an update of the spec or the status of a kind known by ${how} fails with a conflict unless the update is based on the newest version`, async () => {
      const object = await made('in-turn');
      const first = await client.update({ ...object, spec: { size: 2 } });
      const stale = client.subresource(object, 'status').update({ ...object, status: { phase: 'Stale' } });
      await assert.rejects(stale, isConflict);
      const second = await client.subresource(first, 'status').update({ ...first, status: { phase: 'Second' } });
      await assert.rejects(client.update({ ...first, spec: { size: 9 } }), isConflict);
      const third = await client.update({ ...second, spec: { size: 3 } });
      const last = await client.subresource(third, 'status').update({ ...third, status: { phase: 'Last' } });
      assert.deepEqual([last.spec, last.status], [{ size: 3 }, { phase: 'Last' }]);
    });
  }

  test('[FK-37] apply ignores the status of new and existing objects, and an apply of the status ignores the spec', async () => {
    const desired = { ...gadget('applied-status', { size: 1 }), status: { phase: 'Wished' } };
    const made = await client.apply(desired);
    assert.equal(made.status, undefined);
    const status = client.subresource(made, 'status');
    const applied = await status.apply({ spec: { size: 9 }, status: { phase: 'Applied' } });
    assert.deepEqual([applied.spec, applied.status], [{ size: 1 }, { phase: 'Applied' }]);
    const changed = await client.apply({ ...desired, spec: { size: 2 } });
    assert.deepEqual([changed.spec, changed.status], [{ size: 2 }, { phase: 'Applied' }]);
  });

  test('[FK-38] the status of a stale object can be applied; with optimistic: true, the apply fails with a conflict', async () => {
    const made = await client.create(gadget('status-versions'));
    const status = client.subresource(made, 'status');
    const first = await status.apply({ ...made, status: { phase: 'First' } });
    assert.ok('managedFields' in first.metadata);
    const second = await status.apply({ ...first, status: { phase: 'Second' } });
    assert.deepEqual(second.status, { phase: 'Second' });
    const third = await status.apply({ ...made, status: { phase: 'Third' } });
    assert.deepEqual(third.status, { phase: 'Third' });
    const stale = client.subresource(second, 'status').apply({ status: { phase: 'Stale' } }, { optimistic: true });
    await assert.rejects(stale, isConflict);
    const last = await client.subresource(third, 'status').apply({ status: { phase: 'Last' } }, { optimistic: true });
    assert.deepEqual(last.status, { phase: 'Last' });
    const unread = client.subresource(gadget('status-versions'), 'status');
    await assert.rejects(unread.apply({ status: {} }, { optimistic: true }), hasCode('VERSION_REQUIRED'));
  });

  test('[FK-39] the server returns 404 for writes of the status of a built-in or custom kind without a status subresource', async () => {
    const counter = new Counter({ metadata: { name: 'no-status', namespace }, spec: { serial: 1 } });
    for (const given of [configMap('no-status'), counter]) {
      const made = await client.create<KubeObject>(given);
      const status = client.subresource(made, 'status');
      await assert.rejects(status.update(made), isNotFound);
      await assert.rejects(status.patch({ merge: { status: { phase: 'x' } } as object }), isNotFound);
      await assert.rejects(status.apply({ status: { phase: 'x' } } as object), isNotFound);
      assert.deepEqual(await client.get(kindRefOf(made), keyOf(made)), made);
    }
  });

  test('[FK-40] a client scales objects by class or by kind name, and the server returns 404 for kinds without scale and for absent objects', async () => {
    const scalable = [
      await client.create(deployment('scaled')),
      await client.create(gadget('scaled-class', { size: 1 })),
      await client.create(new NamedGadget({ metadata: { name: 'scaled-name', namespace }, spec: { size: 1 } })),
    ];
    for (const object of scalable) {
      const scale = client.subresource<KubeObject, 'scale'>(object, 'scale');
      assert.equal((await scale.update({ spec: { replicas: 3 } })).spec?.replicas, 3);
      const patched = await scale.patch({ merge: { spec: { replicas: 0 } } });
      assert.deepEqual(
        [patched.kind, patched.metadata?.name, patched.spec?.replicas ?? 0],
        ['Scale', object.metadata.name, 0],
      );
      const { spec } = (await client.get(kindRefOf(object), keyOf(object))) as KubeObject & {
        readonly spec: { readonly replicas?: number; readonly size?: number };
      };
      assert.equal(spec.replicas ?? spec.size, 0);
    }
    const unscalable = [configMap('unscalable'), new ServiceAccount({ metadata: { name: 'default', namespace } })];
    for (const object of [...unscalable, deployment('absent'), gadget('absent')]) {
      const scale = client.subresource<KubeObject, 'scale'>(object, 'scale');
      await assert.rejects(scale.patch({ merge: { spec: { replicas: 1 } } }), isNotFound);
      await assert.rejects(scale.update({ spec: { replicas: 1 } }), isNotFound);
    }
  });

  test('[FK-41] an eviction deletes a Pod; the server returns 404 for other kinds and absent Pods, and 400 for an invalid body', async () => {
    const made = await client.create(pod('evicted'));
    const wrong = { deleteOptions: { gracePeriodSeconds: 'soon' } } as never;
    await assert.rejects(client.subresource(made, 'eviction').create(wrong), isBadRequest);
    await client.subresource(made, 'eviction').create({});
    assert.equal(await client.find(Pod, keyOf(made)), undefined);
    await assert.rejects(client.subresource(made, 'eviction').create({}), isNotFound);
    const map = await client.create(configMap('not-evicted'));
    await assert.rejects(client.subresource(map, 'eviction').create({}), isNotFound);
  });

  test('[FK-42] a token request returns a token of a service account; the server returns 404 for other objects, and rejects an invalid body', async () => {
    const account = await client.create(new ServiceAccount({ metadata: { name: 'token', namespace } }));
    const token = client.subresource(account, 'token');
    const { status } = await token.create({ spec: { audiences: ['api'] } });
    assert.ok(status?.token && status.expirationTimestamp);
    await assert.rejects(token.create({ spec: { audiences: 5 } } as never), isBadRequest);
    await assert.rejects(token.create({ spec: { audiences: ['api'], expirationSeconds: 1 } }), isInvalid);
    const absent = new ServiceAccount({ metadata: { name: 'absent', namespace } });
    await assert.rejects(client.subresource(absent, 'token').create({ spec: { audiences: ['api'] } }), isNotFound);
    const map = await client.create(configMap('no-token'));
    await assert.rejects(client.subresource(map, 'token').create({ spec: { audiences: ['api'] } }), isNotFound);
  });
});
