import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findCondition, isConditionTrue, isReady, keyOf } from '@kubewright/api';
import { ControllerRevision, StatefulSet } from '@kubewright/api/apps/v1';
import { Job } from '@kubewright/api/batch/v1';
import { PersistentVolumeClaim, Secret } from '@kubewright/api/core/v1';
import { isInvalid, Result } from '@kubewright/runtime';
import { FakeClock, TestEnvironment } from '@kubewright/testing';
import { Database } from '../api/v1/database.js';
import { type Version, versions } from '../api/v1/version.js';
import { DatabaseController } from './database-controller.js';

const shop = new Database({ metadata: { name: 'shop', namespace: 'default' }, spec: { version: '10.6' } });
const password = { namespace: 'default', name: 'shop-root' };

const controllerOf = ({ client, events }: TestEnvironment, clock = new FakeClock()): DatabaseController =>
  new DatabaseController(client, events, clock);

function want(env: TestEnvironment, db: Database, version: Version): Promise<Database> {
  return env.client.patch(db, (draft) => {
    draft.spec.version = version;
  });
}
/** Simulates that the Pod of the server becomes ready. */
async function start(env: TestEnvironment): Promise<void> {
  const server = await env.client.get(StatefulSet, keyOf(shop));
  await env.client.patchStatus(server, {
    observedGeneration: server.metadata.generation,
    replicas: 1,
    readyReplicas: 1,
    updatedReplicas: 1,
  });
}

test('DatabaseController creates the backup volume, the password and the children of the server for a new database', async () => {
  await using env = await TestEnvironment.start({ kinds: [Database], objects: [shop] });
  const { writes, object } = await env.reconcile(controllerOf(env), shop);
  assert.deepEqual(
    writes.map(({ verb, object: { kind, metadata } }) => `${verb} ${kind} ${metadata.name}`),
    [
      'create PersistentVolumeClaim shop-backups',
      'create Secret shop-root',
      'patch Database shop',
      'apply StatefulSet shop',
      'apply Service shop',
      'apply CronJob shop-backup',
      'patch Database shop',
    ],
  );
  assert.equal(isConditionTrue(object, 'Ready'), false);
  assert.equal(object.status?.step, '10.6');
});

test('DatabaseController creates the password once, and writes it neither to events nor to the status', async () => {
  await using env = await TestEnvironment.start({ kinds: [Database], objects: [shop] });
  const { events, object } = await env.reconcile(controllerOf(env), shop);
  const { data } = await env.client.get(Secret, password);
  const text = Buffer.from(data?.['password'] ?? '', 'base64').toString();
  assert.equal(text.length, 32);
  assert.ok(!JSON.stringify([events, object]).includes(text));
  await env.reconcile(controllerOf(env), shop);
  assert.deepEqual((await env.client.get(Secret, password)).data, data);
});

test('DatabaseController does not replace a deleted password Secret, because a new password does not match the data', async () => {
  await using env = await TestEnvironment.start({ kinds: [Database], objects: [shop] });
  await env.reconcile(controllerOf(env), shop);
  await env.client.delete(await env.client.get(Secret, password));
  const { error, writes } = await env.reconcile(controllerOf(env), shop);
  assert.match(String(error), /the Secret with the password does not exist/);
  assert.deepEqual(writes, []);
});

test('DatabaseController waits in each upgrade step until the server runs with the version of the step', async () => {
  await using env = await TestEnvironment.start({ kinds: [Database], objects: [shop] });
  const controller = controllerOf(env);
  await env.reconcile(controller, shop);
  await start(env);
  await env.reconcile(controller, shop);
  await want(env, shop, '11.4');
  for (const [step, message] of [
    ['10.11', '10.6 to 10.11, then 11.4'],
    ['11.4', '10.11 to 11.4'],
  ]) {
    const begun = await env.reconcile(controller, shop);
    assert.deepEqual(begun.object.status?.step, step);
    assert.equal(findCondition(begun.object, 'Upgrading')?.message, message);
    assert.equal(begun.events[0]?.reason, 'Upgrading');
    const waiting = await env.reconcile(controller, shop);
    assert.deepEqual(waiting.writes, []);
    await start(env);
  }
  const { object } = await env.reconcile(controller, shop);
  assert.equal(object.status?.version, '11.4');
  assert.equal(isConditionTrue(object, 'Upgrading'), false);
  assert.equal(isConditionTrue(object, 'Ready'), true);
});

