import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../test-support/manual-clock.js';
import { BodyDeadlines } from './body-deadlines.js';

test('each read that has not ended is late exactly 30 s after its begin, and all reads share one timer', () => {
  const clock = new ManualClock();
  let timers = 0;
  const schedule = clock.schedule.bind(clock);
  clock.schedule = (delayMs, callback) => {
    timers++;
    return schedule(delayMs, callback);
  };
  const deadlines = new BodyDeadlines(clock);
  const late: string[] = [];
  const begin = (name: string): (() => void) => deadlines.begin(() => late.push(`${name} ${clock.monotonicMs()}`));
  const end = begin('complete');
  clock.advance(1000);
  begin('slow');
  clock.advance(1000);
  begin('slower');
  end();
  assert.equal(timers, 1);
  for (let second = 2; second < 40; second++) clock.advance(1000);
  assert.deepEqual(late, ['slow 31000', 'slower 32000']);
  assert.equal(timers, 3);
  begin('next');
  clock.advance(29_999);
  assert.equal(late.length, 2);
  clock.advance(1);
  assert.deepEqual(late.slice(2), ['next 70000']);
});
