import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dynamicKind, type KubeObject } from '@kubewright/api';
import { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import type { Client } from '@kubewright/runtime';
import { untilListed } from '@kubewright/runtime/internal';
import { ClusterProject } from './cluster-projects.js';
import {
  createGauges,
  gaugeVersions,
  storedVersions,
  storeInSecondVersion,
  testMigratingStorage,
} from './migrating-storage.js';

const Migration = dynamicKind('storagemigration.k8s.io/v1beta1', 'StorageVersionMigration');

/** Makes the server serve StorageVersionMigrations. No controller processes them: the test sets their status. */
async function serveMigrations(client: Client): Promise<void> {
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } } as const;
  const definition = new CustomResourceDefinition({
    metadata: {
      name: 'storageversionmigrations.storagemigration.k8s.io',
      annotations: { 'api-approved.kubernetes.io': 'unapproved, for a test' },
    },
    spec: {
      group: 'storagemigration.k8s.io',
      scope: 'Cluster',
      names: { kind: 'StorageVersionMigration', plural: 'storageversionmigrations' },
      versions: [{ name: 'v1beta1', served: true, storage: true, schema, subresources: { status: {} } }],
    },
  });
  await client.create(definition);
  await untilListed(client, definition);
}

describe('kubewright migrate-storage on the embedded server', () => {
  testMigratingStorage('embedded');
});

describe('kubewright migrate-storage', () => {
  it('kubewright migrate-storage writes the other objects if the API server rejects one object, and keeps status.storedVersions', async () => {
    let isFaulty = false;
    await using cluster = await ClusterProject.create(
      {},
      {
        faults: {
          onRequest: ({ verb, name }) =>
            isFaulty && verb === 'patch' && name === 'b' ? { kind: 'status', code: 422, reason: 'Invalid' } : undefined,
        },
      },
    );
    const { client } = cluster.env;
    await createGauges(client, ['a', 'b', 'c']);
    await storeInSecondVersion(client);
    const args = ['migrate-storage', 'gauges.example.com'];
    isFaulty = true;
    const { exitCode, stdout, stderr } = await cluster.run(args);
    assert.equal(exitCode, 4);
    assert.match(
      stdout,
      /^failed gauges\.example\.com: wrote 2 objects in v2, could not write 1 object\n {2}Gauge default\/b: .+\n$/,
    );
    assert.match(stderr, /^error: the API server rejected the writes of Gauge default\/b; correct these objects, /m);
    assert.deepEqual(await storedVersions(client), ['v1', 'v2']);

    isFaulty = false;
    assert.match(await cluster.done(args), /^migrated gauges\.example\.com: wrote 1 object in v2\n$/);
    assert.deepEqual(await storedVersions(client), ['v2']);
  });

  it('kubewright migrate-storage waits for a StorageVersionMigration if the cluster serves this kind, and replaces a failed migration', async () => {
    await using cluster = await ClusterProject.create();
    const { client, cache } = cluster.env.cluster;
    await createGauges(client, ['a']);
    await storeInSecondVersion(client);
    await serveMigrations(client);
    const before = await gaugeVersions(client);
    const finish = async (type: 'Failed' | 'Succeeded'): Promise<KubeObject & Readonly<Record<string, unknown>>> => {
      await using migrations = await cache.informer(Migration);
      for await (const { object } of migrations.changes()) {
        if (object['status'] !== undefined) continue;
        const conditions = [{ type, status: 'True', message: 'no permission' }];
        await client.subresource(object, 'status').patch({ merge: { status: { conditions } } });
        return object;
      }
      return assert.fail('there is no migration');
    };
    const args = ['migrate-storage', 'gauges.example.com'];
    const [failed, migration] = await Promise.all([cluster.run(args), finish('Failed')]);
    assert.equal(failed.exitCode, 4);
    assert.match(
      failed.stderr,
      /StorageVersionMigration gauges\.example\.com-2 failed: no permission; correct the cause/,
    );
    assert.deepEqual(migration['spec'], { resource: { group: 'example.com', resource: 'gauges' } });
    assert.deepEqual(await storedVersions(client), ['v1', 'v2']);

    const [output] = await Promise.all([cluster.done(args), finish('Succeeded')]);
    assert.match(output, /^migrated gauges\.example\.com: wrote all objects in v2\n$/);
    assert.deepEqual(await storedVersions(client), ['v2']);
    assert.deepEqual(await gaugeVersions(client), before, 'the command itself writes no object');
  });

  it('kubewright migrate-storage writes at most the given number of objects per second', async () => {
    await using cluster = await ClusterProject.create();
    const { client } = cluster.env;
    await createGauges(client, ['a', 'b', 'c']);
    await storeInSecondVersion(client);
    const startMs = performance.now();
    await cluster.done(['migrate-storage', 'gauges.example.com', '--rate', '5']);
    assert.ok(performance.now() - startMs >= 400, 'two pauses of 200 ms');
  });

  it('kubewright migrate-storage rejects an invalid rate, and a definition that is not installed', async () => {
    await using cluster = await ClusterProject.create();
    const invalid = await cluster.run(['migrate-storage', 'gauges.example.com', '--rate', '0']);
    assert.equal(invalid.exitCode, 2);
    assert.match(invalid.stderr, /write a number greater than 0, such as 50/);
    const missing = await cluster.run(['migrate-storage', 'gauges.example.com']);
    assert.equal(missing.exitCode, 2);
    assert.match(missing.stderr, /has no CustomResourceDefinition gauges\.example\.com; run `kubewright install`/);
  });

  it('kubewright migrate-storage migrates the definitions of the project by default', async () => {
    await using cluster = await ClusterProject.create();
    await cluster.done(['install']);
    const output = JSON.parse(await cluster.done(['migrate-storage', '--json'])) as { readonly definitions: unknown };
    assert.deepEqual(output.definitions, [
      { name: 'foos.example.com', storageVersion: 'v1', outcome: 'unchanged', storedVersions: ['v1'] },
    ]);
  });
});
