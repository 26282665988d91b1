import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Job } from '@kubewright/api/batch/v1';
import { CronJob, isConverged } from '@kubewright/example-cron-job';
import { isInvalid } from '@kubewright/runtime';
import { RunningExample } from './running-example.js';

test('cron-job behaves as its README describes', async (t) => {
  await using example = await RunningExample.start('cron-job');
  const { env } = example;
  const [sample] = example.samples as readonly CronJob[];
  assert.ok(sample);
  const jobs = async () => env.client.listOwned(await env.read(sample), Job);
  const lastRun = async () => (await env.read(sample)).status?.lastScheduleTime ?? '';
  const runAfter = (run: string) => example.until(sample, ({ status }) => (status?.lastScheduleTime ?? '') > run);

  await t.test('runs the sample, and keeps only the last successful Job', async () => {
    await env.client.create(sample);
    await example.until(sample, isConverged);
    const [first] = await jobs();
    assert.ok(first);
    await env.untilDeleted(first);
  });

  await t.test('rejects an unknown policy, and reports an invalid schedule in the status', async () => {
    const unknown = new CronJob({
      metadata: { name: 'unknown', namespace: 'default' },
      spec: { ...sample.spec, concurrencyPolicy: 'Sometimes' as 'Allow' },
    });
    await assert.rejects(env.client.create(unknown), (error) => {
      assert.ok(isInvalid(error));
      assert.match(String(error), /concurrencyPolicy: Unsupported value: "Sometimes"/);
      return true;
    });
    const often = new CronJob({
      metadata: { name: 'whenever', namespace: 'default' },
      spec: { ...sample.spec, schedule: 'whenever' },
    });
    await env.client.create(often);
    const { status } = await example.until(often, (now) => now.status?.conditions?.[0]?.reason === 'BadSchedule');
    assert.match(status?.conditions?.[0]?.message ?? '', /'whenever' is not a valid cron schedule/);
    await env.client.delete(often);
  });

  await t.test('starts the next run after a user deletes a Job', async () => {
    const run = await lastRun();
    for (const job of await jobs()) await env.client.delete(job, { propagation: 'Background' });
    await runAfter(run);
  });

  await t.test('starts only the last of the runs that were missed while the API server was killed', async () => {
    await example.killServer();
    await example.untilPrinted(/"outage":"begin"/);
    await example.startServer();
    await runAfter(await lastRun());
  });

  await example.stop();
  assert.deepEqual(example.unusedPermissions(), []);
});
