import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isConditionTrue } from '@kubewright/api';
import { Deployment } from '@kubewright/api/apps/v1';
import { explore, TestEnvironment } from '@kubewright/testing';
import { DNSZone } from '../api/v1alpha1/dns-zone.js';
import { DNSZoneController } from './dns-zone-controller.js';

const sample = new DNSZone({ metadata: { name: 'sample' }, spec: { replicas: 2 } });

test('DNSZone becomes ready, follows its spec, and is deleted with its Deployment', async () => {
  await using env = await TestEnvironment.start({ kinds: [DNSZone], workloads: true, objects: [sample] });
  await env.run(DNSZoneController);
  const dnsZone = await env.until(sample, (seen) => isConditionTrue(seen, 'Ready'));
  assert.equal(dnsZone.status?.readyReplicas, 2);

  await env.client.patch(dnsZone, (draft) => {
    draft.spec.replicas = 3;
  });
  await env.until(dnsZone, ({ status }) => status?.readyReplicas === 3);

  await env.client.delete(dnsZone);
  await env.untilDeleted(dnsZone);
  await env.settled();
  assert.deepEqual(await env.client.list(Deployment), []);
});

test('DNSZoneController satisfies the rules of operators in generated histories', async () => {
  await explore({ kinds: [DNSZone], controllers: [DNSZoneController], samples: [sample], budget: '10s' });
});
