import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { TimeLimit } from './time-limit.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

test('TimeLimit aborts its signal after the time limit, even if Node.js collects garbage before', async () => {
  using limit = new TimeLimit(new AbortController().signal, 50);
  const combined = AbortSignal.any([limit.signal, new AbortController().signal]);
  const aborted = once(combined, 'abort');
  collectGarbage();
  await aborted;
  assert.equal((limit.signal.reason as Error).name, 'TimeoutError');
});

test('TimeLimit aborts its signal with the reason of the given signal, and stops its timer when disposed', () => {
  const given = new AbortController();
  const reason = new Error('stopped');
  {
    using limit = new TimeLimit(given.signal, 60_000);
    given.abort(reason);
    assert.equal(limit.signal.reason, reason);
  }
  using late = new TimeLimit(given.signal, 60_000);
  assert.equal(late.signal.reason, reason);
});
