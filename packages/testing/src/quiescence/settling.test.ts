import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Activity } from './activity.js';
import { settle, type Settling, type Survey } from './settling.js';

const quiet: Survey = { busy: [], pending: [], waiting: [] };

/** Returns the options of `settle` for the given surveys, one after the other. Every survey is an activity. The last survey repeats. */
function settling(surveys: readonly Survey[], options: Partial<Settling> = {}): Settling {
  const activity = new Activity();
  const left = [...surveys];
  return {
    activity,
    survey: async () => {
      if (left.length > 1) activity.note();
      return (left.length > 1 ? left.shift() : left[0]) as Survey;
    },
    outside: () => [],
    prod: () => undefined,
    progress: () => 0,
    mostRuns: () => undefined,
    objects: () => 0,
    ...options,
  };
}

/** Returns a function that returns times which advance by the step on each call. */
function clockOf(stepMs: number): () => number {
  let nowMs = 0;
  return () => (nowMs += stepMs);
}

test('settle resolves when the work is done, and when all pending work may wait for the clock', async () => {
  const busy: Survey = { ...quiet, busy: ['reconcile machine default/a'] };
  await settle(settling([busy, busy, quiet]));
  await settle(
    settling([busy, { ...quiet, pending: ['reconcile machine default/a'], waiting: ['get pod default/a'] }]),
  );
});

test('settle waits for pending work if no request waits for the clock, and for work outside of the environment', async () => {
  const pending: Survey = { ...quiet, pending: ['reconcile machine default/a'] };
  let surveys = 0;
  const counted = settling([pending, pending, pending, quiet]);
  await settle({ ...counted, survey: () => counted.survey().finally(() => surveys++) });
  assert.equal(surveys, 4);

  const waiting: Survey = { ...pending, waiting: ['get pod default/a'] };
  let fetches = 2;
  await settle(settling([waiting, waiting, waiting], { outside: () => (fetches-- > 0 ? ['fetch'] : []) }));
  assert.ok(fetches <= 0, `${fetches} fetches are left`);
});

test('settle resolves despite a slow machine as long as there is progress', async () => {
  let progress = 0;
  const busy: Survey = { ...quiet, busy: ['requests (1)'] };
  const surveys = [...Array.from({ length: 20 }, () => busy), quiet];
  await settle(settling(surveys, { nowMs: clockOf(20_000), progress: () => progress++ }));
});

test('settle rejects with NOT_SETTLED after 30 s without progress, and names the pending work and what it waits for', async () => {
  const pending: Survey = { ...quiet, pending: ['reconcile machine default/a'] };
  const surveys = Array.from({ length: 20 }, () => pending);
  const fetching = settling(surveys, { nowMs: clockOf(5000), outside: () => ['fetch GET https://example.com/a'] });
  await assert.rejects(settle(fetching), {
    code: 'NOT_SETTLED',
    message:
      'the test environment made no progress for 30 s; pending work: reconcile machine default/a; waits for work outside of the environment: fetch GET https://example.com/a',
  });
  await assert.rejects(settle(settling(surveys, { nowMs: clockOf(5000) })), {
    code: 'NOT_SETTLED',
    message:
      /reconcile machine default\/a; waits for a promise or a timer outside .* resources of the process: .*Timeout/,
  });
});

test('settle rejects with NOT_SETTLED in a hot loop, and names the controller, the object and the writes', async () => {
  const busy: Survey = { ...quiet, busy: ['reconcile machine default/a'] };
  let count = 0;
  const mostRuns = () => ({
    controller: 'machine',
    object: 'Machine default/a',
    count: (count += 100),
    writes: [['patch machine default/a', count]] as const,
  });
  const surveys = Array.from({ length: 100 }, () => busy);
  await assert.rejects(settle(settling(surveys, { mostRuns, objects: () => 25 })), {
    code: 'NOT_SETTLED',
    message:
      "the test environment does not stop working: controller 'machine' reconciled Machine default/a 300 times; writes of these reconciles: patch machine default/a (300 times)",
  });
});
