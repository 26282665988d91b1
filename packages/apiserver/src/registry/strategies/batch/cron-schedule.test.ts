import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCronSchedule } from './cron-schedule.js';

const errorOf = (schedule: string): string | undefined => parseCronSchedule(schedule).error;
const timesOf = (schedule: string): unknown => {
  const parsed = parseCronSchedule(schedule);
  return parsed.error ?? parsed.times;
};

test('accepts a schedule with five fields, a descriptor or a duration', () => {
  for (const schedule of [
    '* * * * *',
    '*/5 0-23/2 1,15 jan-dec MON',
    '? ? ? ? ?',
    '@daily',
    '@every 1.5h',
    'TZ=UTC 0 0 * * *',
  ]) {
    assert.equal(errorOf(schedule), undefined, schedule);
  }
});

test('reports the first invalid part of a schedule', () => {
  assert.equal(errorOf('* * *'), 'expected exactly 5 fields, found 3: [* * *]');
  assert.equal(errorOf('0 0 0 * *'), 'beginning of range (0) below minimum (1): 0');
  assert.equal(errorOf('0-60 * * * *'), 'end of range (60) above maximum (59): 0-60');
  assert.equal(errorOf('*/0 * * * *'), 'step of range should be a positive number: */0');
  assert.match(errorOf('a * * * *') ?? '', /^failed to parse int from a: strconv.Atoi/);
  assert.equal(errorOf('@soon'), 'unrecognized descriptor: @soon');
});

test('reports invalid durations and time zones with the texts of kube-apiserver', () => {
  const durations = [
    ['1.5', 'missing unit in duration "1.5"'],
    ['5x', 'unknown unit "x" in duration "5x"'],
    ['-1h2', 'missing unit in duration "-1h2"'],
    ['1m.', 'invalid duration "1m."'],
    ['', 'invalid duration ""'],
    ['2562048h', 'invalid duration "2562048h"'],
  ] as const;
  for (const [text, why] of durations) {
    assert.equal(errorOf(`@every ${text}`), `failed to parse duration @every ${text}: time: ${why}`);
  }
  assert.equal(errorOf('TZ=UTC'), 'invalid schedule format: runtime error: slice bounds out of range [:-1]');
  assert.equal(errorOf('TZ=Nowhere/X 0 0 * * *'), 'provided bad location Nowhere/X: unknown time zone Nowhere/X');
  assert.equal(errorOf('TZ=+01 0 0 * * *'), 'provided bad location +01: unknown time zone +01');
  assert.equal(errorOf('CRON_TZ=../x 0 0 * * *'), 'provided bad location ../x: time: invalid location name');
});

test('parses each field into a wildcard or a list of numbers', () => {
  assert.deepEqual(timesOf('5/25,+1, *-5 ?/12 jan-MAR sun'), { fields: '5,30,55,1 * 1,13,25 1,2,3 0' });
  assert.deepEqual(timesOf('@midnight'), { fields: '0 0 * * *' });
});

test('parses a time zone before five fields, a descriptor or a duration', () => {
  const zones = { 'TZ= 0 0 * * *': 'UTC', 'CRON_TZ=Asia/Tokyo  @daily': 'Asia/Tokyo', 'TZ=Local @every 1s': 'UTC' };
  for (const [schedule, zone] of Object.entries(zones)) {
    const parsed = parseCronSchedule(schedule);
    assert.equal(parsed.error === undefined ? parsed.zone : parsed.error, zone);
  }
});

test('a schedule with an empty field, or with days that no selected month has, has no runs', () => {
  for (const schedule of ['0 0 31 2 *', '0 0 31 4,6 *', ', * * * *']) assert.equal(timesOf(schedule), undefined);
  for (const schedule of ['0 0 29 2 *', '0 0 31 2-3 *', '0 0 31 2 1']) assert.ok(timesOf(schedule) !== undefined);
});
