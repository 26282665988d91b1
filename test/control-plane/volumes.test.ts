import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PersistentVolume, PersistentVolumeClaim } from '@kubewright/api/core/v1';
import { StorageClass } from '@kubewright/api/storage/v1';
import { startEnvironment } from '../server/start-environment.js';

test('the control plane binds a claim to a volume of its StorageClass, and deletes the volume with the claim unless the reclaim policy is Retain', async () => {
  const retained = new StorageClass({
    metadata: { name: 'retained' },
    provisioner: 'example.com/disks',
    reclaimPolicy: 'Retain',
  });
  await using env = await startEnvironment({ server: 'control-plane', workloads: true, objects: [retained] });
  const phases: Record<string, string | undefined> = {};
  for (const storageClassName of [undefined, 'retained']) {
    const claim = await env.client.create(
      new PersistentVolumeClaim({
        metadata: { name: storageClassName ?? 'default', namespace: 'default' },
        spec: {
          accessModes: ['ReadWriteOnce'],
          resources: { requests: { storage: '1Gi' } },
          ...(storageClassName !== undefined && { storageClassName }),
        },
      }),
    );
    const { spec } = await env.until(claim, ({ status }) => status?.phase === 'Bound');
    const volume = await env.client.get(PersistentVolume, { name: spec.volumeName ?? '' });
    assert.deepEqual(
      [volume.spec.storageClassName, volume.spec.capacity?.['storage']],
      [storageClassName ?? 'standard', '1Gi'],
    );
    await env.client.delete(claim);
    await env.untilDeleted(claim);
    if (storageClassName === undefined) await env.untilDeleted(volume);
    else phases[storageClassName] = (await env.until(volume, ({ status }) => status?.phase !== 'Bound')).status?.phase;
  }
  assert.deepEqual(phases, { retained: 'Released' });
});
