import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import {
  Attach,
  CoordinationV1Api,
  CoreV1Api,
  Exec,
  type KubeConfig,
  KubernetesObjectApi,
  Log,
  NetworkingV1Api,
  PortForward,
  V1ConfigMap,
  V1Lease,
  V1NetworkPolicy,
  V1Pod,
} from '@kubernetes/client-node';
import { Lease } from '@kubewright/api/coordination/v1';
import { ConfigMap, Pod } from '@kubewright/api/core/v1';
import { NetworkPolicy } from '@kubewright/api/networking/v1';
import { type Client, connect, fromClientNode, toClientNode } from '@kubewright/runtime';
import { TestEnvironment } from './test-environment.js';

const namespace = 'default';
const POD = { containers: [{ name: 'main', image: 'app' }] };

test('client-node reads an object that Client has created, with the KubeConfig of the manager', async () => {
  await using env = await TestEnvironment.start();
  const manager = env.manager();
  const config = await manager.connection.kubeConfig();
  const core = config.makeApiClient(CoreV1Api);
  await env.client.create(new ConfigMap({ metadata: { name: 'a', namespace }, data: { color: 'blue' } }));
  const map = await core.readNamespacedConfigMap({ name: 'a', namespace });
  assert.equal(map.data?.['color'], 'blue');
  assert.ok(map.metadata?.creationTimestamp instanceof Date);
  await manager.stop();
});

test('Client writes an object that client-node has read, with dates and renamed fields', async () => {
  await using env = await TestEnvironment.start();
  const config = await env.cluster.connection.kubeConfig();
  const [networking, coordination, core] = [
    config.makeApiClient(NetworkingV1Api),
    config.makeApiClient(CoordinationV1Api),
    config.makeApiClient(CoreV1Api),
  ];
  const { client } = env;
  const from = [{ podSelector: { matchLabels: { app: 'web' } } }];
  await client.create(
    new NetworkPolicy({ metadata: { name: 'web', namespace }, spec: { podSelector: {}, ingress: [{ from }] } }),
  );
  const policy = await networking.readNamespacedNetworkPolicy({ name: 'web', namespace });
  policy.metadata!.labels = { tier: 'web' };
  const updated = await client.update(fromClientNode(NetworkPolicy, policy));
  assert.deepEqual(updated.spec?.ingress, [{ from }]);
  assert.deepEqual(updated.metadata.labels, { tier: 'web' });

  const renewTime = '2026-01-02T03:04:05.678901Z';
  await client.create(new Lease({ metadata: { name: 'web', namespace }, spec: { renewTime } }));
  const lease = await coordination.readNamespacedLease({ name: 'web', namespace });
  const written = await client.update(fromClientNode(Lease, lease));
  assert.match(written.spec?.renewTime ?? '', /^2026-01-02T03:04:05\.678\d{3}Z$/);
  lease.metadata!.resourceVersion = written.metadata.resourceVersion!;
  lease.spec!.renewTime = new Date('2026-01-02T03:04:06Z');
  assert.equal((await client.update(fromClientNode(Lease, lease))).spec?.renewTime, '2026-01-02T03:04:06.000000Z');

  await client.create(new Pod({ metadata: { name: 'web', namespace }, spec: POD }));
  const { items } = await core.listNamespacedPod({ namespace });
  const pods = items.map((item) => fromClientNode(Pod, item));
  assert.deepEqual(
    pods.map(({ apiVersion, kind, metadata }) => [apiVersion, kind, metadata.name]),
    [['v1', 'Pod', 'web']],
  );
  const [pod] = pods;
  assert.equal(
    pod?.metadata.creationTimestamp,
    items[0]?.metadata?.creationTimestamp?.toISOString().replace('.000Z', 'Z'),
  );
});

test('every write method of Client accepts an object that client-node has read', async () => {
  await using env = await TestEnvironment.start();
  const { client } = env;
  await client.create(new ConfigMap({ metadata: { name: 'a', namespace }, data: { color: 'blue' } }));
  const objects = KubernetesObjectApi.makeApiClient(await env.cluster.connection.kubeConfig());
  const read = (name = 'a'): Promise<V1ConfigMap> =>
    objects.read<V1ConfigMap>({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace } });
  const creationTimestamp = (await client.get(ConfigMap, { name: 'a', namespace })).metadata.creationTimestamp;
  const patched = await client.patch(await read(), (draft) => {
    draft.data = { color: 'green' };
  });
  const updated = await client.update(await read());
  const applied = await client.apply({ ...(await read()), data: { size: 'large' } }, { force: true });
  const { object: edited } = await client.createOrPatch(await read(), (draft) => {
    draft.data = { ...draft.data, shape: 'round' };
  });
  for (const { metadata } of [patched, updated, applied, edited]) {
    assert.equal(metadata.creationTimestamp, creationTimestamp);
  }
  assert.deepEqual(edited.data, { color: 'green', size: 'large', shape: 'round' });
  const copy = await read();
  await client.delete(copy);
  delete copy.metadata?.resourceVersion;
  assert.equal((await client.create(copy)).data?.['color'], 'green');

  const owner = await client.create(new ConfigMap({ metadata: { name: 'owner', namespace } }));
  const child = await read('owner');
  child.metadata = { name: 'child', namespace };
  const [made] = await client.applyOwned(owner, [child]);
  assert.equal(made.metadata.ownerReferences?.[0]?.uid, owner.metadata.uid);
  assert.equal(
    typeof (await client.patchStatus(await toClientNode(V1Pod, await podOf(client)), { phase: 'Running' })).metadata
      .creationTimestamp,
    'string',
  );
});

