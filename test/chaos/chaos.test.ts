import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { runSchedule } from './run-schedule.js';
import { scenarios } from './scenario.js';

const SCHEDULES = 20;

for (const scenario of scenarios) {
  describe(`${scenario.name} under faults`, () => {
    for (let seed = 1; seed <= SCHEDULES; seed++) {
      test(`seed ${seed}: converges, with no orphan, no lost and no doubled write`, async () => {
        const { unmet, injected } = await runSchedule(scenario, seed);
        assert.deepEqual(unmet, [], `npm run chaos -- --schedules 1 --seed ${seed}, after\n${injected.join('\n')}`);
      });
    }
  });
}
