import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testConversion } from '@kubewright/testing';
import { CronJob as CronJobV1 } from '../api/v1/cron-job.js';
import { CronJob as CronJobV2 } from '../api/v2/cron-job.js';
import { CronJobConverter } from './cron-job-converter.js';

const jobTemplate = { spec: { template: { spec: { containers: [{ name: 'hello', image: 'busybox' }] } } } };
const metadata = { name: 'nightly', namespace: 'default' };
const schedules = ['* * * * *', '*/5 0-6 1,15 jan mon', '@every 1h', '@daily', 'not in cron format'];

test('a CronJob does not change when it is converted between v1 and v2 and back', () => {
  const objects = schedules.map((schedule) => new CronJobV1({ metadata, spec: { schedule, jobTemplate } }));
  testConversion(CronJobConverter, { objects });
});

test('CronJobConverter omits fields that are *, and keeps a schedule that does not have five fields as a descriptor', () => {
  const scheduleOf = (schedule: string): unknown =>
    new CronJobConverter().down(new CronJobV1({ metadata, spec: { schedule, jobTemplate } })).spec.schedule;
  assert.deepEqual(schedules.map(scheduleOf), [
    {},
    { minute: '*/5', hour: '0-6', dayOfMonth: '1,15', month: 'jan', dayOfWeek: 'mon' },
    { descriptor: '@every 1h' },
    { descriptor: '@daily' },
    { descriptor: 'not in cron format' },
  ]);
});

test('CronJobConverter writes * for fields that are not set', () => {
  const converter = new CronJobConverter();
  const textOf = (schedule: object): string =>
    converter.up(new CronJobV2({ metadata, spec: { schedule, jobTemplate } })).spec.schedule;
  assert.equal(textOf({ minute: '0', dayOfWeek: 'mon' }), '0 * * * mon');
  assert.equal(textOf({ descriptor: '@every 1h' }), '@every 1h');
});