test('Client rejects an object of client-node without a kind and suggests fromClientNode', async () => {
  await using env = await TestEnvironment.start();
  const item = new V1ConfigMap();
  item.metadata = { name: 'a', namespace };
  await assert.rejects(env.client.create(item), { code: 'INVALID_KIND', message: /fromClientNode/ });
});

test('client-node writes an object that toClientNode has converted', async () => {
  await using env = await TestEnvironment.start();
  const config = await env.cluster.connection.kubeConfig();
  const core = config.makeApiClient(CoreV1Api);
  const created = await env.client.create(new Pod({ metadata: { name: 'web', namespace }, spec: POD }));
  const body = await toClientNode(V1Pod, created);
  assert.ok(body instanceof V1Pod && body.metadata?.creationTimestamp instanceof Date);
  body.metadata.labels = { app: 'web' };
  const replaced = await core.replaceNamespacedPod({ name: 'web', namespace, body });
  assert.deepEqual(replaced.metadata?.labels, { app: 'web' });
  const ingress = [{ from: [{ podSelector: {} }] }];
  const policy = new NetworkPolicy({ metadata: { name: 'web', namespace }, spec: { podSelector: {}, ingress } });
  const model = await toClientNode(V1NetworkPolicy, policy);
  assert.deepEqual(model.spec?.ingress?.[0]?._from?.length, 1);
  const lease = await toClientNode(
    V1Lease,
    new Lease({ metadata: { name: 'web' }, spec: { renewTime: '2026-01-02T03:04:05.678000Z' } }),
  );
  assert.equal(lease.spec?.renewTime?.toISOString(), '2026-01-02T03:04:05.678000Z');
  assert.deepEqual(fromClientNode(NetworkPolicy, model), policy);
});

test("client-node's Exec, Attach, PortForward and Log reach the API server with the KubeConfig of a manager", async () => {
  await using env = await TestEnvironment.start({ workloads: true });
  await env.client.create(new Pod({ metadata: { name: 'web', namespace }, spec: POD }));
  await env.until(Pod, { name: 'web', namespace }, (pod) => pod.status?.phase === 'Running');
  const manager = env.manager();
  const stream = (): PassThrough => new PassThrough();
  const requests = (config: KubeConfig): Readonly<Record<string, () => Promise<unknown>>> => ({
    exec: () => new Exec(config).exec(namespace, 'web', 'main', ['ls'], stream(), null, null, false),
    attach: () => new Attach(config).attach(namespace, 'web', 'main', stream(), null, null, false),
    portforward: () => new PortForward(config).portForward(namespace, 'web', [80], stream(), null, stream()),
  });
  const config = await manager.connection.kubeConfig();
  // Without a handler, the API server accepts the request, but no container can answer it.
  for (const [subresource, send] of Object.entries(requests(config))) {
    assert.equal(await refusal(send()), 'Unexpected server response: 501', subresource);
  }
  env.pods.behave({ name: 'web' }, { logs: 'started\n' });
  env.pods.onExec({ name: 'web' }, ({ command }) => `${command.join(' ')}\n`);
  env.pods.onAttach({ name: 'web' }, async ({ stdin, stdout }) => void stdout.write(await text(stdin)));
  env.pods.onPortForward({ name: 'web' }, ({ port, stream: connection }) => void connection.end(`port ${port}`));
  const log = stream();
  await new Log(config).log(namespace, 'web', 'main', log);
  assert.equal(await text(log), 'started\n');
  const [execOut, attachOut, forwardOut] = [stream(), stream(), stream()];
  const status = await new Promise<{ readonly status?: string }>((resolve, reject) => {
    new Exec(config).exec(namespace, 'web', 'main', ['ls', '-l'], execOut, null, null, false, resolve).catch(reject);
  });
  assert.equal(status.status, 'Success');
  assert.equal(await text(execOut), 'ls -l\n');
  const input = stream();
  input.end('typed');
  await new Attach(config).attach(namespace, 'web', 'main', attachOut, null, input, false);
  assert.equal(await text(attachOut), 'typed');
  const open = stream();
  await new PortForward(config).portForward(namespace, 'web', [80], forwardOut, null, open);
  assert.equal(String(await once(forwardOut, 'data')), 'port 80');
  open.end();
  // The API server identifies the user: a user without permissions is rejected.
  await using cluster = await connect({ connection: { ...env.connection, impersonate: { user: 'joe' } } });
  for (const [subresource, send] of Object.entries(requests(await cluster.connection.kubeConfig()))) {
    assert.equal(await refusal(send()), 'Unexpected server response: 403', subresource);
  }
  await manager.stop();
});

function podOf(client: Client): Promise<Pod> {
  return client.create(new Pod({ metadata: { name: 'web', namespace }, spec: POD }));
}

/** Returns the error message if the server rejects the WebSocket, and 'accepted' otherwise. */
async function refusal(opened: Promise<unknown>): Promise<string> {
  try {
    await opened;
  } catch (error) {
    return String((error as { readonly message?: unknown }).message);
  }
  return 'accepted';
}
