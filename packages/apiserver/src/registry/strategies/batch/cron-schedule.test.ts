import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cronScheduleError } from './cron-schedule.js';

test('accepts schedules with five fields, descriptors and durations', () => {
  for (const schedule of [
    '* * * * *',
    '*/5 0-23/2 1,15 jan-dec MON',
    '? ? ? ? ?',
    '@daily',
    '@every 1.5h',
    'TZ=UTC 0 0 * * *',
  ]) {
    assert.equal(cronScheduleError(schedule), undefined, schedule);
  }
});

test('reports the first invalid part of a schedule', () => {
  assert.equal(cronScheduleError('* * *'), 'expected exactly 5 fields, found 3: [* * *]');
  assert.equal(cronScheduleError('0 0 0 * *'), 'beginning of range (0) below minimum (1): 0');
  assert.equal(cronScheduleError('0-60 * * * *'), 'end of range (60) above maximum (59): 0-60');
  assert.equal(cronScheduleError('*/0 * * * *'), 'step of range should be a positive number: */0');
  assert.match(cronScheduleError('a * * * *') ?? '', /^failed to parse int from a: strconv.Atoi/);
  assert.equal(cronScheduleError('@soon'), 'unrecognized descriptor: @soon');
});
