import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type KubeObject, mutable } from '@kubewright/api';
import { Deployment } from '@kubewright/api/apps/v1';
import { ConfigMap, Node, Pod, Secret } from '@kubewright/api/core/v1';
import { SystemClock } from '@kubewright/api/clock';
import {
  isAlreadyExists,
  isConflict,
  isInvalid,
  isNotFound,
  isNotOwned,
  isStaleChild,
  KubewrightError,
} from '@kubewright/api/errors';
import { ApiServer, type FaultPlan } from '@kubewright/apiserver';
import { Discovery } from '@kubewright/runtime';
import {
  CachedClient,
  type CachedClientOptions,
  InformerCache,
  OWNER_LABEL,
  runInScope,
  Transport,
  type Write,
  SilentLogger,
} from '@kubewright/runtime/internal';

const namespace = 'default';
const logger = new SilentLogger();
const clock = new SystemClock();

interface Bench extends AsyncDisposable {
  readonly server: ApiServer;
  readonly writes: Write[];
  client(options?: Partial<CachedClientOptions>): CachedClient;
}

async function bench(faults?: FaultPlan): Promise<Bench> {
  const server = await ApiServer.start(faults === undefined ? {} : { faults });
  const connection = { server: server.url, ca: server.certificateAuthority, token: server.token };
  const transport = new Transport(connection, { clock, logger });
  const discovery = new Discovery(transport);
  const cache = new InformerCache({ transport, discovery, clock, logger });
  const writes: Write[] = [];
  return {
    server,
    writes,
    client: (options = {}) =>
      new CachedClient({
        backend: { transport, discovery, cache },
        clock,
        logger,
        fieldManager: 'tester',
        onWrite: (write) => writes.push(write),
        ...options,
      }),
    [Symbol.asyncDispose]: async () => {
      await cache.close();
      await transport.close();
      await server.stop();
    },
  };
}

function configMap(name: string, data: Record<string, string> = {}): ConfigMap {
  return new ConfigMap({ metadata: { name, namespace }, data });
}
function deployment(
  name: string,
  replicas = 1,
  metadata: { namespace?: string; labels?: Record<string, string> } = {},
): Deployment {
  const labels = { app: name };
  return new Deployment({
    metadata: { name, ...metadata },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: 'c', image: 'nginx', ports: [{ containerPort: 80 }] }] },
      },
    },
  });
}
function hasCode(code: string): (error: unknown) => boolean {
  return (error) => error instanceof KubewrightError && error.code === code;
}
function namesOf(objects: readonly KubeObject[]): string[] {
  return objects.map(({ metadata }) => metadata.name).toSorted();
}
/** Returns the object with only the fields that a cache stores. */
function kept<T extends KubeObject>(object: T): T {
  const { managedFields: _, ...metadata } = object.metadata as KubeObject['metadata'] & { managedFields?: unknown };
  return { ...object, metadata };
}
function verbs(writes: readonly Write[]): string[] {
  return writes.map(({ verb, object }) => `${verb} ${object.metadata.name}`);
}

test('[CL-11] [CL-13] create returns the frozen object of the server, and a second create fails with AlreadyExists', async () => {
  await using b = await bench();
  const made = await b.client().create(configMap('a', { k: 'v' }));
  assert.ok(made.metadata.uid && made.metadata.resourceVersion);
  assert.ok(Object.isFrozen(made) && Object.isFrozen(made.data));
  await assert.rejects(b.client().create(configMap('a')), isAlreadyExists);
});

test('[CL-04] [CL-43] [CL-45] cached reads return writes of the same client immediately, and the same objects as live reads', async () => {
  await using b = await bench();
  const client = b.client();
  assert.equal(await client.find(ConfigMap, { name: 'a', namespace }), undefined);
  const made = await client.create(configMap('a', { k: '1' }));
  assert.deepEqual(await client.get(ConfigMap, made.metadata), kept(made));
  await client.patch(made, (draft) => void (draft.data = { k: '2' }));
  assert.equal((await client.get(ConfigMap, made.metadata)).data?.k, '2');
  assert.equal((await client.live.get(ConfigMap, made.metadata)).data?.k, '2');
  await client.delete(made);
  assert.equal(await client.find(ConfigMap, made.metadata), undefined);
  await assert.rejects(client.get(ConfigMap, made.metadata), isNotFound);
});

