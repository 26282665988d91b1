import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Steps } from '@kubewright/api/apply';
import { inTurns } from './in-turns.js';

function work(ms: number): void {
  const endMs = performance.now() + ms;
  while (performance.now() < endMs);
}

test('serves other requests between long steps and before the caller receives the result', async () => {
  const seen: string[] = [];
  setImmediate(() => seen.push('other'));
  const result = await inTurns(
    (function* () {
      seen.push('first');
      work(11);
      yield;
      seen.push('second');
      setImmediate(() => seen.push('another'));
      work(11);
      return 'result';
    })(),
  );
  assert.deepEqual([...seen, result], ['first', 'other', 'second', 'another', 'result']);
});

test('waits for an asynchronous step before it runs the next step', async () => {
  const seen: string[] = [];
  await inTurns(
    (function* () {
      yield async () => {
        seen.push('begun');
        await new Promise((resolve) => setImmediate(resolve));
        seen.push('ended');
      };
      seen.push('next');
    })(),
  );
  assert.deepEqual(seen, ['begun', 'ended', 'next']);
});

test('a waiting step can check whether the client has disconnected', async () => {
  const seen: unknown[] = [];
  const waiting = function* (): Steps<void> {
    yield async (isAbandoned) => {
      seen.push(isAbandoned?.());
    };
  };
  await inTurns(waiting(), { isAbandoned: () => true });
  await inTurns(waiting());
  assert.deepEqual(seen, [true, false]);
});

test('inTurns rejects with the error of a waiting step', async () => {
  await assert.rejects(
    inTurns(
      (function* () {
        yield () => Promise.reject(new RangeError('refused'));
      })(),
    ),
    RangeError,
  );
});

test('inTurns rejects with the error that a step throws', async () => {
  await assert.rejects(
    inTurns(
      (function* () {
        yield;
        throw new RangeError('refused');
      })(),
    ),
    RangeError,
  );
});

test('serves other requests before the caller receives the error of a long step', async () => {
  const seen: string[] = [];
  const failing = (function* (): Steps<void> {
    yield;
    setImmediate(() => seen.push('other'));
    work(11);
    throw new Error('refused');
  })();
  await inTurns(failing).catch(() => seen.push('refused'));
  assert.deepEqual(seen, ['other', 'refused']);
});

/** Yields in steps of 3 ms each. */
function* steps(count: number, onStep: () => void): Steps<void> {
  for (let step = 0; step < count; step += 1) {
    work(3);
    onStep();
    yield;
  }
}

test('alternates between the steps of several requests, and runs steps for about 10 ms per turn of the event loop', async () => {
  const perTurn = [0];
  let isDone = false;
  const turn = (): void => {
    perTurn.push(0);
    if (!isDone) setImmediate(turn);
  };
  setImmediate(turn);
  const order: number[] = [];
  const requests = Array.from({ length: 10 }, (_, request) =>
    inTurns(
      steps(6, () => {
        order.push(request);
        perTurn.push((perTurn.pop() ?? 0) + 1);
      }),
    ),
  );
  await Promise.all(requests);
  isDone = true;
  // Each turn has 10 ms of large requests, 10 ms of starting requests, and the step that exceeds this time.
  assert.ok(Math.max(...perTurn) <= 8, `steps of 3 ms in each turn: ${perTurn}`);
  // A slow machine runs fewer steps in each turn, but the slices still alternate until all requests have started.
  const isStart = order.map((request, at) => order.indexOf(request) === at);
  const firstSlice = order.findIndex((request) => request !== order[0]);
  const repeated = isStart
    .slice(firstSlice, isStart.lastIndexOf(true))
    .findIndex((each, at, all) => !each && !all[at - 1]);
  assert.equal(repeated, -1, `two started requests ran before all requests had started: ${order}`);
});

test('completes a small request before large requests complete', async () => {
  const ended: string[] = [];
  const large = ['a', 'b', 'c'].map((name) => inTurns(steps(20, () => {})).then(() => ended.push(name)));
  await inTurns(
    (function* () {
      yield;
    })(),
  );
  assert.deepEqual(ended, []);
  await Promise.all(large);
});

test('completes a large request before all other requests have completed', async () => {
  let ended = 0;
  const large = inTurns(steps(20, () => {})).then(() => ended);
  const others = Array.from({ length: 100 }, () =>
    inTurns(
      (function* () {
        yield;
        work(3);
      })(),
    ).then(() => {
      ended += 1;
    }),
  );
  assert.ok((await large) < others.length, 'the large request ended last');
  await Promise.all(others);
});
