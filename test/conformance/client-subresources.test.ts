import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { keyOf, type KubeObject } from '@kubewright/api';
import { kindRefOf } from '@kubewright/api/metadata';
import { Deployment } from '@kubewright/api/apps/v1';
import { CertificateSigningRequest } from '@kubewright/api/certificates/v1';
import { Pod, ServiceAccount } from '@kubewright/api/core/v1';
import { AccessRecord, type Client, isConflict, isNotFound } from '@kubewright/runtime';
import type { TestEnvironment } from '@kubewright/testing';
import { startEnvironment } from '../server/start-environment.js';
import { Gadget, gadget, hasCode, kinds, namespace } from './client-kinds.js';

const signingRequest = `-----BEGIN CERTIFICATE REQUEST-----
MIHGMG8CAQAwDTELMAkGA1UEAwwCbWUwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNC
AASJRq7sUTM4CQPCAu0pIbbb/J/IgCu6ITnLQvkbAxazWXIpipOsmflQycweOiTe
HwzAwAHsjXwC8r7v+RhiLkdaoAAwCgYIKoZIzj0EAwIDRwAwRAIgOg86C8kbTE+x
6/VFAKU9VFPX53Uzb4QuwmXSliQXgloCIAFQ4oUIczfsos8gjLRJiIHscXhAGvR9
m4rvnSCJSfMR
-----END CERTIFICATE REQUEST-----
`;

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
function request(name: string): CertificateSigningRequest {
  return new CertificateSigningRequest({
    metadata: { name },
    spec: {
      request: Buffer.from(signingRequest).toString('base64'),
      signerName: 'example.com/signer',
      usages: ['digital signature', 'client auth'],
    },
  });
}
const approved = {
  type: 'Approved',
  status: 'True',
  reason: 'Test',
  message: 'by a test',
};

