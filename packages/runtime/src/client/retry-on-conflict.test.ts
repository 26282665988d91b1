import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError, KubewrightError } from '@kubewright/api/errors';
import { ManualClock } from '../test-support/manual-clock.js';
import { retryOnConflict, type RetryOnConflictOptions } from './retry-on-conflict.js';

const failure = (code: number, reason: string, message = reason): ApiError =>
  new ApiError({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code, reason, message });

/** Calls `retryOnConflict` with a clock that advances at each sleep. Returns the result, the number of attempts and the delays. */
async function run(
  attempt: (count: number) => Promise<string>,
  options: RetryOnConflictOptions = {},
): Promise<{
  readonly result: PromiseSettledResult<string>;
  readonly count: number;
  readonly waitsMs: readonly number[];
}> {
  const waitsMs: number[] = [];
  class Waiting extends ManualClock {
    override schedule(delayMs: number, callback: () => void): { cancel(): void } {
      waitsMs.push(Math.round(delayMs * 100) / 100);
      const timer = super.schedule(delayMs, callback);
      queueMicrotask(() => this.advance(delayMs));
      return timer;
    }
  }
  let count = 0;
  const work = retryOnConflict(() => attempt(++count), { clock: new Waiting(), random: () => 0.5, ...options });
  const [result] = await Promise.allSettled([work]);
  return { result, count, waitsMs };
}

test('[CG-202] retries a conflict after short delays until the attempt succeeds', async () => {
  const { result, count, waitsMs } = await run(async (n) => {
    if (n < 4) throw failure(409, 'Conflict');
    return 'done';
  });
  assert.deepEqual(result, { status: 'fulfilled', value: 'done' });
  assert.equal(count, 4);
  assert.deepEqual(waitsMs, [10.5, 10.5, 10.5]);
  const growing = await run(async () => Promise.reject(failure(409, 'Conflict')), { attempts: 4, factor: 5 });
  assert.deepEqual(growing.waitsMs, [10.5, 52.5, 262.5]);
});

test('[CG-202] rejects with the last conflict after all attempts, and with any other error immediately', async () => {
  const conflicts = await run(async (n) => Promise.reject(failure(409, 'Conflict', `attempt ${n}`)));
  assert.equal(conflicts.count, 5);
  assert.match(String((conflicts.result as PromiseRejectedResult).reason), /attempt 5/);
  const other = failure(404, 'NotFound');
  const { result, count } = await run(async (n) => Promise.reject(n === 1 ? failure(409, 'Conflict') : other));
  assert.equal((result as PromiseRejectedResult).reason, other);
  assert.equal(count, 2);
});

test('[CG-202] rejects with the reason of the signal if the signal is aborted before the first attempt or during a delay', async () => {
  const reason = new Error('enough');
  const before = await run(async () => 'done', { signal: AbortSignal.abort(reason) });
  assert.deepEqual([before.result, before.count], [{ status: 'rejected', reason }, 0]);
  const stop = new AbortController();
  const clock = new ManualClock();
  const work = retryOnConflict(async () => Promise.reject(failure(409, 'Conflict')), {
    clock,
    signal: stop.signal,
    random: () => 0,
  });
  await clock.scheduled(10);
  stop.abort(reason);
  await assert.rejects(work, (error) => error === reason);
  const deadline = new KubewrightError('REQUEST_TIMEOUT', 'late');
  const passed = await run(async () => Promise.reject(deadline));
  assert.equal(
    (passed.result as PromiseRejectedResult).reason,
    deadline,
    'an error of a request is passed on unchanged',
  );
});

test('retryOnConflict rejects options that are out of range', async () => {
  for (const options of [{ attempts: 0 }, { attempts: 1.5 }, { delayMs: -1 }, { factor: 0.5 }])
    await assert.rejects(
      retryOnConflict(async () => 1, options),
      (error) => (error as KubewrightError).code === 'INVALID_OPTION',
    );
});
