import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonDraft } from '../../registry/objects/api-object.js';
import { context, startCluster } from '../../server/cluster.test.support.js';

const finalizer = 'kubernetes.io/vac-protection';
const key = { name: 'a' };
const claimKey = { ...key, namespace: 'default' };
const resources = { requests: { storage: '1Gi' } };
const claim = (volumeAttributesClassName?: string): object => ({
  metadata: claimKey,
  spec: { accessModes: ['ReadWriteOnce'], resources, volumeAttributesClassName },
});
const volume = {
  metadata: { name: 'v' },
  spec: {
    accessModes: ['ReadWriteOnce'],
    capacity: resources.requests,
    csi: { driver: 'example.com', volumeHandle: 'v' },
    volumeAttributesClassName: 'a',
  },
};

function startWithClass(t: Parameters<typeof startCluster>[0]) {
  const cluster = startCluster(t);
  const classes = cluster.resource('storage.k8s.io/v1/volumeattributesclasses');
  classes.create({ metadata: key, driverName: 'example.com', parameters: { iops: '1' } }, context);
  return { cluster, classes };
}

test('the deletion of an unused VolumeAttributesClass completes', async (t) => {
  const { cluster, classes } = startWithClass(t);
  assert.deepEqual(classes.get(key).metadata.finalizers, [finalizer]);
  classes.delete(key, {}, context);
  await cluster.quiet();
  assert.equal(classes.find(key), undefined);
});

test('a VolumeAttributesClass that is being deleted remains until no claim and no volume names the class', async (t) => {
  const { cluster, classes } = startWithClass(t);
  const claims = cluster.resource('/v1/persistentvolumeclaims');
  const volumes = cluster.resource('/v1/persistentvolumes');
  claims.create(claim('a'), context);
  volumes.create(volume, context);
  classes.delete(key, {}, context);
  await cluster.quiet();
  assert.deepEqual(classes.get(key).metadata.finalizers, [finalizer]);
  claims.delete(claimKey, {}, context);
  await cluster.quiet();
  assert.equal(claims.find(claimKey), undefined);
  assert.deepEqual(classes.get(key).metadata.finalizers, [finalizer]);
  volumes.delete({ name: 'v' }, {}, context);
  await cluster.quiet();
  assert.equal(classes.find(key), undefined);
});

for (const status of [
  { currentVolumeAttributesClassName: 'a' },
  { modifyVolumeStatus: { status: 'InProgress', targetVolumeAttributesClassName: 'a' } },
]) {
  const field = Object.keys(status).join();
  test(`a VolumeAttributesClass remains while ${field} of a claim names the class`, async (t) => {
    const { cluster, classes } = startWithClass(t);
    const claims = cluster.resource('/v1/persistentvolumeclaims');
    const setStatus = (next: object): void => {
      const change = (live: object): JsonDraft => ({ ...live, status: next });
      claims.update(claimKey, change, { ...context, subresource: 'status' });
    };
    claims.create(claim(), context);
    setStatus(status);
    classes.delete(key, {}, context);
    await cluster.quiet();
    assert.deepEqual(classes.get(key).metadata.finalizers, [finalizer]);
    setStatus({});
    await cluster.quiet();
    assert.equal(classes.find(key), undefined);
  });
}