describe('the subresources of an object', () => {
  let env: TestEnvironment;
  let client: Client;
  before(async () => {
    env = await startEnvironment({ kinds });
    client = env.client;
  });
  after(() => env[Symbol.asyncDispose]());

  const scalable: Readonly<Record<string, (name: string) => KubeObject>> = {
    'a built-in kind': deployment,
    'a class': (name) => gadget(name, { size: 0 }),
  };
  for (const [how, make] of Object.entries(scalable)) {
    test(`[CL-28, CL-33] the client reads, replaces, and patches the scale of an object of ${how}`, async () => {
      const made = await client.create(make(`scale-${how.replaceAll(' ', '-')}`));
      const known = await client.get(kindRefOf(made), keyOf(made));
      for (const object of [made, known]) {
        const scale = client.subresource(object, 'scale');
        const read = await scale.get();
        assert.deepEqual(
          [read.apiVersion, read.kind, read.metadata?.name],
          ['autoscaling/v1', 'Scale', made.metadata.name],
        );
        const updated = await scale.update({ ...read, spec: { replicas: 1 } });
        assert.equal(updated.spec?.replicas, 1);
        await assert.rejects(scale.update({ ...read, spec: { replicas: 5 } }), isConflict);
        assert.equal((await scale.patch({ merge: { spec: { replicas: 2 } } })).spec?.replicas, 2);
        assert.equal(
          (await scale.patch({ json: [{ op: 'replace', path: '/spec/replicas', value: 3 }] })).spec?.replicas,
          3,
        );
        const { spec } = (await client.live.get(kindRefOf(made), keyOf(made))) as KubeObject & {
          readonly spec: { readonly replicas?: number; readonly size?: number };
        };
        assert.equal(spec.replicas ?? spec.size, 3);
        await scale.patch({ merge: { spec: { replicas: 0 } } });
      }
    });
  }

  test('[CL-33] the client applies the scale of a built-in kind under a field manager', async () => {
    const made = await client.create(deployment('scale-applied'));
    const scale = client.subresource(made, 'scale');
    await assert.rejects(scale.apply({ spec: { replicas: 4 } }, { fieldManager: 'scaler' }), isConflict);
    const taken = await scale.apply({ spec: { replicas: 4 } }, { fieldManager: 'scaler', force: true });
    assert.equal(taken.spec?.replicas, 4);
    assert.equal((await client.get(Deployment, keyOf(made))).spec.replicas, 4);
  });

  test('a write of a scale does not replace the object in the cache', async () => {
    const cached = env.cluster.client;
    const made = await cached.create(gadget('scale-cached', { size: 1 }));
    await cached.subresource(made, 'scale').update({ spec: { replicas: 2 } });
    const read = await cached.get(Gadget, keyOf(made));
    assert.deepEqual([read.kind, read.metadata.uid], ['Gadget', made.metadata.uid]);
  });

  test('[CL-29] the client requests a token of a service account, and fails with NotFound if the service account does not exist', async () => {
    const account = await client.create(new ServiceAccount({ metadata: { name: 'tokens', namespace } }));
    const spec = { audiences: ['vault'], expirationSeconds: 600 };
    const { status, kind } = await client.subresource(account, 'token').create({ spec });
    assert.equal(kind, 'TokenRequest');
    assert.match(status?.token ?? '', /^[\w-]+\.[\w-]+\.[\w-]+$/);
    assert.ok(status?.expirationTimestamp);
    await client.delete(account);
    await assert.rejects(client.subresource(account, 'token').create({ spec }), isNotFound);
  });

  test('[CL-30] the client evicts a Pod, but not in a dry run', async () => {
    const made = await client.create(pod('evicted'));
    assert.equal(await client.subresource(made, 'eviction').create({}, { dryRun: true }), undefined);
    assert.ok(await client.find(Pod, keyOf(made)));
    await client.subresource(made, 'eviction').create({ deleteOptions: { gracePeriodSeconds: 0 } });
    const left = await client.find(Pod, keyOf(made));
    assert.ok(left === undefined || left.metadata.deletionTimestamp !== undefined);
    await assert.rejects(client.subresource(pod('not-there'), 'eviction').create({}), isNotFound);
  });

  test('[CL-31] the client binds a Pod to a node, and rejects a second binding', async () => {
    const made = await client.create(pod('bound'));
    const binding = client.subresource(made, 'binding');
    assert.equal(await binding.create({ target: { apiVersion: 'v1', kind: 'Node', name: 'n1' } }), undefined);
    assert.equal((await client.get(Pod, keyOf(made))).spec.nodeName, 'n1');
    await assert.rejects(binding.create({ target: { kind: 'Node', name: 'n2' } }), isConflict);
  });

  test('[CL-32] the client approves a CertificateSigningRequest by an update and by a patch', async () => {
    const one = await client.create(request('approve-by-update'));
    const updated = await client.subresource(one, 'approval').update({ ...one, status: { conditions: [approved] } });
    assert.equal(updated.status?.conditions?.[0]?.type, 'Approved');
    const two = await client.create(request('approve-by-patch'));
    const merge = { status: { conditions: [approved] } };
    const patched = await client.subresource(two, 'approval').patch({ merge });
    assert.equal(patched.status?.conditions?.[0]?.type, 'Approved');
  });

  test('an access record lists subresources under their own names, and the client rejects an invalid subresource name', async () => {
    const made = await client.create(gadget('rights'));
    const record = new AccessRecord();
    const recorded = client.with({ record });
    await recorded.subresource(made, 'scale').get();
    await recorded.patchStatus(made, { phase: 'x' });
    assert.deepEqual(
      record.used.map(({ resource, verb }) => `${verb} ${resource}`),
      ['get gadgets/scale', 'patch gadgets/status'],
    );
    assert.throws(() => client.subresource(made, '../pods'), hasCode('INVALID_NAME'));
    await assert.rejects(client.subresource(made, 'portforward').get(), isNotFound);
  });
});
