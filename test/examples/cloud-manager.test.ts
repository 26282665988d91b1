import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Deployment, StatefulSet } from '@kubewright/api/apps/v1';
import { PersistentVolumeClaim, Secret, Service } from '@kubewright/api/core/v1';
import { type CloudManager, isConverged } from '@kubewright/example-cloud-manager';
import { isInvalid } from '@kubewright/runtime';
import { RunningExample } from './running-example.js';

const inDefault = (name: string) => ({ name, namespace: 'default' });
const password = '123456';

test('cloud-manager behaves as its README describes', async (t) => {
  await using example = await RunningExample.start('cloud-manager');
  const { env } = example;
  for (const sample of example.samples) await env.client.create(sample);
  const sample = example.samples.find((object): object is CloudManager => object.kind === 'CloudManager');
  assert.ok(sample);

  await t.test('the sample becomes ready, and the operator records an event', async () => {
    await example.until(sample, isConverged);
    assert.match(await example.reported(sample, 'Updated'), /^Update cm\.status\.phase: (pending|ready)$/);
    const { spec } = await env.client.get(Service, inDefault('cm-db'));
    assert.deepEqual([spec.clusterIP, { ...spec.selector }], ['None', { controller: 'sample', app: 'db' }]);
    const claim = await env.client.get(PersistentVolumeClaim, inDefault('datadir-cm-db-0'));
    assert.deepEqual(
      claim.metadata.ownerReferences?.map(({ kind, name }) => `${kind} ${name}`),
      ['CloudManager sample'],
    );
    const secret = await env.client.get(Secret, inDefault('cm-dbauth'));
    assert.equal(Buffer.from(secret.data?.['password'] ?? '', 'base64').toString(), password);
  });

  await t.test('the API server rejects an unknown access mode', async () => {
    const broken = env.client.patch(sample, (draft) => {
      draft.spec.db.statefulSet.storage.accessModes = 'Sometimes' as 'ReadWriteOnce';
    });
    await assert.rejects(broken, (error) => {
      assert.ok(isInvalid(error));
      assert.match(String(error), /accessModes: Unsupported value: "Sometimes": supported values: "ReadWriteOnce"/);
      return true;
    });
  });

  await t.test('the operator recreates a Deployment that a user deletes', async () => {
    const front = await env.client.get(Deployment, inDefault('ake-front'));
    await env.client.delete(front);
    await env.untilDeleted(front);
    await example.until(
      front,
      ({ metadata, status }) => metadata.uid !== front.metadata.uid && status?.readyReplicas === 1,
    );
    await example.until(sample, isConverged);
  });

  await t.test(
    'the operator, after a restart of the API server, replaces the children whose names change in the spec',
    async () => {
      const [front, identity] = [
        await env.client.get(Deployment, inDefault('ake-front')),
        await env.client.get(Deployment, inDefault('cm-identity')),
      ];
      const [database, secret, service] = [
        await env.client.get(StatefulSet, inDefault('cm-db')),
        await env.client.get(Secret, inDefault('cm-dbauth')),
        await env.client.get(Service, inDefault('cm-db')),
      ];
      await example.killServer();
      await example.untilPrinted(/ECONNREFUSED|ECONNRESET|socket hang up|closed|lost|broke/i);
      await example.startServer();
      await env.client.patch(sample, (draft) => {
        draft.spec.front.deployment.name = 'entrance';
        draft.spec.db.statefulSet.name = 'store';
      });
      for (const old of [front, database, secret, service]) await env.untilDeleted(old);
      assert.match(
        await example.reported(sample, 'Deleted'),
        /^Deleted (deployment "ake-front"|statefulSet "cm-db"|service "cm-db"|secret "cm-dbauth")$/,
      );
      await example.until(sample, isConverged);
      assert.equal((await env.read(identity)).metadata.uid, identity.metadata.uid);
    },
  );

  await example.stop();
  assert.deepEqual(example.unusedPermissions(), []);
  for (const text of [password, Buffer.from(password).toString('base64')]) assert.ok(!example.output.includes(text));
});
