import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@kubewright/api';
import { Job } from '@kubewright/api/batch/v1';
import { CronJob, CronJobV2, isConverged } from '@kubewright/example-cron-job';
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

  const cronJobOf = (name: string, spec: Partial<CronJob['spec']>): CronJob =>
    new CronJob({ metadata: { name, namespace: 'default' }, spec: { ...sample.spec, ...spec } });
  const rejects = (object: KubeObject, message: RegExp): Promise<void> =>
    assert.rejects(env.client.create(object), (error) => {
      assert.ok(isInvalid(error), String(error));
      assert.match(String(error), message);
      return true;
    });

  await t.test('the operator runs the sample, and keeps only the last successful Job', async () => {
    await env.client.create(sample);
    await example.until(sample, isConverged);
    const [first] = await jobs();
    assert.ok(first);
    await env.untilDeleted(first);
  });

  await t.test('the API server rejects an unknown policy', async () => {
    const unknown = cronJobOf('unknown', { concurrencyPolicy: 'Sometimes' as 'Allow' });
    await rejects(unknown, /concurrencyPolicy: Unsupported value: "Sometimes"/);
  });

  await t.test(
    'the validator rejects an invalid schedule and a name that is too long in v1, and an invalid schedule in v2',
    async () => {
      await rejects(
        cronJobOf('whenever', { schedule: 'whenever' }),
        /spec\.schedule: Invalid value: "whenever": must have five/,
      );
      await rejects(
        cronJobOf('a'.repeat(53), {}),
        /metadata\.name: Invalid value: "a{53}": must have at most 52 characters/,
      );
      const often = new CronJobV2({
        metadata: { name: 'often-v2', namespace: 'default' },
        spec: { schedule: { minute: '60' }, jobTemplate: {} },
      });
      await rejects(often, /the minute "60" is not a value, range or step from 0 to 59/);
    },
  );

  await t.test('the defaulter sets the restart policy, and the converter converts between both versions', async () => {
    const template = { spec: { template: { spec: { containers: [{ name: 'hello', image: 'busybox' }] } } } };
    await env.client.create(cronJobOf('nightly', { schedule: '0 3 * * *', suspend: true, jobTemplate: template }));
    const nightly = await env.client.live.get(CronJobV2, { name: 'nightly', namespace: 'default' });
    assert.deepEqual(nightly.spec.schedule, { minute: '0', hour: '3' });
    assert.equal(nightly.spec.jobTemplate.spec?.template.spec?.restartPolicy, 'OnFailure');

    await env.client.patch(nightly, {
      merge: { spec: { schedule: { hour: null, descriptor: null, dayOfWeek: 'mon' } } },
    });
    const { spec } = await env.client.live.get(CronJob, nightly.metadata);
    assert.deepEqual([spec.schedule, spec.suspend], ['0 * * * mon', true]);
  });

  await t.test('the operator starts the next run after a user deletes a Job', async () => {
    const run = await lastRun();
    for (const job of await jobs()) await env.client.delete(job, { propagation: 'Background' });
    await runAfter(run);
  });

  await t.test(
    'the operator starts only the last of the runs that were missed while the API server was killed',
    async () => {
      await example.killServer();
      await example.untilPrinted(/"outage":"begin"/);
      await example.startServer();
      await runAfter(await lastRun());
    },
  );

  await example.stop();
  assert.deepEqual(example.unusedPermissions(), []);
});