test('[CL-46] [CL-49] cached and live lists select by namespace and labels, and only live lists select by fields', async () => {
  await using b = await bench();
  const client = b.client();
  assert.deepEqual(await client.list(Pod), []);
  const names = Array.from({ length: 7 }, (_, at) => `m${at}`);
  for (const name of names) {
    await client.create(new ConfigMap({ metadata: { name, namespace, labels: { odd: String(Number(name[1]) % 2) } } }));
  }
  for (const reader of [client, client.live]) {
    assert.deepEqual(namesOf(await reader.list(ConfigMap, { namespace, labels: { odd: '1' } })), ['m1', 'm3', 'm5']);
    assert.deepEqual(namesOf(await reader.list(ConfigMap, { namespace, labels: 'odd in (0)' })), [
      'm0',
      'm2',
      'm4',
      'm6',
    ]);
    assert.deepEqual(await reader.list(ConfigMap, { namespace: 'elsewhere' }), []);
  }
  assert.deepEqual(namesOf(await client.live.list(ConfigMap, { namespace, fields: { 'metadata.name': 'm2' } })), [
    'm2',
  ]);
  await assert.rejects(client.list(ConfigMap, { fields: { 'metadata.name': 'm2' } }), hasCode('UNSUPPORTED_READ'));
});

test('[CL-06] a cached read rejects an undeclared kind and reports how to declare the kind', async () => {
  await using b = await bench();
  const client = b.client({ declared: [{ kind: ConfigMap }] });
  await client.list(ConfigMap);
  await assert.rejects(client.list(Secret), (error: Error) => {
    assert.match(error.message, /Secret.*'tester'.*'owns'.*'watches'.*'reads'.*client\.live/s);
    return hasCode('UNDECLARED_KIND')(error);
  });
  assert.ok(await client.live.list(Secret));
});

test('[CL-18] [CL-21] update replaces the whole object and fails with a conflict if the object has changed', async () => {
  await using b = await bench();
  const client = b.client({ reads: 'live' });
  const made = await client.create(configMap('a', { k: '1' }));
  const next = mutable(made);
  next.data = { other: '2' };
  const updated = await client.update<ConfigMap>(next);
  assert.deepEqual(updated.data, { other: '2' });
  await assert.rejects(client.update(made), isConflict);
});

test('an empty patch sends no request, and for a stale object, an optimistic patch and a patch of a list fail with a conflict', async () => {
  await using b = await bench();
  const client = b.client({ reads: 'live' });
  const made = await client.create(configMap('a', { k: '1' }));
  b.writes.length = 0;
  assert.equal(await client.patch(made, () => undefined), made);
  assert.deepEqual(b.writes, []);
  await client.patch(made, (draft) => void (draft.metadata.labels.x = 'y'));
  await client.patch(made, (draft) => void (draft.metadata.labels.z = 'y'));
  const optimistic = client.patch(made, (draft) => void (draft.metadata.labels.w = 'y'), { optimistic: true });
  await assert.rejects(optimistic, isConflict);
  await assert.rejects(
    client.patch(made, (draft) => void draft.metadata.finalizers.push('example.com/f')),
    isConflict,
  );
});

test('[CL-34] [CL-37] patchStatus writes only the status and only if the status differs', async () => {
  await using b = await bench();
  const client = b.client({ reads: 'live' });
  const made = await client.create(deployment('web', 1, { namespace }));
  b.writes.length = 0;
  const patched = await client.patchStatus(made, { replicas: 3 });
  assert.equal(patched.status?.replicas, 3);
  assert.equal(patched.status?.observedGeneration, 1);
  assert.equal(patched.spec.replicas, 1);
  assert.equal(await client.patchStatus(patched, { replicas: 3 }), patched);
  assert.equal(b.writes.length, 1);
  assert.equal(b.writes[0]?.subresource, 'status');
});

