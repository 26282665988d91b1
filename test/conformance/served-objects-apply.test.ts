import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { keyOf, type KubeObject } from '@kubewright/api';
import { SystemClock } from '@kubewright/api/clock';
import { Lease } from '@kubewright/api/coordination/v1';
import { ConfigMap } from '@kubewright/api/core/v1';
import { ApiError, type Client, isConflict, isInvalid } from '@kubewright/runtime';
import { Transport } from '@kubewright/runtime/internal';
import type { TestEnvironment } from '@kubewright/testing';
import { startEnvironment } from '../server/start-environment.js';
import { RecordingLogger } from './cached-cluster.js';
import { Gadget, gadget, hasCode, kinds, namespace } from './client-kinds.js';

interface ManagedFields {
  readonly manager: string;
  readonly operation: string;
  readonly subresource?: string;
}
/** Returns a ConfigMap with only data. Empty labels would also have a field manager. */
function configMap(name: string, data: Record<string, string> = {}): ConfigMap {
  return new ConfigMap({ metadata: { name, namespace }, data });
}
function managersOf({ metadata }: KubeObject): string[] {
  const { managedFields = [] } = metadata as { readonly managedFields?: readonly ManagedFields[] };
  return managedFields.map((one) => `${one.manager} ${one.operation}${one.subresource ? ` ${one.subresource}` : ''}`);
}