test('DatabaseController upgrades the server through every version in between', async () => {
  await using env = await TestEnvironment.start({ kinds: [Database], objects: [shop], workloads: true });
  await env.run(DatabaseController);
  await env.settled();
  await want(env, shop, '11.8');
  await env.until(shop, ({ status }) => status?.version === '11.8');
  const revisions = await env.client.list(ControllerRevision, { namespace: 'default' });
  const images = revisions
    .toSorted((a, b) => a.revision - b.revision)
    .map(({ data }) => /mariadb:[\d.]+/.exec(JSON.stringify(data))?.[0]);
  assert.deepEqual(
    images,
    versions.map((version) => `mariadb:${version}`),
  );
});

test('the API server rejects a downgrade of a Database', async () => {
  const newer = new Database({ ...shop, spec: { version: '10.11' } });
  await using env = await TestEnvironment.start({ kinds: [Database], objects: [newer] });
  await assert.rejects(want(env, newer, '10.6'), isInvalid);
});

test('DatabaseController reports a scheduled backup as Fresh, and as Overdue after the maximum age', async () => {
  const clock = new FakeClock('2026-01-01T00:00:00Z');
  const monthly = new Database({ ...shop, spec: { version: '10.6', backup: { schedule: '0 3 1 * *' } } });
  await using env = await TestEnvironment.start({ kinds: [Database], objects: [monthly], workloads: true, clock });
  await env.run(DatabaseController);
  await env.settled();
  const reason = async (): Promise<string | undefined> => findCondition(await env.read(shop), 'BackedUp')?.reason;
  assert.equal(await reason(), 'NoBackup');
  await clock.advance('4h');
  assert.equal(await reason(), 'Fresh');
  await clock.advance('1d');
  assert.equal(await reason(), 'Fresh');
  await clock.advance('2h');
  assert.equal(await reason(), 'Overdue');
});

test('DatabaseController waits for a last backup before it deletes a database, and keeps the backup', async () => {
  await using env = await TestEnvironment.start({ kinds: [Database], objects: [shop], workloads: true });
  const controller = controllerOf(env);
  await env.reconcile(controller, shop);
  await env.until(await env.client.get(StatefulSet, keyOf(shop)), isReady);
  await env.client.delete(shop);
  const waiting = await env.reconcile(controller, shop);
  assert.notEqual(waiting.result, Result.done());
  const [job] = await env.client.list(Job, { namespace: 'default' });
  assert.ok(job);
  await env.until(job, isReady);
  const { result, events } = await env.reconcile(controller, shop);
  assert.equal(result, Result.done());
  assert.equal(events[0]?.reason, 'LastBackup');
  await env.untilDeleted(shop);
  await env.settled();
  const claims = await env.client.list(PersistentVolumeClaim, { namespace: 'default' });
  assert.deepEqual(
    claims.map(({ metadata }) => metadata.name),
    ['shop-backups'],
  );
});

test('DatabaseController immediately deletes a database that needs no last backup', async () => {
  const loose = new Database({ ...shop, spec: { version: '10.6', backup: { beforeDeletion: false } } });
  await using env = await TestEnvironment.start({ kinds: [Database], objects: [loose] });
  await env.reconcile(controllerOf(env), loose);
  await env.client.delete(loose);
  assert.equal((await env.reconcile(controllerOf(env), loose)).result, Result.done());
  await env.untilDeleted(loose);
});