test('[CL-24] [CL-25] apply creates and updates an object, removes omitted fields, and skips no-op requests', async () => {
  await using b = await bench();
  for (const client of [b.client(), b.client({ reads: 'live', fieldManager: 'other' })]) {
    const name = `web-${b.writes.length}`;
    const desired = (replicas: number, labels?: Record<string, string>): Deployment =>
      deployment(name, replicas, { namespace, ...(labels && { labels }) });
    const first = await client.apply(desired(1, { tier: 'web' }));
    assert.equal(first.spec.template.spec?.containers[0]?.ports?.[0]?.protocol, 'TCP');
    b.writes.length = 0;
    assert.deepEqual(kept(await client.apply(desired(1, { tier: 'web' }))), kept(first));
    assert.deepEqual(b.writes, []);
    const second = await client.apply(desired(2));
    assert.equal(second.spec.replicas, 2);
    assert.equal(second.metadata.labels?.tier, undefined);
    await client.patch(second, (draft) => void (draft.spec.replicas = 5));
    await assert.rejects(client.apply(desired(2)), isConflict);
    await client.apply(desired(2), { force: true });
    assert.equal((await client.live.get(Deployment, { name, namespace })).spec.replicas, 2);
  }
});

test('a second apply of an unchanged Secret with stringData sends no request', async () => {
  await using b = await bench();
  const client = b.client();
  const secret = new Secret({ metadata: { name: 's', namespace }, stringData: { password: 'x' } });
  const made = await client.apply(secret);
  assert.equal(made.data?.password, 'eA==');
  await client.apply(secret);
  assert.equal(b.writes.length, 1);
});

test('an applied child has an owner reference, the namespace of the owner and the owner label, and listOwned returns it', async () => {
  await using b = await bench();
  for (const reads of ['cached', 'live'] as const) {
    const client = b.client({ reads });
    const owner = await client.create(configMap(`owner-${reads}`));
    const child = await client.apply(deployment(`web-${reads}`), { owner });
    assert.equal(child.metadata.namespace, namespace);
    assert.equal(child.metadata.labels?.[OWNER_LABEL], 'tester');
    assert.equal(child.metadata.ownerReferences?.[0]?.uid, owner.metadata.uid);
    const owned = await client.listOwned(owner, Deployment);
    assert.deepEqual(
      owned.map(({ metadata }) => metadata.name),
      [`web-${reads}`],
    );
  }
});

test('applyOwned adopts an existing object only with adopt, and never adopts the child of another owner', async () => {
  await using b = await bench();
  for (const reads of ['cached', 'live'] as const) {
    const client = b.client({ reads });
    const owner = await client.create(configMap(`owner-${reads}`));
    const name = `theirs-${reads}`;
    const theirs = await client.create(deployment(name, 1, { namespace }));
    await assert.rejects(client.applyOwned(owner, [deployment(name)]), isNotOwned);
    assert.equal(
      (await client.live.get(Deployment, theirs.metadata)).metadata.resourceVersion,
      theirs.metadata.resourceVersion,
    );
    const [adopted] = await client.applyOwned(owner, [deployment(name, 2)], { adopt: true });
    assert.equal(adopted.metadata.uid, theirs.metadata.uid);
    const other = await client.create(configMap(`other-${reads}`));
    await assert.rejects(client.applyOwned(other, [deployment(name)], { adopt: true }), isNotOwned);
  }
});

