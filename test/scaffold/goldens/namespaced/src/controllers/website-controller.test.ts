import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isConditionTrue } from '@kubewright/api';
import { Deployment } from '@kubewright/api/apps/v1';
import { explore, TestEnvironment } from '@kubewright/testing';
import { Website } from '../api/v1/website.js';
import { WebsiteController } from './website-controller.js';

const sample = new Website({ metadata: { name: 'sample', namespace: 'default' }, spec: { replicas: 2 } });

test('Website becomes ready, follows its spec, and is deleted with its Deployment', async () => {
  await using env = await TestEnvironment.start({ kinds: [Website], workloads: true, objects: [sample] });
  await env.run(WebsiteController);
  const website = await env.until(sample, (seen) => isConditionTrue(seen, 'Ready'));
  assert.equal(website.status?.readyReplicas, 2);

  await env.client.patch(website, (draft) => {
    draft.spec.replicas = 3;
  });
  await env.until(website, ({ status }) => status?.readyReplicas === 3);

  await env.client.delete(website);
  await env.untilDeleted(website);
  await env.settled();
  assert.deepEqual(await env.client.list(Deployment), []);
});

test('WebsiteController satisfies the rules of operators in generated histories', async () => {
  await explore({ kinds: [Website], controllers: [WebsiteController], samples: [sample], budget: '10s' });
});
