import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Job } from '@kubewright/api/batch/v1';
import { FakeClock, TestEnvironment } from '@kubewright/testing';
import { CronJob } from '../api/v1/cron-job.js';
import { CronJobController } from './cron-job-controller.js';

const template = {
  spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'hello', image: 'busybox' }] } } },
};
const hourly = new CronJob({
  metadata: { name: 'hourly', namespace: 'default' },
  spec: { schedule: '0 * * * *', jobTemplate: template },
});

test('CronJobController starts the run of an hourly schedule and lists its Job as active', async () => {
  const clock = new FakeClock('2026-01-01T00:30:00Z');
  await using env = await TestEnvironment.start({ kinds: [CronJob], clock });
  await env.run(CronJobController);
  const cronJob = await env.client.create(hourly);
  await env.settled();
  assert.equal((await env.client.list(Job)).length, 0);

  await clock.advance('31m');
  await env.settled();
  const [job] = await env.client.listOwned(cronJob, Job);
  assert.equal(job?.metadata.name, 'hourly-1767229200');
  assert.equal((await env.read(cronJob)).status?.active?.[0]?.name, job?.metadata.name);
});

test('CronJobController reports an invalid schedule as the error of the reconcile', async () => {
  await using env = await TestEnvironment.start({ kinds: [CronJob] });
  const bad = await env.client.create(new CronJob({ ...hourly, spec: { ...hourly.spec, schedule: 'often' } }));
  const { error } = await env.reconcile(new CronJobController(env.client, new FakeClock()), bad);
  assert.match(String(error), /is not a valid cron schedule/);
});