describe('server-side apply in a test environment', () => {
  let env: TestEnvironment;
  let client: Client;
  let transport: Transport;
  before(async () => {
    env = await startEnvironment({ kinds });
    client = env.client;
    transport = new Transport(env.connection, { clock: new SystemClock(), logger: new RecordingLogger() });
  });
  after(async () => {
    await transport.close();
    await env[Symbol.asyncDispose]();
  });

  /** Sends an apply request with the given query, without the checks and the cleanup of the client. */
  function applied(object: ConfigMap, query: Readonly<Record<string, string>>): Promise<ConfigMap> {
    return transport.request<ConfigMap>({
      method: 'PATCH',
      path: `/api/v1/namespaces/${namespace}/configmaps/${object.metadata.name}`,
      query,
      body: object,
      contentType: 'application/apply-patch+yaml',
    });
  }

  test('[FK-48, FK-53] an apply creates or changes an object of a built-in kind, and removes the fields of the manager that the apply omits', async () => {
    const made = await client.apply(configMap('applied', { a: '1', b: '1' }), { fieldManager: 'one' });
    assert.deepEqual(made.data, { a: '1', b: '1' });
    await client.apply(configMap('applied', { c: '1' }), { fieldManager: 'two' });
    const changed = await client.apply(configMap('applied', { a: '2' }), { fieldManager: 'one' });
    assert.deepEqual(changed.data, { a: '2', c: '1' });
    assert.equal(changed.metadata.uid, made.metadata.uid);
    await assert.rejects(client.apply(configMap('applied', { a: '3' }), { fieldManager: 'two' }), isConflict);
    const taken = await client.apply(configMap('applied', { a: '3' }), { fieldManager: 'two', force: true });
    assert.deepEqual(taken.data, { a: '3' });
  });

  test('[FK-49, FK-53] an apply creates or changes an object of a custom kind, and removes the fields of the manager that the apply omits', async () => {
    const made = await client.apply(gadget('applied', { size: 1, color: 'red' }, { a: '1' }));
    assert.deepEqual([made.spec, made.metadata.generation], [{ size: 1, color: 'red' }, 1]);
    const changed = await client.apply(gadget('applied', { size: 2 }));
    assert.deepEqual([changed.spec, changed.metadata.labels], [{ size: 2 }, undefined]);
    const same = await client.apply(gadget('applied', { size: 2 }));
    assert.equal(same.metadata.resourceVersion, changed.metadata.resourceVersion);
    await assert.rejects(client.apply(gadget('applied', { size: -1 })), isInvalid);
  });

  test('[FK-17] with optimistic: true, an apply of a stale object fails with a conflict, even if it would change nothing', async () => {
    for (const object of [configMap('versions', { a: '1' }), gadget('versions')]) {
      const made = await client.apply<KubeObject>(object);
      const changed = await client.patch(made, (draft) => void (draft.metadata.labels.by = 'another'));
      await assert.rejects(client.apply(made, { optimistic: true }), isConflict);
      const desired = { ...object, metadata: { ...changed.metadata, annotations: { a: 'b' } } };
      const applied = await client.apply<KubeObject>(desired, { optimistic: true, force: true });
      assert.equal(applied.metadata.annotations?.a, 'b');
      await assert.rejects(client.apply(object, { optimistic: true }), hasCode('VERSION_REQUIRED'));
    }
  });

  test('[FK-50] the server rejects managed fields in an applied object, and the client does not send the managed fields of a read object', async () => {
    const made = await client.apply(configMap('managed', { a: '1' }));
    assert.ok(managersOf(made).length > 0);
    const { apiVersion, kind, metadata } = made;
    const { resourceVersion: _, ...others } = metadata;
    const sent = applied({ apiVersion, kind, metadata: others } as ConfigMap, { fieldManager: 'raw' });
    await assert.rejects(sent, /metadata\.managedFields must be nil/);
    const again = await client.apply({ ...made, data: { a: '2' } });
    assert.deepEqual(again.data, { a: '2' });
  });

  test('[FK-51] the server rejects an apply without a field manager, and an apply with an invalid field manager', async () => {
    await assert.rejects(applied(configMap('unmanaged'), {}), (error) => {
      assert.ok(error instanceof ApiError && /fieldManager.*[Rr]equired/.test(error.message), String(error));
      return true;
    });
    for (const fieldManager of ['x'.repeat(129), 'no\u0007bell']) {
      await assert.rejects(client.apply(configMap('unmanaged'), { fieldManager }), isInvalid);
    }
    assert.equal(await client.find(ConfigMap, { namespace, name: 'unmanaged' }), undefined);
  });

  test('[FK-52] an apply recreates a deleted object, but fails with a conflict if optimistic is true', async () => {
    const made = await client.apply(gadget('gone'));
    await client.delete(made);
    await assert.rejects(client.apply(made, { optimistic: true }), isConflict);
    assert.equal(await client.find(Gadget, keyOf(made)), undefined);
    const again = await client.apply(made);
    assert.notEqual(again.metadata.uid, made.metadata.uid);
  });

  test('[FK-52] the server rejects an apply of a new object with a uid, and ignores the resourceVersion of a new object', async () => {
    const given = configMap('new');
    const uid = '11111111-2222-3333-4444-555555555555';
    const withUid = { ...given, metadata: { ...given.metadata, uid } };
    await assert.rejects(applied(withUid, { fieldManager: 'raw' }), isConflict);
    const withVersion = { ...given, metadata: { ...given.metadata, resourceVersion: '1' } };
    const made = await applied(withVersion, { fieldManager: 'raw' });
    assert.ok(made.metadata.uid && made.metadata.resourceVersion !== '1');
  });

  test('[FK-54] the server records the field managers of create, update, patch, and apply, and of an update that creates the object', async () => {
    const as = (fieldManager: string): { readonly fieldManager: string } => ({ fieldManager });
    const made = await client.create(configMap('authors', { a: '1' }), as('creator'));
    assert.deepEqual(managersOf(made), ['creator Update']);
    const updated = await client.update<ConfigMap>({ ...made, data: { a: '1', b: '2' } }, as('updater'));
    await client.patch(updated, { merge: { data: { c: '3' } } }, as('patcher'));
    const last = await client.apply(configMap('authors', { d: '4' }), as('applier'));
    assert.deepEqual(managersOf(last).toSorted(), [
      'applier Apply',
      'creator Update',
      'patcher Update',
      'updater Update',
    ]);
    const lease = new Lease({ metadata: { name: 'authors', namespace }, spec: { holderIdentity: 'me' } });
    assert.deepEqual(managersOf(await client.update(lease, as('updater'))), ['updater Update']);
    const object = await client.create(gadget('authors'));
    const status = await client.patchStatus(object, { phase: 'x' });
    assert.deepEqual(managersOf(status).toSorted(), ['kubewright-test Update', 'kubewright-test Update status']);
  });
});
