import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../test-support/manual-clock.js';
import { WorkQueue } from './work-queue.js';

const activeTimers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

test('a queue without options uses the system clock, and a delayed key keeps the process running', async () => {
  const before = activeTimers();
  const queue = new WorkQueue<string>();
  queue.add('soon', { after: '1ms' });
  assert.equal(activeTimers(), before + 1);
  assert.equal((await queue.get())?.key, 'soon');
  assert.equal(activeTimers(), before);
  queue.add('never', { after: '1h' });
  await queue.shutDown();
  assert.equal(activeTimers(), before);
});

test('the delay of add is a duration or a number of milliseconds', () => {
  const clock = new ManualClock();
  const queue = new WorkQueue<string>({ clock });
  queue.add('a', { after: '2s' });
  queue.add('b', { after: 3000 });
  clock.advance(1999);
  assert.equal(queue.length, 0);
  clock.advance(1);
  assert.equal(queue.length, 1);
  clock.advance(1000);
  assert.equal(queue.length, 2);
  assert.throws(() => queue.add('c', { after: '2 seconds' as never }), { code: 'INVALID_DURATION' });
});

test('accepts `starvationLimit` as a duration, and one of ten returned keys is a key that has exceeded the limit', async () => {
  const clock = new ManualClock();
  const queue = new WorkQueue<string>({ clock, starvationLimit: '1m' });
  queue.add('patient', { priority: -1 });
  for (let at = 0; at < 20; at++) queue.add(`urgent-${at}`);
  clock.advance(60_001);
  const taken: string[] = [];
  for (let at = 0; at < 10; at++) taken.push((await queue.get())?.key ?? '');
  assert.equal(taken[9], 'patient');
  assert.throws(() => new WorkQueue({ starvationLimit: 'long' as never }), { code: 'INVALID_DURATION' });
  assert.throws(() => new WorkQueue({ patience: '1m' } as never), {
    code: 'INVALID_OPTION',
    message: "WorkQueue: unknown option 'patience'; it is now 'starvationLimit'",
  });
});

test('add throws if the delay rule returns an invalid delay, and does not change the key', () => {
  const queue = new WorkQueue<string>({ clock: new ManualClock(), delayRule: () => Number.NaN });
  assert.throws(() => queue.add('a', { rateLimited: true }), { code: 'INVALID_DELAY' });
  assert.equal(queue.failures('a'), 0);
  queue.add('a');
  assert.equal(queue.length, 1);
});