test('applyOwned deletes a child of an earlier owner of the same name and creates the child after the deletion', async () => {
  await using b = await bench();
  const client = b.client({ reads: 'live' });
  const scope = { controller: 'ctl', owns: [ConfigMap], onWrite: () => undefined };
  const owner = await client.create(configMap('owner'));
  const applied = (): Promise<readonly ConfigMap[]> =>
    runInScope(scope, () => client.applyOwned(owner, [configMap('child')]));
  const ownerReferences = [
    { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: 'an older one', controller: true },
  ];
  const finalizers = ['example.com/wait'];
  const labels = { [OWNER_LABEL]: 'ctl' };
  const left = await client.create(
    new ConfigMap({ metadata: { name: 'child', namespace, labels, ownerReferences, finalizers } }),
  );
  await assert.rejects(applied(), isStaleChild);
  const going = await client.live.get(ConfigMap, left.metadata);
  assert.ok(going.metadata.deletionTimestamp);
  await client.patch(going, (draft) => {
    draft.metadata.finalizers = [];
  });
  const [child] = await applied();
  assert.notEqual(child?.metadata.uid, left.metadata.uid);
});

test('applyOwned rejects an object that another client creates during the apply, and leaves no owner reference in the object', async () => {
  await using server = await ApiServer.start({
    faults: {
      onRequest: ({ verb, resource, name }) => {
        if (verb === 'patch' && resource === 'deployments' && name === 'race') stranger();
        return undefined;
      },
    },
  });
  const transport = new Transport(
    { server: server.url, ca: server.certificateAuthority, token: server.token },
    { clock, logger },
  );
  const client = new CachedClient({
    backend: { transport, discovery: new Discovery(transport) },
    clock,
    logger,
    fieldManager: 'tester',
    reads: 'live',
  });
  let raced = false;
  const theirs = deployment('race', 1, { namespace });
  const stranger = (): void => {
    if (raced) return;
    raced = true;
    const definition = server.registry.find('apps', 'v1', 'deployments');
    assert.ok(definition);
    const context = {
      verb: 'create',
      fieldManager: 'stranger',
      dryRun: false,
      fieldValidation: 'Ignore',
      warnings: [],
      user: { name: 'x', groups: [] },
    };
    server.registry.resource(definition).create(theirs, context as never);
  };
  const owner = await client.create(configMap('owner'));
  await assert.rejects(client.applyOwned(owner, [deployment('race')]), {
    code: 'NOT_OWNED',
    message: /an object with this name already exists, and it has no controller; pass adopt: true to adopt it$/,
  });
  const { metadata } = await client.live.get(Deployment, { name: 'race', namespace });
  assert.equal(metadata.ownerReferences, undefined);
  assert.equal(metadata.labels?.[OWNER_LABEL], undefined);
  await transport.close();
});

test('applyOwned deletes only the children that are no longer applied, including after a restart', async () => {
  await using b = await bench();
  const owner = await b.client().create(configMap('owner'));
  const first = b.client({ owns: [Deployment, ConfigMap] });
  await first.applyOwned(owner, [deployment('a'), deployment('b'), new ConfigMap({ metadata: { name: 'c' } })]);
  await first.applyOwned(owner, [deployment('other')], { set: 'others' });
  await first.create(deployment('made', 1, { namespace }), { owner });
  b.writes.length = 0;
  const pruned: string[] = [];
  const restarted = b.client({ owns: [Deployment, ConfigMap] });
  await restarted.applyOwned(owner, [deployment('b')], { onPruned: (child) => void pruned.push(child.metadata.name) });
  assert.deepEqual(pruned.toSorted(), ['a', 'c']);
  assert.deepEqual(verbs(b.writes).toSorted(), ['delete a', 'delete c']);
  const left = await restarted.listOwned(owner, Deployment);
  assert.deepEqual(left.map(({ metadata }) => metadata.name).toSorted(), ['b', 'made', 'other']);
});

