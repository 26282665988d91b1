import assert from 'node:assert/strict';
import { it } from 'node:test';
import { dynamicKind, type KubeObject } from '@kubewright/api';
import { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import type { Client } from '@kubewright/runtime';
import { untilListed } from '@kubewright/runtime/internal';
import type { TestEnvironmentOptions } from '@kubewright/testing';
import { ClusterProject } from './cluster-projects.js';

const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } } as const;
const Gauge = dynamicKind('example.com/v1', 'Gauge') as unknown as new (init: object) => KubeObject;

/** Creates the definition `gauges.example.com` with the versions `v1` (the storage version) and `v2`, and Gauges with the given names. */
export async function createGauges(client: Client, names: readonly string[]): Promise<CustomResourceDefinition> {
  const definition = new CustomResourceDefinition({
    metadata: { name: 'gauges.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { kind: 'Gauge', plural: 'gauges' },
      versions: ['v1', 'v2'].map((name) => ({ name, served: true, storage: name === 'v1', schema })),
    },
  });
  const created = await client.create(definition);
  await untilListed(client, created);
  for (const name of names)
    await client.create(new Gauge({ metadata: { name, namespace: 'default' }, spec: { name } }));
  return created;
}

/** Makes `v2` the storage version, and waits until the API server stores objects in `v2`. */
export async function storeInSecondVersion(client: Client): Promise<void> {
  const { spec } = await client.live.get(CustomResourceDefinition, { name: 'gauges.example.com' });
  const versions = spec.versions.map((version) => ({ ...version, storage: version.name === 'v2' }));
  await client.patch(await client.live.get(CustomResourceDefinition, { name: 'gauges.example.com' }), {
    merge: { spec: { versions } },
  });
  while (!(await storedVersions(client))?.includes('v2')) await new Promise((resolve) => setTimeout(resolve, 20));
}

export async function storedVersions(client: Client): Promise<readonly string[] | undefined> {
  const { status } = await client.live.get(CustomResourceDefinition, { name: 'gauges.example.com' });
  return status?.storedVersions;
}

/** Returns the resourceVersion of each object by its name. */
export async function gaugeVersions(client: Client): Promise<ReadonlyMap<string, string>> {
  const gauges = await client.live.list(dynamicKind('example.com/v2', 'Gauge'));
  return new Map(gauges.map(({ metadata }) => [metadata.name, metadata.resourceVersion]));
}

/** Tests `kubewright migrate-storage` on the given server. */
export function testMigratingStorage(server: NonNullable<TestEnvironmentOptions['server']>): void {
  void it('kubewright migrate-storage writes all objects in the new storage version, and removes the old version from the status', async () => {
    await using cluster = await ClusterProject.create({}, { server });
    const { client } = cluster.env;
    const args = ['migrate-storage', 'gauges.example.com'];
    const { metadata } = await createGauges(client, ['a', 'b', 'c']);
    assert.match(await cluster.done(args), /^nothing changed: .* stores all objects of 1 kind in one version\n$/);
    await storeInSecondVersion(client);
    const before = await gaugeVersions(client);

    assert.match(await cluster.done([...args, '--dry-run']), /^would migrate gauges\.example\.com: 3 objects to v2\n$/);
    assert.deepEqual(await gaugeVersions(client), before);
    assert.deepEqual(await storedVersions(client), ['v1', 'v2']);

    assert.match(await cluster.done(args), /^migrated gauges\.example\.com: wrote 3 objects in v2\n$/);
    const after = await gaugeVersions(client);
    for (const [name, version] of before) assert.notEqual(after.get(name), version, name);
    assert.deepEqual(await storedVersions(client), ['v2']);
    const migrated = await client.live.get(CustomResourceDefinition, metadata);
    assert.equal(migrated.metadata.annotations?.['kubewright.dev/storage-migration'], undefined);

    assert.match(await cluster.done(args), /^nothing changed: /);
    assert.deepEqual(await gaugeVersions(client), after);
  });

  void it('kubewright migrate-storage continues an interrupted migration with the objects that are not written yet', async () => {
    await using cluster = await ClusterProject.create({}, { server });
    const { client } = cluster.env;
    await createGauges(client, ['a', 'b', 'c']);
    await storeInSecondVersion(client);
    const gauges = await client.live.list(dynamicKind('example.com/v2', 'Gauge'));
    const { generation, name } = (await client.live.get(CustomResourceDefinition, { name: 'gauges.example.com' }))
      .metadata;
    for await (const { resourceVersion } of client.live.pages(dynamicKind('example.com/v2', 'Gauge'), { limit: 1 })) {
      const begun = JSON.stringify({ generation, resourceVersion });
      const annotations = { 'kubewright.dev/storage-migration': begun };
      await client.patch(await client.live.get(CustomResourceDefinition, { name }), {
        merge: { metadata: { annotations } },
      });
      break;
    }
    const [first] = gauges;
    if (first !== undefined) await client.patch(first, { merge: {} });

    assert.match(
      await cluster.done(['migrate-storage', 'gauges.example.com']),
      /^migrated gauges\.example\.com: wrote 2 objects in v2\n$/,
    );
    assert.deepEqual(await storedVersions(client), ['v2']);
  });
}
