import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { runSchedule } from './run-schedule.js';
import type { Scenario } from './scenario.js';
import { declarationsOf } from './random-declarations.js';
import { declarations, programs, scenarioOf } from './scenarios.js';

const SCHEDULES = 200;
const DECLARED_SCHEDULES = 20;
/** Number of schedules of all programs together. Each schedule takes seconds. */
const PROGRAM_SCHEDULES = 4;
/** A seed for which `chaosConfigOf` returns one replica and no restarts, clock jumps or partitions. */
const SINGLE = 4;

test('runSchedule reports an aborted schedule as failed and lists the pending operations', async () => {
  const reached = new AbortController();
  class NeverReady {
    ready(): Promise<void> {
      setImmediate(() => reached.abort(new Error('the operator is never ready')));
      return new Promise(() => undefined);
    }
    run(): Promise<void> {
      return Promise.resolve();
    }
  }
  const scenario = { ...scenarioOf(SINGLE), controllers: [NeverReady as never] };
  const { unmet, isStuck } = await runSchedule(scenario, SINGLE, { signal: reached.signal });
  assert.equal(isStuck, true);
  assert.equal(unmet[0], 'the operator is never ready');
  assert.match(unmet.join('\n'), /pending operations: the start of an operator, for \d+ ms/);
});

test('runSchedule aborts a schedule that takes too long', async () => {
  const { unmet, isStuck } = await runSchedule(scenarioOf(1), 1, { limitMs: 1 });
  assert.equal(isStuck, true);
  assert.equal(unmet[0], 'the schedule did not end within 0.001 s');
});

test('runSchedule reports the error of a schedule that throws, and marks the schedule as failed', async () => {
  const { unmet } = await runSchedule({ ...scenarioOf(1), samples: [] }, 1);
  assert.match(unmet.join('\n'), /the schedule threw Error: .* needs two samples/);
});

describe('the examples under faults, crashes, restarts and clock jumps', () => {
  for (let seed = 1; seed <= SCHEDULES; seed++) {
    const scenario = scenarioOf(seed);
    test(`${scenario.name} with seed ${seed} converges without orphans, lost writes or duplicate writes`, async () => {
      const { unmet, injected } = await runSchedule(scenario, seed);
      assert.deepEqual(unmet, [], failing(seed, scenario, injected));
    });
  }
});

describe('two controllers with random declarations under faults, crashes, restarts and clock jumps', () => {
  for (let seed = 1; seed <= DECLARED_SCHEDULES; seed++) {
    test(`two controllers with declarations of seed ${seed} converge without orphans, lost writes or duplicate writes`, async () => {
      const { unmet, injected, detail = [] } = await runSchedule(declarations, seed);
      assert.equal(detail.length, 2, 'the outcome lists the random declarations');
      assert.deepEqual(unmet, [], `${detail.join('\n')}\n${failing(seed, declarations, injected)}`);
    });
  }

  test('declarationsOf draws the same declarations for the same seed, and different declarations for other seeds', () => {
    const all = Array.from({ length: 50 }, (_, seed) => JSON.stringify(declarationsOf(seed)));
    assert.deepEqual(
      all,
      Array.from({ length: 50 }, (_, seed) => JSON.stringify(declarationsOf(seed))),
    );
    assert.ok(new Set(all).size > 40);
    for (const declared of ['"references":true', '"labels":"tier=web"', '"metadataOnly":"all"', '"owns":"adopted"']) {
      assert.ok(all.join().includes(declared), declared);
    }
  });
});

describe('the other programs of the examples under faults, crashes, restarts and pauses', () => {
  for (const [at, scenario] of programs.entries()) {
    for (let seed = at + 1; seed <= PROGRAM_SCHEDULES; seed += programs.length) {
      test(`${scenario.name} with seed ${seed} converges`, async () => {
        const { unmet, injected } = await runSchedule(scenario, seed);
        assert.deepEqual(unmet, [], failing(seed, scenario, injected));
      });
    }
  }
});

function failing(seed: number, { name }: Scenario, injected: readonly string[]): string {
  return `npm run chaos -- --schedules 1 --seed ${seed} --example ${name}, after\n${injected.join('\n')}`;
}