test('applyOwned treats children of the same name in two namespaces as two children, and deletes only the omitted child', async () => {
  await using b = await bench();
  const client = b.client({ owns: [Deployment] });
  const owner = await client.create(new Node({ metadata: { name: 'owner' }, spec: {} }));
  const [here, there] = ['default', 'kube-system'].map((place) => deployment('web', 1, { namespace: place }));
  assert.ok(here && there);
  await client.applyOwned(owner, [here, there]);
  await assert.rejects(client.applyOwned(owner, [here, there, here]), {
    code: 'DUPLICATE_CHILD',
    message: /apps\/v1\/Deployment default\/web is listed twice$/,
  });
  await client.applyOwned(owner, [there]);
  const left = await client.listOwned(owner, Deployment);
  assert.deepEqual(
    left.map(({ metadata }) => metadata.namespace),
    ['kube-system'],
  );
});

test('applyOwned with inOrder applies a child after the previous child is ready, and deletes omitted children only at the end', async () => {
  await using b = await bench();
  const client = b.client({ owns: [Deployment] });
  const owner = await client.create(configMap('owner'));
  await client.applyOwned(owner, [deployment('old')]);
  const [first, second] = await client.applyOwned(owner, [deployment('a'), deployment('b')], { inOrder: true });
  assert.equal(first?.metadata.name, 'a');
  assert.equal(second, undefined);
  assert.equal((await client.listOwned(owner, Deployment)).length, 2);
  assert.ok(first);
  const lastTransitionTime = '2030-01-01T00:00:00Z';
  const condition = { status: 'True', message: '', lastTransitionTime } as const;
  await client.patchStatus(first, {
    observedGeneration: 1,
    replicas: 1,
    updatedReplicas: 1,
    readyReplicas: 1,
    availableReplicas: 1,
    conditions: [
      { ...condition, type: 'Available', reason: 'MinimumReplicasAvailable' },
      { ...condition, type: 'Progressing', reason: 'NewReplicaSetAvailable' },
    ],
  });
  const again = await client.applyOwned(owner, [deployment('a'), deployment('b')], { inOrder: true });
  assert.equal(again[1]?.metadata.name, 'b');
  const names = (await client.listOwned(owner, Deployment)).map(({ metadata }) => metadata.name);
  assert.deepEqual(names.toSorted(), ['a', 'b']);
});

test('applyOwned with a function for inOrder continues when the function accepts the child', async () => {
  await using b = await bench();
  const client = b.client({ owns: [Deployment] });
  const owner = await client.create(configMap('owner'));
  const children = [deployment('a'), deployment('b')] as const;
  const inOrder = ({ metadata }: KubeObject): boolean => metadata.labels?.['approved'] === 'yes';
  const [, refused] = await client.applyOwned(owner, children, { inOrder });
  assert.equal(refused, undefined);
  const approved = new Deployment({
    ...children[0],
    metadata: { ...children[0].metadata, labels: { approved: 'yes' } },
  });
  const [, accepted] = await client.applyOwned(owner, [approved, children[1]], { inOrder });
  assert.equal(accepted?.metadata.name, 'b');
});

test('applyOwned rejects a second call for the same owner and set in one reconcile, and accepts a call in the next reconcile', async () => {
  await using b = await bench();
  const client = b.client();
  const owner = await client.create(configMap('owner'));
  const scope = { controller: 'ctl', owns: [Deployment] };
  await runInScope(scope, async () => {
    await client.applyOwned(owner, [deployment('a')]);
    await client.applyOwned(owner, [deployment('b')], { set: 'more' });
    await assert.rejects(client.applyOwned(owner, [deployment('c')]), hasCode('DUPLICATE_APPLY'));
    await assert.rejects(client.applyOwned(owner, [configMap('d')], { set: 'x' }), hasCode('UNDECLARED_KIND'));
  });
  await runInScope(scope, () => client.applyOwned(owner, [deployment('a')]));
});

test('writes in a reconcile use the controller name as field manager, are reported to the controller and are aborted by its signal', async () => {
  await using b = await bench();
  const client = b.client({ reads: 'live' });
  const reported: Write[] = [];
  const stop = new AbortController();
  const scope = {
    controller: 'ctl',
    owns: [Deployment],
    signal: stop.signal,
    onWrite: (write: Write) => void reported.push(write),
  };
  const made = await runInScope(scope, () => client.create(configMap('a', { k: '1' })));
  assert.deepEqual(verbs(reported), ['create a']);
  const { managedFields } = made.metadata as { managedFields?: readonly { manager: string }[] };
  assert.equal(managedFields?.[0]?.manager, 'ctl');
  stop.abort(new Error('the operator stops'));
  await assert.rejects(
    runInScope(scope, () => client.create(configMap('b'))),
    /the operator stops/,
  );
});

