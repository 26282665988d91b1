import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findCondition } from '@kubewright/api';
import { ControllerRevision, StatefulSet } from '@kubewright/api/apps/v1';
import { PersistentVolumeClaim, Secret } from '@kubewright/api/core/v1';
import { compareResourceVersions } from '@kubewright/api/resource-version';
import { type Database, isConverged, versions } from '@kubewright/example-database';
import { isInvalid } from '@kubewright/runtime';
import { RunningExample } from './running-example.js';

const inDefault = (name: string) => ({ name, namespace: 'default' });

test('database behaves as its README describes', async (t) => {
  await using example = await RunningExample.start('database');
  const { env } = example;
  const [sample] = example.samples as readonly Database[];
  assert.ok(sample);
  await env.client.create(sample);
  const change = (spec: object): Promise<Database> => env.client.patch(sample, { merge: { spec } });

  await t.test('the sample becomes ready', async () => {
    const { status } = await example.until(sample, isConverged);
    assert.equal(status?.version, '10.6');
  });

  await t.test('the operator recreates a StatefulSet that a user deletes, and keeps its volume', async () => {
    const server = await env.client.get(StatefulSet, inDefault('shop'));
    const claim = await env.client.get(PersistentVolumeClaim, inDefault('data-shop-0'));
    await env.client.delete(server);
    await example.until(
      server,
      ({ metadata, status }) => metadata.uid !== server.metadata.uid && status?.readyReplicas === 1,
    );
    assert.equal((await env.read(claim)).metadata.uid, claim.metadata.uid);
    await example.until(sample, isConverged);
  });

  await t.test('an upgrade does not skip a version even if the API server is killed', async () => {
    await change({ version: '11.8' });
    await example.killServer();
    await example.startServer();
    await example.until(sample, isConverged);
    const server = await env.client.get(StatefulSet, inDefault('shop'));
    const revisions = await env.client.listOwned(server, ControllerRevision);
    // After the server is killed, the cache of the real StatefulSet controller is outdated, so several revisions can have the same number.
    const inOrder = revisions.toSorted((a, b) =>
      compareResourceVersions(a.metadata.resourceVersion ?? '', b.metadata.resourceVersion ?? ''),
    );
    assert.deepEqual(
      inOrder.map(({ data }) => /mariadb:([\d.]+)/.exec(JSON.stringify(data))?.[1]),
      versions,
    );
  });

  await t.test('the API server rejects an older version and a change of the size', async () => {
    await assert.rejects(change({ version: '10.6' }), (error) => {
      assert.ok(isInvalid(error));
      assert.match(String(error), /a database cannot be downgraded to an older version/);
      return true;
    });
    await assert.rejects(change({ storage: '2Gi' }), isInvalid);
  });

  await t.test('the operator reports an invalid schedule in the status', async () => {
    await change({ backup: { schedule: 'often' } });
    const reported = await example.until(sample, (db) => findCondition(db, 'Reconciled')?.status === 'False');
    assert.match(findCondition(reported, 'Reconciled')?.message ?? '', /spec\.schedule: Invalid value: "often"/);
    await change({ backup: { schedule: '0 3 * * *' } });
    await example.until(sample, (db) => findCondition(db, 'Reconciled')?.status === 'True');
  });

  await t.test('the operator takes a last backup of a deleted database, and keeps the backup', async () => {
    const { data } = await env.client.get(Secret, inDefault('shop-root'));
    const password = data?.['password'] ?? '';
    for (const text of [password, Buffer.from(password, 'base64').toString()]) {
      assert.equal(text.length > 30, true);
      assert.equal(example.output.includes(text), false);
    }
    const claim = await env.client.get(PersistentVolumeClaim, inDefault('data-shop-0'));
    await env.client.delete(sample);
    assert.equal(await example.reported(sample, 'LastBackup'), 'created by Job shop-last-backup');
    await env.untilDeleted(sample);
    await env.untilDeleted(claim);
    assert.ok(await env.client.find(PersistentVolumeClaim, inDefault('shop-backups')));
  });

  await example.stop();
  assert.deepEqual(example.unusedPermissions(), []);
});
