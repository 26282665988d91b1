import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { abortable } from './abortable.js';
import { underSignals } from './under-signals.js';

test('aborts the signal of the work with the reason of the first aborted signal, before and during the work', async () => {
  const reason = new Error('enough');
  const untilAborted = (signal: AbortSignal | undefined): Promise<unknown> =>
    new Promise((resolve) => {
      if (signal?.aborted) resolve(signal.reason);
      signal?.addEventListener('abort', () => resolve(signal.reason));
    });
  const [a, b] = [new AbortController(), new AbortController()];
  const later = underSignals([a.signal, b.signal], untilAborted);
  b.abort(reason);
  a.abort(new Error('too late'));
  assert.equal(await later, reason);
  assert.equal(await underSignals([new AbortController().signal, b.signal], untilAborted), reason);
  assert.equal(await underSignals([b.signal], async (signal) => signal), b.signal);
  assert.equal(await underSignals([], async (signal) => signal), undefined);
});

test('underSignals removes its signal listeners when the work succeeds or fails', async () => {
  const { signal } = new AbortController();
  const listeners = (): number => getEventListeners(signal, 'abort').length;
  const both = [signal, new AbortController().signal];
  assert.equal(await underSignals(both, async () => listeners()), 1);
  await assert.rejects(
    underSignals(both, async () => {
      throw new Error('broken');
    }),
    /broken/,
  );
  assert.equal(listeners(), 0);
});

test('abortable removes its signal listeners when the work ends or a signal is aborted', async () => {
  const [work, other] = [new AbortController(), new AbortController()];
  const listeners = (): number => getEventListeners(work.signal, 'abort').length;
  const ended = abortable(Promise.resolve('done'), work.signal, undefined, other.signal);
  assert.equal(listeners(), 1);
  assert.equal(await ended, 'done');
  assert.equal(listeners(), 0);
  await assert.rejects(abortable(Promise.reject(new Error('broken')), work.signal), /broken/);
  assert.equal(listeners(), 0);
  const never = abortable(new Promise(() => undefined), work.signal, other.signal);
  other.abort(new Error('enough'));
  await assert.rejects(never, /enough/);
  assert.equal(listeners(), 0);
});

test('many concurrent operations with the same signal cause no warning of Node.js', async () => {
  const warnings: Error[] = [];
  const onWarning = (warning: Error): void => void warnings.push(warning);
  process.on('warning', onWarning);
  const [closing, signal] = [new AbortController(), new AbortController().signal];
  const never = new Promise<void>(() => undefined);
  const work = Array.from({ length: 20 }, () => [
    abortable(never, closing.signal),
    underSignals([closing.signal, signal], (joined) => abortable(never, joined)),
  ]).flat();
  await setImmediate();
  closing.abort(new Error('closed'));
  const ends = await Promise.allSettled(work);
  process.off('warning', onWarning);
  assert.ok(ends.every(({ status }) => status === 'rejected'));
  assert.deepEqual(warnings, []);
});
