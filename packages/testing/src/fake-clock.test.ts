import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from './fake-clock.js';

test('the time of a FakeClock does not advance by itself', async () => {
  const clock = new FakeClock('2026-01-01T00:30:00Z');
  assert.equal(clock.now().toISOString(), '2026-01-01T00:30:00.000Z');
  await clock.advance('31m');
  assert.equal(clock.now().toISOString(), '2026-01-01T01:01:00.000Z');
  assert.equal(clock.monotonicMs(), 31 * 60_000);
});

test('setTime sets the wall clock and does not affect timers', async () => {
  const clock = new FakeClock('2026-01-01T00:00:00Z');
  const fired: string[] = [];
  clock.schedule(60_000, () => fired.push(clock.now().toISOString()));
  await clock.advance('30s');
  clock.setTime('2020-06-01T00:00:00Z');
  assert.equal(clock.now().toISOString(), '2020-06-01T00:00:00.000Z');
  await clock.advance('30s');
  assert.deepEqual(fired, ['2020-06-01T00:00:30.000Z']);
  assert.equal(clock.monotonicMs(), 60_000);
});

test('msToNextTimer ignores timers that only maintain connections', async () => {
  const clock = new FakeClock();
  clock.schedule(1000, () => undefined, { isUpkeep: true });
  assert.equal(clock.msToNextTimer, Number.POSITIVE_INFINITY);
  const timer = clock.schedule(60_000, () => undefined);
  clock.schedule(90_000, () => undefined);
  await clock.advance('20s');
  assert.equal(clock.msToNextTimer, 40_000);
  timer.cancel();
  assert.equal(clock.msToNextTimer, 70_000);
});

test('timers run in order at their scheduled times, including timers that other timers schedule', async () => {
  const clock = new FakeClock('2026-01-01T00:00:00Z');
  const seen: string[] = [];
  const note = (name: string) => () => void seen.push(`${name} ${clock.monotonicMs()}`);
  clock.schedule(2000, note('b'));
  clock.schedule(1000, () => {
    note('a')();
    clock.schedule(500, note('nested'));
  });
  clock.schedule(9000, note('late'));
  clock.schedule(1200, note('cancelled')).cancel();
  await clock.advance('5s');
  assert.deepEqual(seen, ['a 1000', 'nested 1500', 'b 2000']);
});

test('timers that only maintain connections fire in order, just before the next other timer or at the end', async () => {
  const clock = new FakeClock();
  const seen: string[] = [];
  const note = (name: string) => () => void seen.push(`${name} ${clock.monotonicMs()}`);
  const repeat = (name: string, ms: number): void => {
    const again = (): void => {
      note(name)();
      clock.schedule(ms, again, { isUpkeep: true });
    };
    clock.schedule(ms, again, { isUpkeep: true });
  };
  repeat('slow', 2500);
  repeat('fast', 1000);
  clock.schedule(20_000, note('other'));
  await clock.advance('1m');
  assert.deepEqual(seen, ['fast 19999', 'slow 19999', 'other 20000', 'fast 60000', 'slow 60000']);
});

test('a sleep ends after its duration or when its signal is aborted', async () => {
  const clock = new FakeClock();
  const slept = clock.sleep('1s');
  const stop = new AbortController();
  const stopped = assert.rejects(clock.sleep('1s', stop.signal), /enough/);
  stop.abort(new Error('enough'));
  await clock.advance('1s');
  await Promise.all([slept, stopped]);
});

test('advance waits for the onAdvance callbacks after a timer has fired', async () => {
  const clock = new FakeClock();
  let work = Promise.resolve();
  let done = 0;
  clock.onAdvance(() => work);
  clock.schedule(100, () => {
    work = new Promise<void>((resolve) => setImmediate(resolve)).then(() => void done++);
  });
  await clock.advance('1s');
  assert.equal(done, 1);
});