test('[CL-40] delete succeeds if the object does not exist, and does not delete a later object of the same name', async () => {
  await using b = await bench();
  const client = b.client();
  const made = await client.create(configMap('a'));
  await client.delete(made);
  await client.delete(made);
  const later = await client.create(configMap('a'));
  await client.delete(made);
  assert.equal((await client.live.get(ConfigMap, made.metadata)).metadata.uid, later.metadata.uid);
  await client.delete(made, { sameUid: false });
  await assert.rejects(client.live.get(ConfigMap, made.metadata), isNotFound);
});

test('delete fails with a conflict if the server returns a conflict that is not about the uid', async () => {
  await using b = await bench({
    onRequest: ({ verb, ordinal }) => (verb === 'delete' && ordinal === 1 ? { kind: 'status', code: 409 } : undefined),
  });
  const client = b.client();
  const made = await client.create(configMap('a'));
  await assert.rejects(client.delete(made), isConflict);
  assert.equal((await client.live.get(ConfigMap, made.metadata)).metadata.uid, made.metadata.uid);
  await client.delete(made);
  await assert.rejects(client.live.get(ConfigMap, made.metadata), isNotFound);
});

test('a deleted object with finalizers remains readable with its deletionTimestamp', async () => {
  await using b = await bench();
  const client = b.client();
  await client.list(ConfigMap);
  const made = await client.create(
    new ConfigMap({ metadata: { name: 'a', namespace, finalizers: ['example.com/f'] } }),
  );
  await client.delete(made);
  assert.ok((await client.get(ConfigMap, made.metadata)).metadata.deletionTimestamp);
});

test('[CL-42] deleteAll deletes the objects that match the selector', async () => {
  await using b = await bench();
  const client = b.client();
  for (const name of ['a', 'b', 'c'])
    await client.create(new ConfigMap({ metadata: { name, namespace, labels: { name } } }));
  await client.deleteAll(ConfigMap, { namespace, labels: 'name in (a, b)' });
  const left = await client.live.list(ConfigMap, { namespace, labels: 'name' });
  assert.deepEqual(
    left.map(({ metadata }) => metadata.name),
    ['c'],
  );
});

test('[CL-12] cluster-scoped objects have no namespace and no namespaced owner, and namespaced objects need a namespace', async () => {
  await using b = await bench();
  const client = b.client();
  const node = await client.create(new Node({ metadata: { name: 'n1' }, spec: {} }));
  assert.equal(node.metadata.namespace, undefined);
  assert.equal((await client.get(Node, { name: 'n1' })).metadata.uid, node.metadata.uid);
  const owner = await client.create(configMap('owner'));
  await assert.rejects(
    client.create(new Node({ metadata: { name: 'n2' }, spec: {} }), { owner }),
    hasCode('OWNER_NOT_ALLOWED'),
  );
  await assert.rejects(client.create(new ConfigMap({ metadata: { name: 'x' } })), hasCode('NAMESPACE_REQUIRED'));
  for (const reader of [client, client.live]) {
    await assert.rejects(reader.get(ConfigMap, { name: 'x' }), hasCode('NAMESPACE_REQUIRED'));
    await assert.rejects(reader.find(ConfigMap, { name: 'x', namespace: '' }), hasCode('NAMESPACE_REQUIRED'));
    assert.equal(await reader.find(Node, { name: 'x' }), undefined);
  }
});

test('[CL-14] create rejects with the Invalid error of the server', async () => {
  await using b = await bench();
  await assert.rejects(b.client().create(configMap('Not A Name')), isInvalid);
});
