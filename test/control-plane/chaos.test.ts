import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ChaosCluster, concurrencyOf } from './chaos-cluster.js';
import { clusterScenarios } from './cluster-scenarios.js';

/** Number of schedules per example. Schedules of examples with volumes take several times as long. */
const SCHEDULES = 12;
const SCHEDULES_WITH_VOLUMES = 4;

let cluster: ChaosCluster;

before(async () => {
  cluster = await ChaosCluster.start(clusterScenarios);
});
after(() => cluster[Symbol.asyncDispose]());

for (const scenario of clusterScenarios) {
  const concurrency = concurrencyOf(scenario);
  const schedules = scenario.made.includes('apps/v1/statefulsets') ? SCHEDULES_WITH_VOLUMES : SCHEDULES;
  describe(`${scenario.name} under faults on a real control plane`, { concurrency }, () => {
    for (let seed = 1; seed <= schedules; seed++) {
      test(`${scenario.name} with seed ${seed} converges without orphans, lost writes, or duplicate writes`, async () => {
        const { unmet, injected } = await cluster.run(scenario, seed);
        const again = `npm run chaos -- --control-plane --schedules 1 --seed ${seed} --example ${scenario.name}`;
        assert.deepEqual(unmet, [], `${again}, after\n${injected.join('\n')}`);
      });
    }
  });
}
