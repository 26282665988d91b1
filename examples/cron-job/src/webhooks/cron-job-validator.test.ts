import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CronJob } from '../api/v1/cron-job.js';
import { CronJobValidator } from './cron-job-validator.js';

function violationsOf(name: string, schedule: string): readonly string[] {
  const cronJob = new CronJob({ metadata: { name, namespace: 'default' }, spec: { schedule, jobTemplate: {} } });
  return new CronJobValidator().validate(cronJob, undefined, { name }).map(({ field }) => field);
}

test('CronJobValidator admits a name of 52 characters and a schedule in cron format', () => {
  assert.deepEqual(violationsOf('a'.repeat(52), '*/5 * * * *'), []);
  assert.deepEqual(violationsOf('', '@every 1h'), []);
});

test('CronJobValidator returns all violations of a CronJob', () => {
  assert.deepEqual(violationsOf('a'.repeat(53), '@daily'), ['metadata.name']);
  assert.deepEqual(violationsOf('nightly', 'often'), ['spec.schedule']);
  assert.deepEqual(violationsOf('a'.repeat(53), '60 * * * *'), ['metadata.name', 'spec.schedule']);
});
