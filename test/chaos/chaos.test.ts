import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { runSchedule } from './run-schedule.js';
import { scenarioOf } from './scenario.js';

const SCHEDULES = 200;

test('a schedule that does not end is given up, and tells what it waits for', async () => {
  class NeverReady {
    ready = (): Promise<void> => new Promise(() => undefined);
    run = (): Promise<void> => Promise.resolve();
  }
  const scenario = scenarioOf(1);
  const stuck = { ...scenario, controllers: [NeverReady as never] };
  const { unmet, isStuck } = await runSchedule(stuck, 1, 2000);
  assert.equal(isStuck, true);
  assert.equal(unmet[0], 'it did not end within 2 s');
  assert.match(unmet.join('\n'), /it waits for: the start of an operator, for \d+ ms/);
});

test('a schedule that throws has failed with that', async () => {
  const { unmet } = await runSchedule({ ...scenarioOf(1), samples: [] }, 1);
  assert.match(unmet.join('\n'), /it threw Error: .* needs two samples/);
});

describe('the examples under faults, deaths, restarts and jumps of the clock', () => {
  for (let seed = 1; seed <= SCHEDULES; seed++) {
    const scenario = scenarioOf(seed);
    test(`${scenario.name}, seed ${seed}: converges, with no orphan, no lost and no doubled write`, async () => {
      const { unmet, injected } = await runSchedule(scenario, seed);
      assert.deepEqual(unmet, [], `npm run chaos -- --schedules 1 --seed ${seed}, after\n${injected.join('\n')}`);
    });
  }
});
