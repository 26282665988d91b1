import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../test-support/manual-clock.js';
import { ServerTime } from './server-time.js';

test('returns the time of the last response plus the time that has elapsed since then', () => {
  const clock = new ManualClock();
  const time = new ServerTime(clock);
  assert.equal(time.nowMs(), clock.now().getTime());
  time.note({ date: 'Tue, 01 Jan 2030 00:04:00 GMT' });
  clock.advance(30_000);
  assert.equal(new Date(time.nowMs()).toISOString(), '2030-01-01T00:04:30.000Z');
  assert.equal(time.differenceMs, -240_000);
  assert.ok(time.clocksAgree);
});

test('clocksAgree is false if the clocks differ by more than 5 min', () => {
  const time = new ServerTime(new ManualClock());
  time.note({ date: 'Tue, 01 Jan 2030 00:05:01 GMT' });
  assert.equal(time.clocksAgree, false);
  time.note({ date: 'Mon, 31 Dec 2029 23:54:59 GMT' });
  assert.equal(time.clocksAgree, false);
  assert.equal(time.differenceMs, 301_000);
});

test('ignores a response without a valid Date header', () => {
  const clock = new ManualClock();
  const time = new ServerTime(clock);
  for (const date of [undefined, '', 'yesterday']) time.note(date === undefined ? {} : { date });
  assert.equal(time.nowMs(), clock.now().getTime());
  assert.ok(time.clocksAgree);
});
