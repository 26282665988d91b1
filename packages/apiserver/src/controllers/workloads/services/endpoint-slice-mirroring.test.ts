import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { ApiObject } from '../../../registry/objects/api-object.js';
import { objectsAt } from '../../../registry/objects/json-object.js';
import { at, type Cluster, context, startCluster } from '../../../server/cluster.test.support.js';

const ports = [{ name: 'http', port: 8080, protocol: 'TCP' }];
const addresses = [{ ip: '192.0.2.7' }];

/** Returns a copy whose objects have a prototype, as `deepEqual` requires. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

async function startMirroring(t: TestContext, subsets: readonly object[], metadata: object = {}) {
  const cluster = startCluster(t, { workloads: ['services'] });
  cluster.resource('/v1/services').create({ metadata: at('web'), spec: { ports: [{ port: 80 }] } }, context);
  cluster.resource('/v1/endpoints').create({ metadata: { ...at('web'), ...metadata }, subsets }, context);
  await cluster.quiet();
  return { cluster, slices: () => slicesIn(cluster) };
}

function slicesIn(cluster: Cluster): readonly ApiObject[] {
  const selected = { namespace: 'default', labelSelector: 'kubernetes.io/service-name=web' };
  return cluster.resource('discovery.k8s.io/v1/endpointslices').list(selected).items;
}

test('EndpointSliceMirroring copies ready and unready addresses, ports, labels and annotations of Endpoints', async (t) => {
  const subset = { addresses, notReadyAddresses: [{ ip: '192.0.2.8', hostname: 'h' }], ports };
  const { slices } = await startMirroring(t, [subset], { labels: { l: 'v' }, annotations: { a: 'b' } });
  const [slice, ...others] = slices();
  assert.equal(others.length, 0);
  assert.deepEqual(
    { ...slice?.metadata.labels },
    {
      l: 'v',
      'kubernetes.io/service-name': 'web',
      'endpointslice.kubernetes.io/managed-by': 'endpointslicemirroring-controller.k8s.io',
    },
  );
  assert.deepEqual({ ...slice?.metadata.annotations }, { a: 'b' });
  assert.deepEqual(slice?.metadata.ownerReferences?.[0]?.kind, 'Endpoints');
  assert.deepEqual(plain(slice?.['endpoints']), [
    { addresses: ['192.0.2.7'], conditions: { ready: true } },
    { addresses: ['192.0.2.8'], conditions: { ready: false }, hostname: 'h' },
  ]);
  assert.deepEqual(plain(slice?.['ports']), ports);
});

test('EndpointSliceMirroring uses one slice for each list of ports and each family, and reuses slices', async (t) => {
  const both = [...addresses, { ip: '2001:db8:0::7' }];
  const { cluster, slices } = await startMirroring(t, [{ addresses: both, ports }]);
  assert.deepEqual(new Set(slices().map((slice) => slice['addressType'])), new Set(['IPv4', 'IPv6']));
  const before = slices().find((slice) => slice['addressType'] === 'IPv4');
  const changed = [{ name: 'http', port: 9090, protocol: 'TCP' }];
  const change = (live: ApiObject) => ({ ...live, subsets: [{ addresses, ports: changed }] });
  cluster.resource('/v1/endpoints').update(at('web'), change, context);
  await cluster.quiet();
  assert.deepEqual(
    slices().map(({ metadata, ports: now }) => [metadata.uid, plain(now)]),
    [[before?.metadata.uid, changed]],
  );
});

test('EndpointSliceMirroring restores a changed or deleted slice', async (t) => {
  const { cluster, slices } = await startMirroring(t, [{ addresses, ports }]);
  const resource = cluster.resource('discovery.k8s.io/v1/endpointslices');
  const [slice] = slices();
  assert.ok(slice);
  resource.update(slice.metadata, (live: ApiObject) => ({ ...live, endpoints: [] }), context);
  await cluster.quiet();
  assert.equal(objectsAt(slices()[0], 'endpoints').length, 1);
  resource.delete(slice.metadata, {}, context);
  await cluster.quiet();
  assert.equal(slices().length, 1);
});

test('EndpointSliceMirroring deletes the slices of a Service that gets a selector, and of excluded or deleted Endpoints', async (t) => {
  const exclude = (live: ApiObject) => ({
    ...live,
    metadata: { ...live.metadata, labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' } },
  });
  const select = (live: ApiObject) => ({ ...live, spec: { ...(live['spec'] as object), selector: { app: 'none' } } });
  for (const act of [
    (cluster: Cluster) => void cluster.resource('/v1/endpoints').update(at('web'), exclude, context),
    (cluster: Cluster) => void cluster.resource('/v1/services').update(at('web'), select, context),
    (cluster: Cluster) => void cluster.resource('/v1/endpoints').delete(at('web'), {}, context),
  ]) {
    const { cluster, slices } = await startMirroring(t, [{ addresses, ports }]);
    assert.equal(slices().length, 1);
    act(cluster);
    await cluster.quiet();
    const mirrored = slices().filter(({ metadata }) => metadata.ownerReferences?.[0]?.kind === 'Endpoints');
    assert.deepEqual(mirrored, []);
  }
});

test('EndpointSliceMirroring copies at most 1000 addresses of a subset, and reports the others in an Event', async (t) => {
  const many = Array.from({ length: 1001 }, (_, at_) => ({ ip: `198.51.${Math.floor(at_ / 250)}.${(at_ % 250) + 1}` }));
  const { cluster, slices } = await startMirroring(t, [{ addresses: many, ports }]);
  assert.equal(objectsAt(slices()[0], 'endpoints').length, 1000);
  assert.ok(cluster.eventsOf('web').some((text) => text.startsWith('TooManyAddressesToMirror: A max of 1000')));
});
