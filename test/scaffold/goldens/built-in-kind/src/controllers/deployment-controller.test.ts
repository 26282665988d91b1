import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Deployment } from '@kubewright/api/apps/v1';
import { Result } from '@kubewright/runtime';
import { TestEnvironment } from '@kubewright/testing';
import { DeploymentController } from './deployment-controller.js';

const sample = new Deployment({
  metadata: { name: 'deployment-sample', namespace: 'default' },
  spec: {
    replicas: 1,
    selector: { matchLabels: { app: 'sample' } },
    template: {
      metadata: { labels: { app: 'sample' } },
      spec: { containers: [{ name: 'app', image: 'nginx:1.29-alpine' }] },
    },
  },
});

test('a Deployment is reconciled', async () => {
  await using env = await TestEnvironment.start({ objects: [sample] });
  const { result, error } = await env.reconcile(new DeploymentController(), sample);
  assert.deepEqual([result, error], [Result.done(), undefined]);
});
