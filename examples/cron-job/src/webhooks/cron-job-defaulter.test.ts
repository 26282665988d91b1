import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Draft } from '@kubewright/api';
import { testDefaulter } from '@kubewright/testing';
import { CronJob } from '../api/v1/cron-job.js';
import { CronJobDefaulter } from './cron-job-defaulter.js';

function defaulted(restartPolicy: string | undefined): string | undefined {
  const pod = {
    containers: [{ name: 'hello', image: 'busybox' }],
    ...(restartPolicy !== undefined && { restartPolicy }),
  };
  const cronJob = new CronJob({
    metadata: { name: 'nightly', namespace: 'default' },
    spec: { schedule: '@daily', jobTemplate: { spec: { template: { spec: pod } } } },
  });
  const draft = structuredClone(cronJob) as Draft<CronJob>;
  new CronJobDefaulter().default(draft);
  return draft.spec.jobTemplate.spec?.template.spec?.restartPolicy;
}

test('CronJobDefaulter sets the restart policy of the Pods if it is not set', () => {
  assert.equal(defaulted(undefined), 'OnFailure');
  assert.equal(defaulted('Never'), 'Never');
});

test('CronJobDefaulter changes nothing in a second call', async () => {
  assert.ok((await testDefaulter(CronJobDefaulter)).changed > 0);
});
