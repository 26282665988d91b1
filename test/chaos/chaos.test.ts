import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { runSchedule } from './run-schedule.js';
import { scenarioOf } from './scenario.js';

const SCHEDULES = 200;

describe('the examples under faults, deaths, restarts and jumps of the clock', () => {
  for (let seed = 1; seed <= SCHEDULES; seed++) {
    const scenario = scenarioOf(seed);
    test(`${scenario.name}, seed ${seed}: converges, with no orphan, no lost and no doubled write`, async () => {
      const { unmet, injected } = await runSchedule(scenario, seed);
      assert.deepEqual(unmet, [], `npm run chaos -- --schedules 1 --seed ${seed}, after\n${injected.join('\n')}`);
    });
  }
});
